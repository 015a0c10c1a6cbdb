/** A use case that records its inputs and returns a fixed output. */
export interface Recorder<Input, Output> {
  readonly inputs: readonly Input[];
  readonly run: (input: Input) => Promise<Output>;
}

export function recorder<Input, Output>(output: Output): Recorder<Input, Output> {
  const inputs: Input[] = [];
  return {
    inputs,
    run: async (input) => {
      inputs.push(input);
      return output;
    },
  };
}

/** A promise that the test resolves. */
export interface Signal {
  readonly promise: Promise<void>;
  readonly give: () => void;
}

export function createSignal(): Signal {
  let give = (): void => undefined;
  const promise = new Promise<void>((resolve) => {
    give = resolve;
  });
  return { promise, give };
}

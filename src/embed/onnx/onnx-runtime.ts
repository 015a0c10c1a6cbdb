import { errorText, VademecumError } from "../../core/model/errors.js";

/**
 * The functions of onnxruntime-node in use. They are declared here because the package is optional:
 * without it, the sources still compile and the other embedders work.
 */
export interface OnnxRuntime {
  readonly InferenceSession: {
    create(modelFile: string, options: SessionOptions): Promise<InferenceSession>;
  };
  readonly Tensor: new (
    type: "int64",
    data: BigInt64Array,
    dimensions: readonly number[],
  ) => Tensor;
}

export interface SessionOptions {
  readonly executionProviders: readonly "cpu"[];
  readonly intraOpNumThreads: number;
  /** From 0 (verbose) to 4 (fatal). */
  readonly logSeverityLevel: number;
}

export interface InferenceSession {
  readonly inputNames: readonly string[];
  readonly outputNames: readonly string[];
  run(
    inputs: Readonly<Record<string, Tensor>>,
    outputs: readonly string[],
  ): Promise<Readonly<Record<string, Tensor>>>;
  release(): Promise<void>;
}

export interface Tensor {
  readonly type: string;
  readonly dims: readonly number[];
  readonly data: unknown;
}

/** The version in `peerDependencies` of package.json. */
const supportedVersion = "1.30.0";

/**
 * Loads the runtime.
 *
 * @throws FAILED_PRECONDITION (ONNX_RUNTIME_MISSING) when the package is not installed or does not
 *   run on this machine
 */
export async function loadOnnxRuntime(): Promise<OnnxRuntime> {
  // A literal in `import` would not compile without the package, so the name is in a variable.
  const packageName: string = "onnxruntime-node";
  try {
    return (await import(packageName)) as OnnxRuntime;
  } catch (error) {
    throw new VademecumError(
      "FAILED_PRECONDITION",
      "ONNX_RUNTIME_MISSING",
      `--embedder minilm and onnx need the package ${packageName}, which cannot be loaded ` +
        `(${errorText(error)}). Install it beside Vademecum, with ONNXRUNTIME_NODE_INSTALL=skip in ` +
        `the environment: npm install ${packageName}@${supportedVersion} (with -g if Vademecum was ` +
        "installed with -g). In a clone: node scripts/onnx-runtime.mjs. Or choose another embedder",
      { cause: error },
    );
  }
}

import { errorText, VademecumError } from "../../core/model/errors.js";

/** What is used of onnxruntime-node. Described here because the package is optional: the sources compile and every other embedder works without it. */
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
  /** 0: verbose to 4: fatal. */
  readonly logSeverityLevel: number;
  /** Settings by their names in the C++ API, a level of nesting a dot. */
  readonly extra: {
    readonly session: { readonly intra_op: { readonly allow_spinning: "0" | "1" } };
  };
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

/** Loads the runtime. @throws FAILED_PRECONDITION (ONNX_RUNTIME_MISSING) where it is not installed or does not run on this machine. */
export async function loadOnnxRuntime(): Promise<OnnxRuntime> {
  // A variable, so that the compiler does not look for a package that may not be there.
  const packageName: string = "onnxruntime-node";
  try {
    return (await import(packageName)) as OnnxRuntime;
  } catch (error) {
    throw new VademecumError(
      "FAILED_PRECONDITION",
      "ONNX_RUNTIME_MISSING",
      `--embedder onnx needs the optional package onnxruntime-node, which cannot be loaded (${errorText(error)}). ` +
        "Install it where Vademecum is installed, with ONNXRUNTIME_NODE_INSTALL=skip in the environment: npm install --no-save --include=optional; or choose another embedder",
      { cause: error },
    );
  }
}

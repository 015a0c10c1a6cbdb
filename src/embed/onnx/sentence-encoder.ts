import { readFile } from "node:fs/promises";
import { errorText } from "../../core/model/errors.js";
import { unitLength } from "../unit-length.js";
import { type ModelFolder, modelUnusable } from "./model-folder.js";
import { createModelTokenizer, type ModelTokenizer } from "./model-tokenizer.js";
import type { InferenceSession, OnnxRuntime, Tensor } from "./onnx-runtime.js";
import { poolTokens } from "./pooling.js";

/** Turns texts into vectors. Requires: a call begins only when the previous call has ended. */
export interface SentenceEncoder {
  readonly dimension: number;
  /**
   * Returns one vector of unit length for each text, in the order of the texts. A text without a
   * token that the model knows gets zeros.
   */
  encode(texts: readonly string[]): Promise<Float32Array[]>;
  close(): Promise<void>;
}

/** Error messages of the runtime for an empty file, and for a file that is not a model. */
const noModelPattern = /ModelProto does not have a graph|Protobuf parsing failed/;

const knownInputs: readonly string[] = [
  "input_ids",
  "attention_mask",
  "token_type_ids",
  "position_ids",
];

/**
 * Loads a model and runs it once.
 *
 * @throws FAILED_PRECONDITION (MODEL_UNUSABLE) when the model is not a sentence transformer, or the
 *   runtime cannot run it
 */
export async function openSentenceEncoder(
  runtime: OnnxRuntime,
  model: ModelFolder,
): Promise<SentenceEncoder> {
  const tokenize = await openTokenizer(model);
  const session = await openSession(runtime, model);
  try {
    const encoder = new OnnxSentenceEncoder(runtime, session, model, tokenize);
    await encoder.runOnce();
    return encoder;
  } catch (error) {
    await session.release();
    throw modelUnusable(model.modelFile, errorText(error), error);
  }
}

async function openSession(
  runtime: OnnxRuntime,
  { modelFile }: ModelFolder,
): Promise<InferenceSession> {
  try {
    return await runtime.InferenceSession.create(modelFile, {
      executionProviders: ["cpu"],
      // Several workers use the cores better than several threads of one run.
      intraOpNumThreads: 1,
      logSeverityLevel: 3,
    });
  } catch (error) {
    const message = errorText(error);
    throw modelUnusable(
      modelFile,
      noModelPattern.test(message) ? "it is not an ONNX model, or it is incomplete" : message,
      error,
    );
  }
}

async function openTokenizer({
  tokenizerFile,
  tokenizerConfigFile,
  maxTokens,
}: ModelFolder): Promise<ModelTokenizer> {
  const read = async (file: string) => JSON.parse(await readFile(file, "utf8")) as object;
  try {
    const settings = tokenizerConfigFile === undefined ? {} : await read(tokenizerConfigFile);
    return createModelTokenizer(await read(tokenizerFile), settings, maxTokens);
  } catch (error) {
    throw modelUnusable(tokenizerFile, errorText(error), error);
  }
}

class OnnxSentenceEncoder implements SentenceEncoder {
  readonly #runtime: OnnxRuntime;
  readonly #session: InferenceSession;
  readonly #model: ModelFolder;
  readonly #tokenize: ModelTokenizer;
  readonly #output: string;
  #dimension = 0;

  constructor(
    runtime: OnnxRuntime,
    session: InferenceSession,
    model: ModelFolder,
    tokenize: ModelTokenizer,
  ) {
    this.#runtime = runtime;
    this.#session = session;
    this.#model = model;
    this.#tokenize = tokenize;
    const unknown = session.inputNames.filter((name) => !knownInputs.includes(name));
    if (unknown.length > 0)
      throw new Error(
        `it requires ${unknown.join(", ")} as input; ${knownInputs.join(", ")} are supported`,
      );
    const outputs = ["sentence_embedding", "last_hidden_state", "token_embeddings"];
    this.#output =
      outputs.find((name) => session.outputNames.includes(name)) ?? session.outputNames[0] ?? "";
  }

  get dimension(): number {
    return this.#dimension;
  }

  /** Runs the model for the first time, to learn the dimension. */
  async runOnce(): Promise<void> {
    const ids = this.#tokenize("a");
    if (ids === undefined) throw new Error("its tokenizer does not know the letter a");
    this.#dimension = (await this.#run(ids)).length;
  }

  async encode(texts: readonly string[]): Promise<Float32Array[]> {
    const vectors: Float32Array[] = [];
    for (const text of texts) {
      const ids = this.#tokenize(text);
      vectors.push(ids === undefined ? new Float32Array(this.#dimension) : await this.#run(ids));
    }
    return vectors;
  }

  async close(): Promise<void> {
    await this.#session.release();
  }

  /**
   * Returns the vector of one text. A run with several texts would pad them to the same length, and
   * in some quantised models the vector of a text would depend on the other texts.
   */
  async #run(ids: readonly number[]): Promise<Float32Array> {
    const outputs = await this.#session.run(this.#inputs(ids), [this.#output]);
    const output = outputs[this.#output];
    if (output === undefined || !(output.data instanceof Float32Array)) {
      throw new Error(
        `its output ${this.#output} is of type ${output?.type}; float32 is supported`,
      );
    }
    const vector = unitLength(this.#vectorOf(output, output.data, ids.length));
    if (!vector.every(Number.isFinite))
      throw new Error("it returned a vector with a component that is not finite");
    return vector;
  }

  #inputs(ids: readonly number[]): Readonly<Record<string, Tensor>> {
    const makers: Readonly<Record<string, (id: number, position: number) => number>> = {
      input_ids: (id) => id,
      attention_mask: () => 1,
      token_type_ids: () => 0,
      position_ids: (_, position) => position,
    };
    return Object.fromEntries(
      this.#session.inputNames.flatMap((name) => {
        const numberAt = makers[name];
        if (numberAt === undefined) return [];
        const data = BigInt64Array.from(ids, (id, position) => BigInt(numberAt(id, position)));
        return [[name, new this.#runtime.Tensor("int64", data, [1, ids.length])]];
      }),
    );
  }

  #vectorOf({ dims }: Tensor, values: Float32Array, tokens: number): Float32Array {
    const { pooling } = this.#model;
    const dimension = dims.at(-1) ?? 0;
    if (dims.length === 2) return values.slice();
    if (dims.length !== 3)
      throw new Error(
        `its output ${this.#output} has ${dims.length} dimensions; 2 (a vector for each text) or ` +
          "3 (a vector for each token) are supported",
      );
    if (typeof pooling === "object") throw new Error(pooling.impossible);
    return poolTokens(pooling, { values, dimension, rows: tokens });
  }
}

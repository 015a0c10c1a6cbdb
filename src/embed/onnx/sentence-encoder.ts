import { readFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
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

/** Maximum number of texts in one run of the model. Larger runs were no faster. */
const maxRunTexts = 8;

/**
 * Maximum number of threads of a run. Texts are short, and more threads would wait for each other.
 */
const maxThreads = 4;

/**
 * Two vectors count as equal if no component differs by more than this. The limit is above rounding
 * errors, and too small to change a cosine noticeably.
 */
const maxDifference = 1e-5;

/** Error messages of the runtime for an empty file, and for a file that is not a model. */
const noModelPattern = /ModelProto does not have a graph|Protobuf parsing failed/;

const knownInputs: readonly string[] = [
  "input_ids",
  "attention_mask",
  "token_type_ids",
  "position_ids",
];

/** The token ids of a text, and its index among the texts of the call. */
interface TokenizedText {
  readonly ids: readonly number[];
  readonly index: number;
}

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
      intraOpNumThreads: Math.min(maxThreads, Math.max(1, availableParallelism() - 1)),
      logSeverityLevel: 3,
      // Waiting threads must not spin: they would take the cores of the server.
      extra: { session: { intra_op: { allow_spinning: "0" } } },
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
  #maxRunTexts = maxRunTexts;

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

  /**
   * Runs the model for the first time, to learn the dimension and whether texts can share a run.
   *
   * In some quantised models, the vector of a text depends on the other texts of the run. With such
   * a model, each text gets a run of its own, so that equal texts have equal vectors.
   */
  async runOnce(): Promise<void> {
    const short = { ids: this.#tokenize("a") ?? [], index: 0 };
    const long = { ids: this.#tokenize("a a a a a a a a") ?? [], index: 1 };
    if (short.ids.length === 0) throw new Error("its tokenizer does not know the letter a");
    const [alone] = await this.#run([short]);
    const [beside] = await this.#run([short, long]);
    this.#dimension = alone?.length ?? 0;
    const isSame =
      alone?.every((value, i) => Math.abs(value - (beside?.[i] ?? 0)) < maxDifference) === true;
    if (!isSame) this.#maxRunTexts = 1;
  }

  async encode(texts: readonly string[]): Promise<Float32Array[]> {
    const vectors: Float32Array[] = texts.map(() => new Float32Array(this.#dimension));
    const tokenized = texts.flatMap((text, index): TokenizedText[] => {
      const ids = this.#tokenize(text);
      return ids === undefined ? [] : [{ ids, index }];
    });
    for (const run of inRuns(tokenized, this.#maxRunTexts)) {
      const runVectors = await this.#run(run);
      for (const [row, { index }] of run.entries())
        vectors[index] = runVectors[row] ?? new Float32Array(this.#dimension);
    }
    return vectors;
  }

  async close(): Promise<void> {
    await this.#session.release();
  }

  async #run(texts: readonly TokenizedText[]): Promise<Float32Array[]> {
    const width = Math.max(...texts.map(({ ids }) => ids.length));
    const outputs = await this.#session.run(this.#inputs(texts, width), [this.#output]);
    const output = outputs[this.#output];
    if (output === undefined || !(output.data instanceof Float32Array)) {
      throw new Error(
        `its output ${this.#output} is of type ${output?.type}; float32 is supported`,
      );
    }
    return texts.map(({ ids }, row) => {
      const vector = unitLength(this.#vectorOf(output, row, ids.length));
      if (!vector.every(Number.isFinite))
        throw new Error("it returned a vector with a component that is not finite");
      return vector;
    });
  }

  #inputs(texts: readonly TokenizedText[], width: number): Readonly<Record<string, Tensor>> {
    const dimensions = [texts.length, width];
    const createTensor = (numberAt: (ids: readonly number[], position: number) => number) => {
      const data = new BigInt64Array(texts.length * width);
      for (const [row, { ids }] of texts.entries()) {
        for (const position of ids.keys())
          data[row * width + position] = BigInt(numberAt(ids, position));
      }
      return new this.#runtime.Tensor("int64", data, dimensions);
    };
    const makers: Readonly<Record<string, () => Tensor>> = {
      input_ids: () => createTensor((ids, position) => ids[position] ?? 0),
      attention_mask: () => createTensor(() => 1),
      token_type_ids: () => createTensor(() => 0),
      position_ids: () => createTensor((_, position) => position),
    };
    return Object.fromEntries(
      this.#session.inputNames.flatMap((name) =>
        makers[name] === undefined ? [] : [[name, makers[name]()]],
      ),
    );
  }

  #vectorOf({ dims, data }: Tensor, row: number, tokens: number): Float32Array {
    const values = data as Float32Array;
    const { pooling } = this.#model;
    const dimension = dims.at(-1) ?? 0;
    if (dims.length === 2) return values.slice(row * dimension, (row + 1) * dimension);
    if (dims.length !== 3)
      throw new Error(
        `its output ${this.#output} has ${dims.length} dimensions; 2 (a vector for each text) or ` +
          "3 (a vector for each token) are supported",
      );
    if (typeof pooling === "object") throw new Error(pooling.impossible);
    return poolTokens(pooling, { values, dimension, firstRow: row * (dims[1] ?? 0), rows: tokens });
  }
}

/**
 * Divides texts into runs. A run pads its texts to the length of the longest text. So a run has
 * texts of similar length, and no text is padded to more than twice its own length.
 */
function inRuns(texts: readonly TokenizedText[], maxTexts: number): TokenizedText[][] {
  const runs: TokenizedText[][] = [];
  for (const text of texts.toSorted((a, b) => a.ids.length - b.ids.length)) {
    const last = runs.at(-1);
    const shortest = last?.[0]?.ids.length ?? 0;
    if (last === undefined || last.length >= maxTexts || text.ids.length > 2 * shortest)
      runs.push([text]);
    else last.push(text);
  }
  return runs;
}

import { VademecumError } from "../model/errors.js";

/** How scores of a model translate into relevance (docs/embedders.md). Found on pairs of texts; stored with the model. */
export interface Calibration {
  /** Share of the vector score in the fused score, 0 to 1; the keyword score has the rest. */
  readonly vectorWeight: number;
  /** Mean fused score of random question-memory pairs: relevance 0. */
  readonly randomScore: number;
  /** Mean fused score of paraphrases: relevance 1. Greater than `randomScore`. */
  readonly paraphraseScore: number;
}

/** Turns texts into vectors. */
export interface Embedder {
  /** Name and version of the model, such as `static-256@1`. Vectors of two ids are never compared. */
  readonly modelId: string;
  /** Numbers in a vector, 1 to 4,096. */
  readonly dimension: number;
  readonly calibration: Calibration;
  /** Share of a text that the model was made for, 0 to 1: so much of their weight its vector has in a search for it. Absent: 1 for every text. */
  readonly knownShare?: (text: string) => number;
  /** Share of their weight that its vectors keep in a namespace of long texts (`longTextShare`), 0 to 1. Absent: 1. */
  readonly longTextWeight?: number;
  /** One vector of unit length a text, in their order; a text that the model knows nothing of gets zeros. @throws an error of which `isTextRefused` is true, if it does not take one of them */
  embed(texts: readonly string[], signal: AbortSignal): Promise<Float32Array[]>;
}

/** Whether `Embedder.embed` failed because it does not take one of the texts, whenever it is asked: FAILED_PRECONDITION (EMBEDDER_REFUSED_TEXT). */
export function isTextRefused(error: unknown): error is VademecumError {
  return error instanceof VademecumError && error.reason === "EMBEDDER_REFUSED_TEXT";
}

/**
 * One vector a text, in their order; for a text that the embedder does not take, what it said. Embedders put texts that come at the same time together, so that asking for each alone costs few requests more.
 * @throws whatever else `Embedder.embed` throws
 */
export async function embedEach(
  embedder: Embedder,
  texts: readonly string[],
  signal: AbortSignal,
): Promise<readonly (Float32Array | VademecumError)[]> {
  if (texts.length === 0) return [];
  try {
    return await embedder.embed(texts, signal);
  } catch (error) {
    if (!isTextRefused(error)) throw error;
    if (texts.length === 1) return [error];
    return (await Promise.all(texts.map((text) => embedEach(embedder, [text], signal)))).flat();
  }
}

/** The models that a server has at hand. */
export interface Embedders {
  /** The one that the server was set up with: of namespaces without vectors, and the one that Reindex changes to. `undefined`: the server makes no vectors. */
  readonly configured: Embedder | undefined;
  /** The model of an id; `undefined` if it is not at hand. */
  byModelId(modelId: string): Embedder | undefined;
}

/** Puts models together: the configured one, if any, and others that may have made vectors before. */
export function createEmbedders(
  configured: Embedder | undefined,
  others: readonly Embedder[] = [],
): Embedders {
  const all = [...others, ...(configured === undefined ? [] : [configured])];
  const byId = new Map(all.map((embedder) => [embedder.modelId, embedder]));
  return { configured, byModelId: (modelId) => byId.get(modelId) };
}

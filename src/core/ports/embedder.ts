import { VademecumError } from "../model/errors.js";

/**
 * How scores of a model translate into relevance. The figures are measured on pairs of texts, or
 * assumed for a model without a measurement. See docs/reference/relevance.md.
 */
export interface Calibration {
  /**
   * Weight of the vector score in the fused score (`fusedScore`), 0 to 1. The keyword score has the
   * weight 1 minus this.
   */
  readonly vectorWeight: number;
  /** Mean fused score of random question-memory pairs: relevance 0. */
  readonly randomScore: number;
  /** Mean fused score of paraphrases: relevance 1. Greater than `randomScore`. */
  readonly paraphraseScore: number;
}

/** The pieces of words that are similar to a given piece. */
export interface SimilarPieces {
  readonly pieces: Uint16Array;
  /** The cosine of each of `pieces` with the given piece: above `similarCosineMin`, at most 1. */
  readonly cosines: Float32Array;
}

/** Pieces with at most this cosine are not similar. */
export const similarCosineMin = 0.3;

/** A vocabulary of pieces of words with a vector for each, to find words of similar meaning. */
export interface WordPieces {
  /**
   * Number of pieces, at most 65,536. A piece is identified by a number from 0 to `pieceCount` - 1.
   */
  readonly pieceCount: number;
  /**
   * Returns the pieces of a word; none if the model does not know the word. Requires: `words`
   * (core/text/words.ts) has returned the word.
   */
  piecesOf(word: string): readonly number[];
  /** Returns the pieces that are similar to a piece, itself included. */
  similarTo(piece: number): SimilarPieces;
}

/** How scores of a model translate into relevance, and which relevance a match needs. */
export interface Scale {
  readonly calibration: Calibration;
  /**
   * The minimum relevance of a search that sets none, 0 to 1. Absent: 0. Chosen with bench/people:
   * the largest value that keeps about as many right facts among the first five as 0.
   */
  readonly defaultFloor?: number;
}

/**
 * Matches of a lower relevance are weak, on a measured scale. Of the questions whose first hit is
 * below it, fewer than half are answered by that hit (bench/people).
 */
export const measuredWeakLevel = 0.2;

/** Turns texts into vectors. The scale is that of queries in English. */
export interface Embedder extends Scale {
  /**
   * Name and version of the model, such as `static-256@1`. Vectors of different ids are never
   * compared.
   */
  readonly modelId: string;
  /** Number of components of a vector, 1 to 4,096. */
  readonly dimension: number;
  /**
   * The scale of queries in other languages of Latin script. Their texts share pieces of words, so
   * even random pairs have high cosines. Absent: that of English.
   */
  readonly otherLatin?: Scale;
  /** Matches of a lower relevance are weak, 0 to 1. Absent: no match is weak. */
  readonly weakLevel?: number;
  /**
   * Returns the share of a text that is in a language of the model, 0 to 1. A search for the text
   * multiplies the weight of its vector by this share. Absent: 1 for every text.
   */
  readonly knownShare?: (text: string) => number;
  /**
   * Factor for the weight of vectors in a namespace of long texts (`longTextShare`), 0 to 1.
   * Absent: 1.
   */
  readonly longTextWeight?: number;
  /** Absent: the model has no vectors of single words. */
  readonly wordPieces?: WordPieces;
  /**
   * Returns one vector for each text, in the order of the texts. The vector has unit length, or is
   * all zeros if the model knows no token of the text.
   *
   * @throws FAILED_PRECONDITION (EMBEDDER_REFUSED_TEXT) when the model does not accept one of the
   *   texts, see `isTextRefused`
   */
  embed(texts: readonly string[], signal: AbortSignal): Promise<Float32Array[]>;
  /**
   * Returns the vector that `embed` makes of a text, if that takes microseconds. Returns
   * `undefined` for a text that may take longer. Absent: every text takes longer.
   */
  embedShort?(text: string): Float32Array | undefined;
  /** Deletes all vectors that are kept on disk so that texts need not be embedded again. */
  emptyCache?(): Promise<void>;
}

/**
 * Whether `Embedder.embed` failed because the model does not accept one of the texts:
 * FAILED_PRECONDITION (EMBEDDER_REFUSED_TEXT). A retry with the same texts fails again.
 */
function isTextRefused(error: unknown): error is VademecumError {
  return error instanceof VademecumError && error.reason === "EMBEDDER_REFUSED_TEXT";
}

/**
 * Embeds texts. Returns one outcome for each text, in the order of the texts. An outcome is the
 * vector, or the error with which the model refused the text.
 *
 * Embeds all texts in one call. If the model refuses one of them, embeds each text again in a call
 * of its own. These calls add few requests, because embedders batch the texts of concurrent calls.
 * Rethrows other errors of `Embedder.embed`.
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

/** The embedding models of a server. */
export interface Embedders {
  /**
   * The model that `--embedder` names. New namespaces get it, and Reindex changes namespaces to it.
   * `undefined`: the server makes no vectors.
   */
  readonly configured: Embedder | undefined;
  /** Returns the model with this id; `undefined` if the server does not have it. */
  byModelId(modelId: string): Embedder | undefined;
  /**
   * Deletes the vectors of texts that are kept on disk, of all users, because nothing in them says
   * whose text it was. Absent: none are kept.
   */
  emptyCaches?(): Promise<void>;
}

/** Combines the configured model, if any, with other models that existing vectors may come from. */
export function createEmbedders(
  configured: Embedder | undefined,
  others: readonly Embedder[] = [],
): Embedders {
  const all = [...others, ...(configured === undefined ? [] : [configured])];
  const byId = new Map(all.map((embedder) => [embedder.modelId, embedder]));
  return {
    configured,
    byModelId: (modelId) => byId.get(modelId),
    emptyCaches: async () => {
      for (const embedder of byId.values()) await embedder.emptyCache?.();
    },
  };
}

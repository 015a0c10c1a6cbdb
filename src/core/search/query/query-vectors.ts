import { VademecumError } from "../../model/errors.js";
import type { Namespace } from "../../model/namespace.js";
import type { Call } from "../../ports/call.js";
import type { Embedders } from "../../ports/embedder.js";
import type { SearchIndex } from "../../ports/search-index.js";
import type { Timer } from "../../ports/timer.js";
import { limitTime, TimeLimitExceeded } from "../../requests/time-limit.js";
import {
  embedTexts,
  noTextVectors,
  type TextVectors,
  unavailableVectors,
  useVector,
} from "../../vectors/text-vectors.js";
import { queryEmbedder } from "../../vectors/vectors.js";

/** Maximum time to embed a query, in milliseconds. After it, keywords alone answer the query. */
export const queryVectorTimeoutMs = 3_000;

/** The ports that embed queries. */
export interface QueryTextParts {
  readonly index: SearchIndex;
  readonly embedders: Embedders;
  readonly timer: Timer;
}

/** A text to search for, in one namespace. */
export interface QueryText {
  readonly namespace: Namespace;
  /** An empty text needs no vector. */
  readonly text: string;
  /** The caller's own vector. With it, the server does not embed the text. */
  readonly given: Float32Array | undefined;
}

/**
 * Embeds the text of a query, then calls `read` with the vectors. Calls `read` again if `read`
 * needs the vector of another model (see `EmbeddedTexts.use`).
 *
 * The model may be unreachable, busy, slower than 3 s, or refuse the server's key. Then `read` gets
 * the reason in place of a vector, and keywords alone answer the query.
 */
export async function withQueryVectors<T>(
  { index, embedders, timer }: QueryTextParts,
  { namespace, text, given }: QueryText,
  call: Call,
  read: (vectors: TextVectors) => Promise<T>,
): Promise<T> {
  if (text === "" || given !== undefined) return read(noTextVectors);
  const expected = queryEmbedder(await index.profileOf(namespace), embedders);
  // A short text needs neither a time limit nor a signal, which would cost more than its vector.
  const vector = expected?.embedShort?.(text);
  if (expected !== undefined && vector !== undefined) {
    const used = await useVector(expected, vector, read);
    if (used !== undefined) return used.result;
  }
  const limited = limitTime(call, timer, queryVectorTimeoutMs);
  try {
    return await embedTexts([text], expected, limited).use(([vectors]) => read(vectors));
  } catch (error) {
    const reason = unavailability(error);
    if (reason === undefined || call.signal.aborted) throw error;
    return await read(unavailableVectors(reason));
  } finally {
    limited.clear();
  }
}

const unavailableReasons: ReadonlySet<string> = new Set([
  ...["EMBEDDER_UNAVAILABLE", "EMBEDDER_BUSY"],
  // The endpoint took the key at start. An operator has to act, and searches go on meanwhile.
  "EMBEDDER_KEY_REFUSED",
]);

/** Returns why a model made no vector; `undefined` for errors of another kind. */
function unavailability(error: unknown): string | undefined {
  if (error instanceof TimeLimitExceeded) return `the embedding model ${error.message}`;
  if (error instanceof VademecumError && unavailableReasons.has(error.reason)) return error.message;
  return undefined;
}

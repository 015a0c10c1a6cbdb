import type { Namespace } from "../model/namespace.js";
import type { Call } from "../ports/call.js";
import type { Collection } from "../vectors/collection.js";

/**
 * Phases of a Reindex of one collection in a namespace:
 * - CLEARING removes what an earlier Reindex left behind.
 * - EMBEDDING makes the new vectors; all calls still use the old vectors.
 * - REMOVING deletes the old vectors; the new vectors are in use.
 * - DONE: nothing is left to do.
 */
export type ReindexPhase = "CLEARING" | "EMBEDDING" | "REMOVING" | "DONE";

/** The collections whose vectors are exchanged, one after the other. */
export type ReindexedCollection = Collection["table"];

/** Progress of a Reindex in one collection of a namespace. */
export interface ReindexProgress {
  readonly kind: "progress";
  readonly namespace: Namespace;
  readonly collection: ReindexedCollection;
  readonly phase: ReindexPhase;
  /**
   * Number of records that the Reindex has processed, including those that the embedder refused. A
   * record that changes later stays counted, and is not counted again.
   */
  readonly memoriesDone: number;
  /** Number of records of the collection in the namespace. */
  readonly memoriesTotal: number;
}

/** A memory or skill without a vector, because the embedder refused its text. */
export interface RefusedRecord {
  readonly namespace: Namespace;
  readonly collection: ReindexedCollection;
  readonly id: string;
}

/** The result of a Reindex. */
export interface ReindexSummary {
  readonly kind: "summary";
  /** The model of the namespaces from now on. */
  readonly modelId: string;
  readonly namespacesChanged: number;
  /** Namespaces without anything to change. */
  readonly namespacesUnchanged: number;
  /**
   * Number of embedded texts of memories and skills. A text that changed meanwhile counts again.
   */
  readonly memoriesEmbedded: number;
  /**
   * Number of memories and skills whose texts the embedder refused. Without vectors, keywords alone
   * find them.
   */
  readonly memoriesRefused: number;
  /** The first 10 refused records. */
  readonly firstRefused: readonly RefusedRecord[];
}

export type ReindexEvent = ReindexProgress | ReindexSummary;

/**
 * What to reindex: one namespace, or all namespaces. A named namespace is always reindexed. `"all"`
 * skips namespaces that are up to date, and namespaces with caller vectors.
 */
export type ReindexTarget = Namespace | "all";

/** Changes the model of namespaces while they are in use. */
export interface Reindexer {
  /**
   * Makes new vectors for the target with the server's configured model, namespace by namespace.
   * Yields progress, and the summary last.
   *
   * However a Reindex ends, each collection of a namespace uses either its old vectors or its new
   * vectors, never a mixture. A repeated call does the rest. Errors of the store and of the
   * embedder are rethrown.
   *
   * @throws FAILED_PRECONDITION (NO_EMBEDDER) when the server makes no vectors
   * @throws ABORTED (REINDEX_RUNNING) when another call is reindexing a namespace
   * @throws ABORTED (REINDEX_OVERTAKEN) when writes to a namespace outrun the embedder, or a
   *   namespace is reset again and again
   * @throws UNAVAILABLE (SERVER_STOPPING) when the server is stopping
   */
  reindex(target: ReindexTarget, call: Call): AsyncIterable<ReindexEvent>;
  /** Ends every running Reindex at its next step, and refuses new ones. */
  stop(): void;
}

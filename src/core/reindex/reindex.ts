import type { Namespace } from "../model/namespace.js";
import type { Call } from "../ports/call.js";
import type { Collection } from "../vectors/collection.js";

/**
 * What a Reindex does with a namespace. CLEARING: removes what an earlier one left behind. EMBEDDING: makes the new vectors, while all goes on with the old ones.
 * REMOVING: the new vectors are in use, the old ones are removed. DONE: nothing is left to do.
 */
export type ReindexPhase = "CLEARING" | "EMBEDDING" | "REMOVING" | "DONE";

/** The collections whose vectors are exchanged, one after the other. */
export type ReindexedCollection = Collection["table"];

/** How far a Reindex has got with a collection of a namespace. */
export interface ReindexProgress {
  readonly kind: "progress";
  readonly namespace: Namespace;
  readonly collection: ReindexedCollection;
  readonly phase: ReindexPhase;
  /** Records of the collection that have their new vector, as long as nobody changes them. */
  readonly memoriesDone: number;
  /** Records of the collection in the namespace. */
  readonly memoriesTotal: number;
}

/** A memory or skill that has no vector because the embedder does not take its text. */
export interface RefusedMemory {
  readonly namespace: Namespace;
  readonly collection: ReindexedCollection;
  readonly id: string;
}

/** What a Reindex came to. */
export interface ReindexSummary {
  readonly kind: "summary";
  /** The model that the namespaces have now. */
  readonly modelId: string;
  readonly namespacesChanged: number;
  /** Namespaces that had nothing to change. */
  readonly namespacesUnchanged: number;
  /** Texts of memories and skills that were embedded; one that was changed meanwhile counts again. */
  readonly memoriesEmbedded: number;
  /** Memories and skills whose texts the embedder does not take: they have no vector and are found by keywords. */
  readonly memoriesRefused: number;
  /** The first 10 of them. */
  readonly firstRefused: readonly RefusedMemory[];
}

export type ReindexEvent = ReindexProgress | ReindexSummary;

/** What to reindex: one namespace, whatever its vectors are, or all that are not up to date and do not hold callers' vectors. */
export type ReindexTarget = Namespace | "all";

/** Changes the model of namespaces while they are in use. */
export interface Reindexer {
  /**
   * Gives the target new vectors by the server's configured model, namespace by namespace, and tells how far it is; the summary comes last.
   * Whatever ends it, a namespace is wholly of its old model or wholly of the new one, and a repetition does what is left.
   *
   * Errors: FAILED_PRECONDITION (NO_EMBEDDER) if the server makes no vectors, ABORTED (REINDEX_RUNNING) if a namespace is being reindexed, ABORTED (REINDEX_OVERTAKEN) if one is written to faster than its texts are embedded, UNAVAILABLE (SERVER_STOPPING), and what the store and the embedder throw.
   */
  reindex(target: ReindexTarget, call: Call): AsyncIterable<ReindexEvent>;
  /** Ends all that is under way at its next step: no more is begun. */
  stop(): void;
}

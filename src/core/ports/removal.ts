import type { Namespace } from "../model/namespace.js";

/** A commit that deletes or replaces records of a namespace from which an index is made. */
export interface Removal {
  readonly namespace: Namespace;
  /** The number of the commit. */
  readonly seq: number;
}

/** The head of a namespace's scope, and the last removal in the namespace. */
export interface RemovalState {
  /** See `Head`. */
  readonly epoch: string;
  readonly seq: number;
  /** The number of the last commit that is a `Removal`; 0 if there is none. */
  readonly removalSeq: number;
}

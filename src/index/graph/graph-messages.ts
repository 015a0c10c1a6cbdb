import type { Head } from "../../core/ports/store.js";
import type { SavedLabels } from "../rows/vector-labels.js";
import type { GraphProfile } from "./graph-header.js";

/**
 * Requests to the worker thread, by kind. `graph` is a number for the graph, which the sender
 * chooses.
 */
export interface GraphRequests {
  /** Creates an empty graph. */
  create: { readonly graph: number; readonly profile: GraphProfile; readonly capacity: number };
  /** Loads the graph saved in a folder. */
  load: { readonly graph: number; readonly profile: GraphProfile; readonly folder: string };
  /**
   * Removes the vectors of the labels `removed`. Then adds the vectors of `labels`, which `vectors`
   * holds one after another.
   */
  change: {
    readonly graph: number;
    readonly removed: Uint32Array;
    readonly labels: Uint32Array;
    readonly vectors: Float32Array;
  };
  /** Searches a graph for the nearest vectors. */
  search: { readonly graph: number; readonly vector: Float32Array; readonly count: number };
  /** Saves a graph. `head`: the namespace's head now. The graph may lag behind it. */
  save: {
    readonly graph: number;
    readonly folder: string;
    readonly labels: SavedLabels;
    readonly head: Head;
  };
  /** Frees the memory of a graph. Does nothing for an unknown graph. */
  drop: { readonly graph: number };
}

/** Replies of the worker thread, by kind of request. */
export interface GraphReplies {
  create: undefined;
  /**
   * The labels and the head that the graph was saved with, and its number of vectors, removed ones
   * included. `undefined`: the folder holds no usable graph.
   */
  load: { readonly labels: SavedLabels; readonly head: Head; readonly count: number } | undefined;
  change: undefined;
  search: Uint32Array;
  save: undefined;
  drop: undefined;
}

export type GraphRequestKind = keyof GraphRequests;

/** A request as a message. */
export type GraphRequest = {
  [K in GraphRequestKind]: {
    readonly id: number;
    readonly kind: K;
    readonly request: GraphRequests[K];
  };
}[GraphRequestKind];

/** The reply to the request with the same id, or its error. */
export type GraphReply =
  | { readonly id: number; readonly reply: GraphReplies[GraphRequestKind] }
  | { readonly id: number; readonly error: { readonly message: string; readonly code?: unknown } };

/** The start data of the worker thread. */
export interface GraphWorkerData {
  /** Name of the package that implements graphs. */
  readonly addon: string;
}

/**
 * Asks the worker thread to end after its current work. `Worker.terminate` is not used: while the
 * addon reads a vector, it would end the whole process.
 */
export const endOfWorker = "end";

import type { Head } from "../../core/ports/store.js";
import type { SavedLabels } from "../rows/vector-labels.js";
import type { GraphProfile } from "./graph-header.js";

/** What the thread of graphs is asked, by kind. A graph is named by a number that whoever asks has chosen. */
export interface GraphRequests {
  /** Begins an empty graph. */
  create: { readonly graph: number; readonly profile: GraphProfile; readonly capacity: number };
  /** Begins with the graph that was saved in a folder. */
  load: { readonly graph: number; readonly profile: GraphProfile; readonly folder: string };
  /** Removes labels, then adds vectors: those of all labels, one after another. */
  change: {
    readonly graph: number;
    readonly removed: Uint32Array;
    readonly labels: Uint32Array;
    readonly vectors: Float32Array;
  };
  /** Looks for the nearest vectors, in the graph as it is at that moment. */
  search: { readonly graph: number; readonly vector: Float32Array; readonly count: number };
  /** `head`: the commit whose vectors the graph has. */
  save: {
    readonly graph: number;
    readonly folder: string;
    readonly labels: SavedLabels;
    readonly head: Head;
  };
  drop: { readonly graph: number };
}

/** What the thread answers. */
export interface GraphReplies {
  create: undefined;
  /** The labels and the commit that the graph was saved with, and how many vectors it has, the removed ones too; `undefined`: no graph was saved there that is of use. */
  load: { readonly labels: SavedLabels; readonly head: Head; readonly count: number } | undefined;
  change: undefined;
  search: Uint32Array;
  save: undefined;
  drop: undefined;
}

export type GraphRequestKind = keyof GraphRequests;

/** A request as it is sent. */
export type GraphRequest = {
  [K in GraphRequestKind]: {
    readonly id: number;
    readonly kind: K;
    readonly request: GraphRequests[K];
  };
}[GraphRequestKind];

/** The reply to the request of the same id, or what it failed with. */
export type GraphReply =
  | { readonly id: number; readonly reply: GraphReplies[GraphRequestKind] }
  | { readonly id: number; readonly error: { readonly message: string; readonly code?: unknown } };

/** What the thread is started with. */
export interface GraphThreadData {
  /** Name of the package that has the graphs. */
  readonly addon: string;
}

/** Tells the thread to end as soon as it has done what it is doing. Ending it from outside would end the process, if it comes while the addon reads numbers. */
export const endOfThread = "end";

import type { Log } from "../../core/ports/log.js";
import type { HotNamespaceIndex } from "../namespace-index.js";
import { createPause } from "../pause.js";
import { VectorLabels } from "../rows/vector-labels.js";
import { none } from "../thread/thread-order.js";
import type { GraphProfile } from "./graph-header.js";
import type { GraphRequests } from "./graph-messages.js";
import type { GraphThread } from "./graph-worker.js";

/** Vectors that are sent to the thread at a time. */
const batchVectors = 256;
/** A graph is built anew when more than this share of its vectors was removed: they are still walked through. */
const removedShareMax = 0.2;
/** A graph is saved when more than this share of it has changed. */
const unsavedShareMax = 0.05;
/** While so much is added that it takes long, a graph is saved after so many vectors, and when this share of it is not saved yet: what is cut short then goes on from there. */
const savedOnTheWay = { vectors: 10_000, share: 1 / 3 };
/** A new graph has room for so many times the vectors that there are. */
const spareRoom = 1.1;

/** What all graphs share. */
export interface GraphParts {
  readonly thread: GraphThread;
  readonly log: Log;
}

/** What a graph is of, and where it is saved. */
export interface GraphPlace {
  readonly profile: GraphProfile;
  /** `undefined`: it is not saved. */
  readonly folder: string | undefined;
}

/** A graph in the thread. */
export interface KeptGraph {
  readonly number: number;
  /** It has those labels below this one that some row has. */
  end: number;
  /** Vectors in it, the removed ones too. */
  count: number;
  removed: number;
  /** Vectors that were added or removed since it was saved. */
  unsaved: number;
}

/** Makes a graph of an index's vectors in the thread, and keeps it up with the index. */
export class GraphKeeping {
  readonly #parts: GraphParts;
  readonly #index: HotNamespaceIndex;
  readonly #place: GraphPlace;
  /** Those that take memory in the thread. */
  readonly #graphs = new Set<KeptGraph>();
  #graph: KeptGraph | undefined;
  #isClosed = false;

  constructor(parts: GraphParts, index: HotNamespaceIndex, place: GraphPlace) {
    this.#parts = parts;
    this.#index = index;
    this.#place = place;
  }

  /** The graph to search; `undefined` until there is one, and after a failure. */
  get graph(): KeptGraph | undefined {
    return this.#graph;
  }

  /** Brings the graph up to the index: reads the saved one or builds it, adds and removes what has changed, builds it anew and saves it when it is time. Never fails: without a graph all vectors are compared. */
  async follow(): Promise<void> {
    if (this.#isClosed) return;
    try {
      this.#graph ??= (await this.#load()) ?? (await this.#build());
      await this.#write(this.#graph);
      if (this.#graph.removed > removedShareMax * this.#graph.count)
        await this.#replace(this.#graph);
      if (this.#graph.unsaved > unsavedShareMax * this.#graph.count) await this.#save(this.#graph);
    } catch (error) {
      // After `close`, and after the end of the thread, which has told of it, failing is all that is left.
      if (!this.#isClosed && !this.#parts.thread.hasEnded) {
        this.#parts.log(
          "error",
          "a namespace is searched by comparing all vectors: its graph has failed",
          { error },
        );
      }
      this.close();
    }
  }

  close(): void {
    this.#isClosed = true;
    this.#graph = undefined;
    this.#index.rows.labels = undefined;
    for (const graph of this.#graphs) this.#drop(graph);
  }

  async #load(): Promise<KeptGraph | undefined> {
    const { folder, profile } = this.#place;
    const { thread, log } = this.#parts;
    if (folder === undefined) return undefined;
    const graph = this.#newGraph();
    const saved = await thread
      .request("load", { graph: graph.number, profile, folder })
      .catch((error: unknown) => {
        if (thread.hasEnded) throw error;
        log("warn", "a saved graph cannot be used; it is built anew", {
          reason: reasonOf(error),
          error,
        });
        return undefined;
      });
    if (saved === undefined) {
      this.#drop(graph);
      return undefined;
    }
    const { labels, head, count } = saved;
    await this.#label(new VectorLabels(labels));
    Object.assign(graph, { end: labels.next, count, removed: count - labels.labels.length });
    await this.#write(graph);
    log("info", "a saved graph was read, and brought up to date", {
      vectors: graph.count,
      changed: graph.unsaved,
      savedSeq: head.seq,
      seq: this.#index.head.seq,
    });
    return graph;
  }

  async #build(): Promise<KeptGraph> {
    const labels = this.#index.rows.labels ?? (await this.#label(new VectorLabels()));
    // It will have none of these.
    labels.takeDropped();
    const graph = this.#newGraph();
    const capacity = Math.ceil(labels.count * spareRoom);
    await this.#parts.thread.request("create", {
      graph: graph.number,
      profile: this.#place.profile,
      capacity,
    });
    await this.#write(graph);
    this.#parts.log("info", "a graph was built", { vectors: graph.count });
    return graph;
  }

  /** Searches go to the old graph until the new one is there. */
  async #replace(old: KeptGraph): Promise<void> {
    this.#graph = await this.#build();
    this.#drop(old);
  }

  /** Labels the vectors of all rows, and from then on of all that change. */
  async #label(labels: VectorLabels): Promise<VectorLabels> {
    const index = this.#index;
    const pause = createPause(() => this.#throwIfClosed());
    this.#throwIfClosed();
    index.rows.labels = labels;
    let { renumberings } = index.rows;
    for (let row = 0; row < index.rowLimit; row++) {
      index.rows.label(row);
      await pause();
      if (renumberings === index.rows.renumberings) continue;
      // Rows that were not reached yet may now be among those that were.
      ({ renumberings } = index.rows);
      row = -1;
    }
    labels.dropUnused();
    return labels;
  }

  /** Adds and removes vectors until the graph has all that the index has. One that replaces another is not saved on the way: the other one has more. */
  async #write(graph: KeptGraph): Promise<void> {
    for (
      let change = this.#nextChange(graph);
      change !== undefined;
      change = this.#nextChange(graph)
    ) {
      const { end, request } = change;
      const { labels, removed, vectors } = request;
      await this.#parts.thread.request("change", request, [vectors.buffer]);
      graph.end = end;
      graph.count += labels.length;
      graph.removed += removed.length;
      graph.unsaved += labels.length + removed.length;
      const isReplacing = this.#graph !== undefined && this.#graph !== graph;
      const isMuch =
        graph.unsaved >= savedOnTheWay.vectors && graph.unsaved > savedOnTheWay.share * graph.count;
      if (isMuch && !isReplacing) await this.#save(graph);
    }
  }

  #nextChange(
    graph: KeptGraph,
  ): { readonly end: number; readonly request: ChangeRequest } | undefined {
    this.#throwIfClosed();
    const { labels } = this.#index.rows;
    const { dimension } = this.#place.profile;
    if (labels === undefined) return undefined;
    const removed = labels.takeDropped().filter((label) => label < graph.end);
    const added: number[] = [];
    let { end } = graph;
    for (; end < labels.next && added.length < batchVectors; end++) {
      if (labels.anyRow(end) !== none) added.push(end);
    }
    if (removed.length + added.length === 0) {
      graph.end = end;
      return undefined;
    }
    const vectors = new Float32Array(added.length * dimension);
    for (const [i, label] of added.entries())
      this.#index.rows.copyVector(labels.anyRow(label), vectors, i * dimension);
    const request = {
      graph: graph.number,
      removed: Uint32Array.from(removed),
      labels: Uint32Array.from(added),
      vectors,
    };
    return { end, request };
  }

  async #save(graph: KeptGraph): Promise<void> {
    const { folder } = this.#place;
    const { head } = this.#index;
    const { labels } = this.#index.rows;
    if (folder === undefined || labels === undefined) return;
    // Also if that fails: to try again at once would help little.
    graph.unsaved = 0;
    const request = {
      graph: graph.number,
      folder,
      labels: { next: graph.end, ...labels.below(graph.end) },
      head,
    };
    const { thread, log } = this.#parts;
    try {
      await thread.request("save", request);
      log("info", "a graph was saved", { vectors: graph.count, seq: head.seq });
    } catch (error) {
      if (this.#isClosed) return;
      log("warn", "a graph could not be saved; after a restart it may have to be built anew", {
        reason: reasonOf(error),
        error,
      });
    }
  }

  #newGraph(): KeptGraph {
    this.#throwIfClosed();
    const graph = {
      number: this.#parts.thread.nextGraph(),
      end: 0,
      count: 0,
      removed: 0,
      unsaved: 0,
    };
    this.#graphs.add(graph);
    return graph;
  }

  #drop(graph: KeptGraph): void {
    this.#graphs.delete(graph);
    // It fails only if the thread has ended, and the graph with it.
    this.#parts.thread.request("drop", { graph: graph.number }).catch(() => undefined);
  }

  #throwIfClosed(): void {
    if (this.#isClosed) throw new Error("the graph was given up");
  }
}

/** What was wrong with a file. Logs leave out the message of an error, which may quote what it failed on; a graph's holds labels and numbers alone. */
function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

type ChangeRequest = GraphRequests["change"] & { readonly vectors: Float32Array<ArrayBuffer> };

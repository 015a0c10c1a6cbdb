import { errorText } from "../../core/model/errors.js";
import type { Log } from "../../core/ports/log.js";
import type { Row } from "../../core/ports/search-index.js";
import { createPause } from "../../core/requests/pause.js";
import type { HotNamespaceIndex } from "../namespace-index.js";
import { type Label, VectorLabels } from "../rows/vector-labels.js";
import { absent } from "../thread/thread-order.js";
import type { GraphProfile } from "./graph-header.js";
import type { GraphRequests } from "./graph-messages.js";
import type { GraphWorker } from "./graph-worker.js";

/** Maximum number of vectors sent to the worker thread in one message. */
const batchVectors = 256;
/**
 * Above this share of removed vectors, the graph is rebuilt, because searches still walk through
 * the nodes of removed vectors.
 */
const removedShareMax = 0.2;
/**
 * The graph is saved when more than this share of its vectors was added or removed since the last
 * save.
 */
const unsavedShareMax = 0.05;
/**
 * Long builds save the graph on the way, so that an interrupted build resumes from there. The graph
 * is saved when it has at least `vectors` unsaved vectors, and more than `share` of all its vectors
 * are unsaved.
 */
const interimSave = { vectors: 10_000, share: 1 / 3 };
/** Capacity of a new graph, as a multiple of the current number of vectors. */
const spareRoom = 1.1;

/** Parts that all graphs share. */
export interface GraphParts {
  readonly worker: GraphWorker;
  readonly log: Log;
}

/** The profile of a graph, and where it is saved. */
export interface GraphPlace {
  readonly profile: GraphProfile;
  /** Folder for the saved graph. `undefined`: the graph is not saved. */
  readonly folder: string | undefined;
}

/** A graph in the worker thread. It has each vector under a label (`VectorLabels`). */
export interface WorkerGraph {
  readonly number: number;
  /** The graph has every vector whose label is below `end` and in use. */
  end: number;
  /** Vectors in the graph, removed ones included. */
  count: number;
  removed: number;
  /** Vectors added or removed since the last save. */
  unsaved: number;
}

/** Builds a graph of an index's vectors in the worker thread, and keeps it up to date. */
export class GraphKeeping {
  readonly #parts: GraphParts;
  readonly #index: HotNamespaceIndex;
  readonly #place: GraphPlace;
  /** All graphs of the index that take memory in the worker thread: two during a rebuild. */
  readonly #graphs = new Set<WorkerGraph>();
  #graph: WorkerGraph | undefined;
  #isClosed = false;

  constructor(parts: GraphParts, index: HotNamespaceIndex, place: GraphPlace) {
    this.#parts = parts;
    this.#index = index;
    this.#place = place;
  }

  /** The graph to search; `undefined` until a graph is built, and after a failure. */
  get graph(): WorkerGraph | undefined {
    return this.#graph;
  }

  /**
   * Brings the graph up to date with the index. Loads or builds the graph, sends the changes to it,
   * and rebuilds or saves it when due. Never fails: without a graph, searches compare all vectors.
   */
  async follow(): Promise<void> {
    if (this.#isClosed) return;
    try {
      this.#graph ??= (await this.#load()) ?? (await this.#build());
      await this.#write(this.#graph);
      if (this.#graph.removed > removedShareMax * this.#graph.count)
        await this.#replace(this.#graph);
      if (this.#graph.unsaved > unsavedShareMax * this.#graph.count) await this.#save(this.#graph);
    } catch (error) {
      // After `close`, or after the worker thread has ended, a failure is expected. `GraphWorker`
      // logs its own failure.
      if (!this.#isClosed && !this.#parts.worker.hasEnded) {
        this.#parts.log(
          "error",
          "the graph of a namespace failed; its searches compare all vectors",
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

  async #load(): Promise<WorkerGraph | undefined> {
    const { folder, profile } = this.#place;
    const { worker, log } = this.#parts;
    if (folder === undefined) return undefined;
    const graph = this.#newGraph();
    const saved = await worker
      .request("load", { graph: graph.number, profile, folder })
      .catch((error: unknown) => {
        if (worker.hasEnded) throw error;
        log("warn", "a saved graph is unusable and is rebuilt", {
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
    log("info", "a saved graph was loaded and brought up to date", {
      vectors: graph.count,
      changed: graph.unsaved,
      savedSeq: head.seq,
      seq: this.#index.head.seq,
    });
    return graph;
  }

  async #build(): Promise<WorkerGraph> {
    const labels = this.#index.rows.labels ?? (await this.#label(new VectorLabels()));
    // Empties the list of labels to remove, because the new graph never gets these labels.
    labels.takeDropped();
    const graph = this.#newGraph();
    const capacity = Math.ceil(labels.count * spareRoom);
    await this.#parts.worker.request("create", {
      graph: graph.number,
      profile: this.#place.profile,
      capacity,
    });
    await this.#write(graph);
    this.#parts.log("info", "a graph was built", { vectors: graph.count });
    return graph;
  }

  /** Builds a new graph. Searches use the old graph until the new graph is complete. */
  async #replace(old: WorkerGraph): Promise<void> {
    this.#graph = await this.#build();
    this.#drop(old);
  }

  /**
   * Gives each row the label of its vector. From then on, the index labels every changed vector.
   */
  async #label(labels: VectorLabels): Promise<VectorLabels> {
    const index = this.#index;
    const pause = createPause(() => this.#throwIfClosed());
    this.#throwIfClosed();
    index.rows.labels = labels;
    let { renumberings } = index.rows;
    for (let row = 0 as Row; row < index.rowLimit; row++) {
      index.rows.label(row);
      await pause();
      if (renumberings === index.rows.renumberings) continue;
      // After a renumbering, a row without a label may have a number that the loop has passed. So
      // the loop starts again.
      ({ renumberings } = index.rows);
      row = -1 as Row;
    }
    labels.dropUnused();
    return labels;
  }

  /**
   * Adds and removes vectors until the graph matches the index. During a rebuild, an unfinished
   * graph is not saved, because the saved file of the old graph has more vectors.
   */
  async #write(graph: WorkerGraph): Promise<void> {
    for (
      let change = this.#nextChange(graph);
      change !== undefined;
      change = this.#nextChange(graph)
    ) {
      const { end, request } = change;
      const { labels, removed, vectors } = request;
      await this.#parts.worker.request("change", request, [vectors.buffer]);
      graph.end = end;
      graph.count += labels.length;
      graph.removed += removed.length;
      graph.unsaved += labels.length + removed.length;
      const isReplacing = this.#graph !== undefined && this.#graph !== graph;
      const isMuch =
        graph.unsaved >= interimSave.vectors && graph.unsaved > interimSave.share * graph.count;
      if (isMuch && !isReplacing) await this.#save(graph);
    }
  }

  #nextChange(
    graph: WorkerGraph,
  ): { readonly end: number; readonly request: ChangeRequest } | undefined {
    this.#throwIfClosed();
    const { labels } = this.#index.rows;
    const { dimension } = this.#place.profile;
    if (labels === undefined) return undefined;
    const removed = labels.takeDropped().filter((label) => label < graph.end);
    const added: number[] = [];
    let { end } = graph;
    for (; end < labels.next && added.length < batchVectors; end++) {
      if (labels.anyRow(end as Label) !== absent) added.push(end);
    }
    if (removed.length + added.length === 0) {
      graph.end = end;
      return undefined;
    }
    const vectors = new Float32Array(added.length * dimension);
    for (const [i, label] of added.entries())
      this.#index.rows.copyVector(labels.anyRow(label as Label), vectors, i * dimension);
    const request = {
      graph: graph.number,
      removed: Uint32Array.from(removed),
      labels: Uint32Array.from(added),
      vectors,
    };
    return { end, request };
  }

  async #save(graph: WorkerGraph): Promise<void> {
    const { folder } = this.#place;
    const { epoch, seq } = this.#index.head;
    const { labels } = this.#index.rows;
    if (folder === undefined || labels === undefined) return;
    // Reset before the save, so that a failed save is not tried again at once: a second try would
    // rarely succeed.
    graph.unsaved = 0;
    const request = {
      graph: graph.number,
      folder,
      labels: { next: graph.end, ...labels.below(graph.end) },
      head: { epoch, seq },
    };
    const { worker, log } = this.#parts;
    try {
      await worker.request("save", request);
      log("info", "a graph was saved", { vectors: graph.count, seq });
    } catch (error) {
      if (this.#isClosed) return;
      log("warn", "a graph could not be saved; a restart may have to rebuild it", {
        reason: reasonOf(error),
        error,
      });
    }
  }

  #newGraph(): WorkerGraph {
    this.#throwIfClosed();
    const graph = {
      number: this.#parts.worker.nextGraph(),
      end: 0,
      count: 0,
      removed: 0,
      unsaved: 0,
    };
    this.#graphs.add(graph);
    return graph;
  }

  #drop(graph: WorkerGraph): void {
    this.#graphs.delete(graph);
    // The request fails only if the worker thread has ended, and the graph with it.
    this.#parts.worker.request("drop", { graph: graph.number }).catch(() => undefined);
  }

  #throwIfClosed(): void {
    if (this.#isClosed) throw new Error("the graph was released");
  }
}

/**
 * Returns the message of an error about a graph file, for the log. Logs leave out the messages of
 * most errors, because these may quote user data. Messages about a graph file quote none.
 */
function reasonOf(error: unknown): string {
  return errorText(error);
}

type ChangeRequest = GraphRequests["change"] & { readonly vectors: Float32Array<ArrayBuffer> };

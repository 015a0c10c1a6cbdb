import type { NearestQuery } from "../../core/ports/search-index.js";
import { acceptedShare, reachFor } from "../candidates/reach.js";
import type { HotNamespaceIndex } from "../namespace-index.js";
import type { Label } from "../rows/vector-labels.js";
import { GraphKeeping, type GraphParts, type GraphPlace } from "./graph-keeping.js";
import { graphParameters } from "./hnsw-graph.js";

/** If the graph lacks more than this share of the vectors, searches compare all vectors. */
const unknownShareMax = 1 / 8;

/**
 * Bytes that each vector in a graph takes beside its numbers and links: in hnswlib's tables, and
 * for the labels. Measured by bench/graph, rounded up.
 */
const bytesBesideLinks = 220;

/** Returns the approximate resident bytes of a graph with `count` vectors, labels included. */
export function graphBytes(count: number, dimension: number): number {
  return (
    count *
    (Float32Array.BYTES_PER_ELEMENT * (dimension + 2 * graphParameters.links) + bytesBesideLinks)
  );
}

/** Result of a graph search. */
export interface NearestLabels {
  /** The graph that was searched. The labels are valid only for this graph. */
  readonly from: NamespaceGraph;
  readonly wanted: NearestQuery;
  readonly labels: Uint32Array;
  /** The graph lacks all labels from this label on. */
  readonly end: number;
  /** Whether `labels` holds every vector of the graph. */
  readonly isAll: boolean;
}

/**
 * The graph of a namespace's vectors. The graph lags behind the index, so each answer also has the
 * rows whose vectors the graph lacks.
 */
export class NamespaceGraph {
  readonly #parts: GraphParts;
  readonly #index: HotNamespaceIndex;
  readonly #keeping: GraphKeeping;
  #work: Promise<void> | undefined;
  #isStale = false;

  constructor(parts: GraphParts, index: HotNamespaceIndex, place: GraphPlace) {
    this.#parts = parts;
    this.#index = index;
    this.#keeping = new GraphKeeping(parts, index, place);
  }

  /**
   * Approximate resident bytes once the graph is built. During a rebuild, twice as many are in use.
   */
  get bytes(): number {
    return graphBytes(this.#index.size, this.#index.profile?.dimension ?? 0);
  }

  /** Brings the graph up to date with the index, in the background. */
  tend(): void {
    this.#isStale = true;
    this.#work ??= this.#follow();
  }

  /** Resolves once the graph has everything that the index had at the last `tend`. */
  async settled(): Promise<void> {
    await this.#work;
  }

  /** Releases the graph and its memory. The saved file stays. */
  close(): void {
    this.#keeping.close();
  }

  /**
   * Searches for the nearest vectors. Returns `undefined` if there is no graph yet, or if comparing
   * all vectors is better, for example because `accepts` rejects most memories.
   */
  async find(wanted: NearestQuery): Promise<NearestLabels | undefined> {
    const { vector, count, accepts } = wanted;
    const { graph } = this.#keeping;
    const { size, profile } = this.#index;
    const { labels } = this.#index.rows;
    if (graph === undefined || labels === undefined || this.#parts.worker.isBusy) return undefined;
    if (vector.length !== profile?.dimension || labels.next - graph.end > size * unknownShareMax)
      return undefined;
    const { end } = graph;
    const total = graph.count - graph.removed;
    const reach = reachFor(
      count,
      acceptedShare(this.#index.rows, (row) => accepts(this.#index, row)),
      total,
    );
    if (reach === undefined) return undefined;
    const copy = vector.slice();
    const request = { graph: graph.number, vector: copy, count: reach };
    // `GraphKeeping` handles failures of the worker; this search compares all vectors instead.
    const found = await this.#parts.worker
      .request("search", request, [copy.buffer])
      .catch(() => undefined);
    // The result is too short if the search ended in a part of the graph without further links.
    if (found === undefined || found.length < reach) return undefined;
    return { from: this, wanted, labels: found, end, isAll: reach === total };
  }

  /**
   * Returns the rows that the graph found and the rows that it lacks. Returns `undefined` if too
   * few of the found rows pass `accepts`. Then all vectors must be compared.
   */
  nearestRows({
    wanted: { count, accepts },
    labels: found,
    end,
    isAll,
  }: NearestLabels): Int32Array | undefined {
    const { labels } = this.#index.rows;
    if (labels === undefined) return undefined;
    const rows: number[] = [];
    let accepted = 0;
    for (const label of found) {
      for (const row of labels.rowsOf(label as Label)) {
        rows.push(row);
        if (!isAll && accepted < count && accepts(this.#index, row)) accepted += 1;
      }
    }
    if (!isAll && accepted < count) return undefined;
    for (let label = end; label < labels.next; label++) {
      for (const row of labels.rowsOf(label as Label)) rows.push(row);
    }
    return Int32Array.from(rows);
  }

  async #follow(): Promise<void> {
    while (this.#isStale) {
      this.#isStale = false;
      await this.#keeping.follow();
    }
    // There was no `await` since `#isStale` was read, so no call of `tend` is missed.
    this.#work = undefined;
  }
}

import type { NearestQuery } from "../../core/ports/search-index.js";
import type { HotNamespaceIndex } from "../namespace-index.js";
import { GraphKeeping, type GraphParts, type GraphPlace } from "./graph-keeping.js";
import { graphParameters } from "./hnsw-graph.js";
import { acceptedShare, reachFor } from "./reach.js";

/** From this share of all vectors on that a graph does not know yet, comparing all is better. */
const unknownShareMax = 1 / 8;

/** Bytes of a vector in a graph beside its numbers and links: hnswlib's tables, and the labels. Measured by bench/graph, rounded up. */
const bytesBesideLinks = 220;

/** About how much memory a graph of so many vectors takes, with the labels that lead back to the index. */
export function graphBytes(count: number, dimension: number): number {
  return (
    count *
    (Float32Array.BYTES_PER_ELEMENT * (dimension + 2 * graphParameters.links) + bytesBesideLinks)
  );
}

/** What a graph found. */
export interface NearestLabels {
  /** Good only for the graph that it came from. */
  readonly from: NamespaceGraph;
  readonly wanted: NearestQuery;
  readonly labels: Uint32Array;
  /** The graph did not have the labels from here on. */
  readonly end: number;
  /** Whether the graph had no others. */
  readonly isAll: boolean;
}

/** The graph of a namespace's vectors. It lags behind the index; what it does not know yet is added to each answer. */
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

  /** About how much memory it takes, or will take once it is built. While it is built anew it takes twice that. */
  get bytes(): number {
    return graphBytes(this.#index.size, this.#index.profile?.dimension ?? 0);
  }

  /** Follows what has changed in the index, in the background. */
  tend(): void {
    this.#isStale = true;
    this.#work ??= this.#follow();
  }

  /** Resolves once the graph has all that the index had at the last `tend`. */
  async settled(): Promise<void> {
    await this.#work;
  }

  /** Gives up the graph and its memory. What was saved stays. */
  close(): void {
    this.#keeping.close();
  }

  /** Looks for what is nearest. `undefined`: there is no graph yet, or comparing all vectors is better. */
  async find(wanted: NearestQuery): Promise<NearestLabels | undefined> {
    const { vector, count, accepts } = wanted;
    const { graph } = this.#keeping;
    const { size, profile } = this.#index;
    const { labels } = this.#index.rows;
    if (graph === undefined || labels === undefined || this.#parts.thread.isBusy) return undefined;
    if (vector.length !== profile?.dimension || labels.next - graph.end > size * unknownShareMax)
      return undefined;
    const { end } = graph;
    const there = graph.count - graph.removed;
    const reach = reachFor(
      count,
      acceptedShare(this.#index.rows, (row) => accepts(this.#index, row)),
      there,
    );
    if (reach === undefined) return undefined;
    const copy = vector.slice();
    const request = { graph: graph.number, vector: copy, count: reach };
    // What it fails with concerns whoever keeps the graph; all vectors can be compared.
    const found = await this.#parts.thread
      .request("search", request, [copy.buffer])
      .catch(() => undefined);
    // It found fewer than there are: it was led into a corner with no way out.
    if (found === undefined || found.length < reach) return undefined;
    return { from: this, wanted, labels: found, end, isAll: reach === there };
  }

  /** The rows that were found, and those that the graph did not have. `undefined`: too few of the ones that were found are accepted, so all vectors have to be compared. */
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
      for (const row of labels.rowsOf(label)) {
        rows.push(row);
        if (!isAll && accepted < count && accepts(this.#index, row)) accepted += 1;
      }
    }
    if (!isAll && accepted < count) return undefined;
    for (let label = end; label < labels.next; label++) {
      for (const row of labels.rowsOf(label)) rows.push(row);
    }
    return Int32Array.from(rows);
  }

  async #follow(): Promise<void> {
    while (this.#isStale) {
      this.#isStale = false;
      await this.#keeping.follow();
    }
    // Nothing is waited for since `isStale` was looked at, so no call of `tend` is missed.
    this.#work = undefined;
  }
}

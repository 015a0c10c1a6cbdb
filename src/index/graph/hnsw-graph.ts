/**
 * Parameters of every graph. docs/internals/decisions/0017-graphs-have-32-links.md explains the
 * numbers.
 */
export const graphParameters = {
  /**
   * Maximum number of links of a node in each layer (HNSW's M). The lowest layer allows twice as
   * many.
   */
  links: 32,
  /** Number of nodes from which the links of a new node are chosen. */
  efConstruction: 200,
  /**
   * Number of candidates that a search keeps. A search for more vectors keeps as many as it
   * returns.
   */
  ef: 128,
} as const;

const labelMax = 2 ** 32 - 1;
/** Factor by which a full graph grows. */
const growth = 1.5;

/**
 * The part of hnswlib-node in use. It is declared here because the optional package may be missing
 * at compile time.
 */
export interface HnswAddon {
  readonly HierarchicalNSW: new (space: "ip", dimension: number) => HierarchicalNsw;
}

interface HierarchicalNsw {
  initIndex(options: { maxElements: number; m?: number; efConstruction?: number }): void;
  readIndexSync(path: string): void;
  writeIndexSync(path: string): void;
  resizeIndex(maxElements: number): void;
  addPoint(vector: readonly number[], label: number): void;
  markDelete(label: number): void;
  searchKnn(vector: readonly number[], count: number): { readonly neighbors: number[] };
  setEf(ef: number): void;
  getMaxElements(): number;
  getCurrentCount(): number;
}

/**
 * A proximity graph of unit vectors (HNSW: Malkov and Yashunin, 2018), implemented by hnswlib-node.
 *
 * The addon checks little: a wrong argument ends the process or corrupts later searches. This class
 * therefore checks everything that it passes to the addon.
 *
 * Requires: only one thread uses the addon.
 */
export class HnswGraph {
  readonly #graph: HierarchicalNsw;
  readonly #dimension: number;
  #nextLabel: number;

  private constructor(graph: HierarchicalNsw, dimension: number, nextLabel: number) {
    this.#graph = graph;
    this.#dimension = dimension;
    this.#nextLabel = nextLabel;
    // The addon gives every new or loaded graph an `ef` of 10.
    graph.setEf(graphParameters.ef);
  }

  /** Creates an empty graph for `capacity` vectors. The graph grows when it is full. */
  static create(addon: HnswAddon, dimension: number, capacity: number): HnswGraph {
    const graph = new addon.HierarchicalNSW("ip", dimension);
    const { links, efConstruction } = graphParameters;
    graph.initIndex({ maxElements: Math.max(1, capacity), m: links, efConstruction });
    return new HnswGraph(graph, dimension, 0);
  }

  /**
   * Loads the graph that `write` wrote. Labels from `nextLabel` on are free.
   *
   * Requires: the file has exactly the bytes that were written, and its graph has this dimension.
   * The addon overruns its memory on a damaged file, and accepts another dimension.
   */
  static read(addon: HnswAddon, dimension: number, path: string, nextLabel: number): HnswGraph {
    // A new object for each file: after a failed read, the addon keeps a pointer to freed memory.
    const graph = new addon.HierarchicalNSW("ip", dimension);
    graph.readIndexSync(path);
    return new HnswGraph(graph, dimension, nextLabel);
  }

  /** Number of vectors, removed ones included. */
  get count(): number {
    return this.#graph.getCurrentCount();
  }

  /**
   * Adds a vector.
   *
   * @throws RangeError when the label is not greater than all earlier labels. For a known label,
   *   the addon would move the node, which takes long and can cut off other nodes
   * @throws RangeError when the vector has another dimension, or a number that is not finite
   */
  add(label: number, vector: Float32Array): void {
    if (!Number.isInteger(label) || label < this.#nextLabel || label > labelMax) {
      throw new RangeError(
        `label ${label}; allowed: whole numbers from ${this.#nextLabel} to ${labelMax}`,
      );
    }
    const numbers = this.#checked(vector);
    const capacity = this.#graph.getMaxElements();
    if (this.count >= capacity) this.#graph.resizeIndex(Math.ceil((capacity + 1) * growth));
    this.#graph.addPoint(numbers, label);
    this.#nextLabel = label + 1;
  }

  /**
   * Removes a vector from all results. Its node stays, and searches pass through it.
   *
   * @throws Error when the label is missing or already removed
   */
  remove(label: number): void {
    // The addon would take larger numbers modulo 2^32.
    if (!Number.isInteger(label) || label < 0 || label > labelMax)
      throw new RangeError(`label ${label} cannot be in a graph`);
    this.#graph.markDelete(label);
  }

  /**
   * Returns the labels of approximately the nearest vectors, nearest first. The result is shorter
   * than `count` if the graph has fewer vectors, or if its links lead to fewer.
   *
   * @throws RangeError when the query has another dimension, or a number that is not finite
   */
  search(query: Float32Array, count: number): Uint32Array<ArrayBuffer> {
    const numbers = this.#checked(query);
    const most = Math.min(count, this.count);
    return most > 0
      ? Uint32Array.from(this.#graph.searchKnn(numbers, most).neighbors)
      : new Uint32Array(0);
  }

  /** Writes the graph to a file. The addon does not report failures: see `checkGraphFile`. */
  write(path: string): void {
    this.#graph.writeIndexSync(path);
  }

  /**
   * Releases the native memory immediately, because the garbage collector does not know of it. The
   * graph is unusable afterwards.
   */
  free(): void {
    this.#graph.initIndex({ maxElements: 1 });
  }

  /** Returns a vector as an array of numbers, the only form that the addon accepts. */
  #checked(vector: Float32Array): number[] {
    if (vector.length !== this.#dimension)
      throw new RangeError(`a vector of ${vector.length} numbers; allowed: ${this.#dimension}`);
    const numbers = Array.from(vector);
    if (!numbers.every(Number.isFinite))
      throw new RangeError("a vector with a number that is not finite");
    return numbers;
  }
}

/** What a graph is built with. docs/decisions/0017-graphs-have-32-links.md says how the numbers were found. */
export const graphParameters = {
  /** Links of a node to others in each layer, twice as many in the lowest (HNSW's M). */
  links: 32,
  /** Candidates for the links of a new node. */
  efConstruction: 200,
  /** Candidates that a search keeps, at least; it keeps as many as it is asked for. */
  ef: 128,
} as const;

const labelMax = 2 ** 32 - 1;
/** How much a graph grows when it is full. */
const growth = 1.5;

/** The part of hnswlib-node that is used, declared here because the package is optional: it may be missing where this is compiled. */
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
 * A proximity graph of vectors of unit length (HNSW: Malkov and Yashunin, 2018), by hnswlib-node. The addon does little checking of its own: a wrong number ends the process, or finds the wrong thing later. So nothing gets to it unchecked.
 * The process that has a graph must not share it between threads.
 */
export class HnswGraph {
  readonly #graph: HierarchicalNsw;
  readonly #dimension: number;
  #nextLabel: number;

  private constructor(graph: HierarchicalNsw, dimension: number, nextLabel: number) {
    this.#graph = graph;
    this.#dimension = dimension;
    this.#nextLabel = nextLabel;
    // Every new index, also one that was read, begins with 10.
    graph.setEf(graphParameters.ef);
  }

  /** An empty graph with room for so many vectors; it grows when it is full. */
  static create(addon: HnswAddon, dimension: number, capacity: number): HnswGraph {
    const graph = new addon.HierarchicalNSW("ip", dimension);
    const { links, efConstruction } = graphParameters;
    graph.initIndex({ maxElements: Math.max(1, capacity), m: links, efConstruction });
    return new HnswGraph(graph, dimension, 0);
  }

  /**
   * The graph that `write` wrote. Labels from `nextLabel` on are free.
   * REQUIRES: the file is what was written, byte for byte, of a graph of `dimension`: the addon overruns its memory on a damaged file, and takes one of another dimension.
   */
  static read(addon: HnswAddon, dimension: number, path: string, nextLabel: number): HnswGraph {
    // A new object for each file: one that fails to read keeps a pointer to what it has freed.
    const graph = new addon.HierarchicalNSW("ip", dimension);
    graph.readIndexSync(path);
    return new HnswGraph(graph, dimension, nextLabel);
  }

  /** Number of vectors, the removed ones too. */
  get count(): number {
    return this.#graph.getCurrentCount();
  }

  /** Adds a vector. @throws RangeError for a label that is not greater than all before, because the addon would move the node of that label, which takes long and can cut off others; or for a vector of another dimension or with a number that is not finite */
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

  /** Removes a vector from all results. Its node stays, and searches pass through it. @throws Error for a label that is not there or was removed before */
  remove(label: number): void {
    // The addon would take a greater number modulo 2^32.
    if (!Number.isInteger(label) || label < 0 || label > labelMax)
      throw new RangeError(`label ${label} cannot be in a graph`);
    this.#graph.markDelete(label);
  }

  /** Labels of about the nearest vectors to a query, nearest first; fewer than `count` if there are not as many, or none leads to them. @throws RangeError as `add` */
  search(query: Float32Array, count: number): Uint32Array<ArrayBuffer> {
    const numbers = this.#checked(query);
    const most = Math.min(count, this.count);
    return most > 0
      ? Uint32Array.from(this.#graph.searchKnn(numbers, most).neighbors)
      : new Uint32Array(0);
  }

  /** Writes the graph to a file. The addon does not tell whether that went well: see `checkGraphFile`. */
  write(path: string): void {
    this.#graph.writeIndexSync(path);
  }

  /** Gives its memory back at once, which the garbage collector knows nothing of. The graph must not be used any more. */
  free(): void {
    this.#graph.initIndex({ maxElements: 1 });
  }

  /** The numbers of a vector in the only form that the addon takes. */
  #checked(vector: Float32Array): number[] {
    if (vector.length !== this.#dimension)
      throw new RangeError(`a vector of ${vector.length} numbers; allowed: ${this.#dimension}`);
    const numbers = Array.from(vector);
    if (!numbers.every(Number.isFinite))
      throw new RangeError("a vector with a number that is not finite");
    return numbers;
  }
}

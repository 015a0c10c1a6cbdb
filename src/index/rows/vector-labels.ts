import { none } from "../thread/thread-order.js";

/** The vectors that a graph has, by label. Every entry of both arrays holds. */
export interface LabelledVectors {
  readonly labels: Uint32Array;
  /** See `VectorRows.fingerprint`. */
  readonly fingerprints: Float64Array;
}

/** Labels that a graph was saved with. */
export interface SavedLabels extends LabelledVectors {
  /** Greater than every label that was ever given. */
  readonly next: number;
}

const noLabels: SavedLabels = {
  next: 0,
  labels: new Uint32Array(0),
  fingerprints: new Float64Array(0),
};

/**
 * Numbers the distinct vectors of rows in the order in which they come. A label stands for one vector for good: a row whose vector changes gets another label, and one that no row has any more never comes back.
 * Rows with equal vectors share a label, because hundreds of equal vectors in a graph link to each other only, and a search finds nothing beyond them, or not them.
 */
export class VectorLabels {
  /** By row. */
  #labels = new Int32Array(64).fill(none);
  /** By label: one of its rows. */
  #rows: Int32Array;
  /** By label: its other rows. */
  readonly #otherRows = new Map<number, Set<number>>();
  /** By label. */
  #fingerprints: Float64Array;
  readonly #byFingerprint = new Map<number, number>();
  #next: number;
  #dropped: number[] = [];

  /** With the labels of a saved graph: no row has them yet. `dropUnused` must follow once all rows were set. */
  constructor(saved: SavedLabels = noLabels) {
    this.#next = saved.next;
    this.#rows = new Int32Array(Math.max(64, saved.next)).fill(none);
    this.#fingerprints = new Float64Array(this.#rows.length);
    for (const [i, label] of saved.labels.entries()) {
      const fingerprint = saved.fingerprints[i] as number;
      this.#fingerprints[label] = fingerprint;
      this.#byFingerprint.set(fingerprint, label);
    }
  }

  /** Greater than every label given so far. */
  get next(): number {
    return this.#next;
  }

  /** Number of labels that a vector has now. */
  get count(): number {
    return this.#byFingerprint.size;
  }

  /** Takes note of a row's vector as it is now; `undefined`: none. */
  set(row: number, fingerprint: number | undefined): void {
    this.#reserveRow(row);
    const before = this.#labels[row] as number;
    const label =
      fingerprint === undefined
        ? none
        : (this.#byFingerprint.get(fingerprint) ?? this.#give(fingerprint));
    if (label === before) return;
    if (before !== none) this.#leave(before, row);
    this.#labels[row] = label;
    if (label !== none) this.#join(label, row);
  }

  /** Row i becomes what row `kept[i]` was. REQUIRES: `kept` ascends and names all rows that have a label. */
  compact(kept: Int32Array): void {
    this.#rows.fill(none);
    this.#otherRows.clear();
    for (const [to, from] of kept.entries()) {
      const label = this.#labels[from] ?? none;
      this.#reserveRow(to);
      this.#labels[to] = label;
      if (label !== none) this.#join(label, to);
    }
    this.#labels.fill(none, kept.length);
  }

  /** Some row that has the label; -1 if none has. */
  anyRow(label: number): number {
    return this.#rows[label] ?? none;
  }

  /** All rows that have the label. */
  *rowsOf(label: number): Iterable<number> {
    const row = this.anyRow(label);
    if (row === none) return;
    yield row;
    yield* this.#otherRows.get(label) ?? [];
  }

  /** Drops the labels that no row has. */
  dropUnused(): void {
    for (const label of this.#byFingerprint.values()) {
      if (this.#rows[label] === none) this.#drop(label);
    }
  }

  /** The labels that were dropped since the last call. */
  takeDropped(): readonly number[] {
    return this.#dropped.splice(0);
  }

  /** The labels below `end` that a vector has, with what tells their vectors apart. */
  below(end: number): LabelledVectors {
    const labels = Uint32Array.from(
      [...this.#byFingerprint.values()].filter((label) => label < end),
    );
    return {
      labels,
      fingerprints: Float64Array.from(labels, (label) => this.#fingerprints[label] as number),
    };
  }

  #give(fingerprint: number): number {
    const label = this.#next;
    this.#next += 1;
    if (label >= this.#rows.length) {
      const length = this.#rows.length * 2;
      const rows = new Int32Array(length).fill(none);
      rows.set(this.#rows);
      this.#rows = rows;
      const fingerprints = new Float64Array(length);
      fingerprints.set(this.#fingerprints);
      this.#fingerprints = fingerprints;
    }
    this.#fingerprints[label] = fingerprint;
    this.#byFingerprint.set(fingerprint, label);
    return label;
  }

  #join(label: number, row: number): void {
    if (this.#rows[label] === none) {
      this.#rows[label] = row;
      return;
    }
    const others = this.#otherRows.get(label);
    if (others === undefined) this.#otherRows.set(label, new Set([row]));
    else others.add(row);
  }

  #leave(label: number, row: number): void {
    const others = this.#otherRows.get(label);
    if (this.#rows[label] !== row) {
      others?.delete(row);
      return;
    }
    const [another = none] = others ?? [];
    others?.delete(another);
    this.#rows[label] = another;
    if (another === none) this.#drop(label);
  }

  #drop(label: number): void {
    this.#byFingerprint.delete(this.#fingerprints[label] as number);
    this.#otherRows.delete(label);
    this.#dropped.push(label);
  }

  #reserveRow(row: number): void {
    if (row < this.#labels.length) return;
    const labels = new Int32Array(Math.max(row + 1, this.#labels.length * 2)).fill(none);
    labels.set(this.#labels);
    this.#labels = labels;
  }
}

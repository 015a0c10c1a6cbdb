import type { Row } from "../../core/ports/search-index.js";
import { absent } from "../thread/thread-order.js";

declare const labelBrand: unique symbol;

/** Number that stands for a distinct vector in a graph, at least 0. */
export type Label = number & { readonly [labelBrand]: never };

/** The labels of a graph, with the fingerprint of the vector of each label. */
export interface LabelledVectors {
  readonly labels: Uint32Array;
  /** See `VectorRows.fingerprint`. */
  readonly fingerprints: Float64Array;
}

/** The labels that are saved with a graph. */
export interface SavedLabels extends LabelledVectors {
  /** Greater than every label ever assigned. */
  readonly next: number;
}

const noLabels: SavedLabels = {
  next: 0,
  labels: new Uint32Array(0),
  fingerprints: new Float64Array(0),
};

/**
 * Gives each distinct vector of the rows a number, in order of appearance. This number is the label
 * of the vector. A label stands for one vector forever. When the vector of a row changes, the row
 * gets another label. A label that has lost its rows is never used again.
 *
 * Rows with equal vectors share a label. Otherwise a graph could have hundreds of equal nodes that
 * link only to each other. A search would find either only these nodes or none of them.
 */
export class VectorLabels {
  /** The label of each row. */
  #labels = new Int32Array(64).fill(absent);
  /** One row of each label, by label. */
  #rows: Int32Array;
  /** The other rows of labels that several rows share, by label. */
  readonly #otherRows = new Map<Label, Set<Row>>();
  /** Fingerprints of the vectors, by label. */
  #fingerprints: Float64Array;
  readonly #byFingerprint = new Map<number, number>();
  #next: number;
  #dropped: number[] = [];

  /**
   * `saved`: the labels of a saved graph, which no row has yet. Requires: the caller calls
   * `dropUnused` after it has called `set` for all rows.
   */
  constructor(saved: SavedLabels = noLabels) {
    this.#next = saved.next;
    this.#rows = new Int32Array(Math.max(64, saved.next)).fill(absent);
    this.#fingerprints = new Float64Array(this.#rows.length);
    for (const [i, label] of saved.labels.entries()) {
      const fingerprint = saved.fingerprints[i] as number;
      this.#fingerprints[label] = fingerprint;
      this.#byFingerprint.set(fingerprint, label);
    }
  }

  /** Greater than every label assigned so far. */
  get next(): number {
    return this.#next;
  }

  /** Number of labels in use. */
  get count(): number {
    return this.#byFingerprint.size;
  }

  /**
   * Gives a row the label of its current vector, which has this fingerprint. `undefined`: the row
   * has no vector.
   */
  set(row: Row, fingerprint: number | undefined): void {
    this.#reserveRow(row);
    const before = this.#labels[row] as number;
    const label =
      fingerprint === undefined
        ? absent
        : (this.#byFingerprint.get(fingerprint) ?? this.#give(fingerprint));
    if (label === before) return;
    if (before !== absent) this.#leave(before as Label, row);
    this.#labels[row] = label;
    if (label !== absent) this.#join(label as Label, row);
  }

  /**
   * Gives row i the label of row `kept[i]`. Requires: `kept` ascends and names every row with a
   * label.
   */
  compact(kept: Int32Array): void {
    this.#rows.fill(absent);
    this.#otherRows.clear();
    for (const [to, from] of kept.entries()) {
      const label = this.#labels[from] ?? absent;
      this.#reserveRow(to as Row);
      this.#labels[to] = label;
      if (label !== absent) this.#join(label as Label, to as Row);
    }
    this.#labels.fill(absent, kept.length);
  }

  /** Returns any row with the label, or -1 if none has it. */
  anyRow(label: Label): Row {
    return (this.#rows[label] ?? absent) as Row;
  }

  /** Returns all rows with the label. */
  *rowsOf(label: Label): Iterable<Row> {
    const row = this.anyRow(label);
    if (row === absent) return;
    yield row;
    yield* this.#otherRows.get(label) ?? [];
  }

  /** Drops the labels that no row has. */
  dropUnused(): void {
    for (const label of this.#byFingerprint.values()) {
      if (this.#rows[label] === absent) this.#drop(label as Label);
    }
  }

  /** Returns the labels dropped since the last call. */
  takeDropped(): readonly number[] {
    return this.#dropped.splice(0);
  }

  /** Returns the labels in use below `end`, with the fingerprints of their vectors. */
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
      const rows = new Int32Array(length).fill(absent);
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

  #join(label: Label, row: Row): void {
    if (this.#rows[label] === absent) {
      this.#rows[label] = row;
      return;
    }
    const others = this.#otherRows.get(label);
    if (others === undefined) this.#otherRows.set(label, new Set([row]));
    else others.add(row);
  }

  #leave(label: Label, row: Row): void {
    const others = this.#otherRows.get(label);
    if (this.#rows[label] !== row) {
      others?.delete(row);
      return;
    }
    const [another = absent as Row] = others ?? [];
    others?.delete(another);
    this.#rows[label] = another;
    if (another === absent) this.#drop(label);
  }

  #drop(label: Label): void {
    this.#byFingerprint.delete(this.#fingerprints[label] as number);
    this.#otherRows.delete(label);
    this.#dropped.push(label);
  }

  #reserveRow(row: Row): void {
    if (row < this.#labels.length) return;
    const labels = new Int32Array(Math.max(row + 1, this.#labels.length * 2)).fill(absent);
    labels.set(this.#labels);
    this.#labels = labels;
  }
}

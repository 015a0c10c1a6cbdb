/** A set of rows in order of insertion. */
export class RowSet {
  /** The first `count` entries are valid. */
  readonly rows: Int32Array;
  count = 0;
  readonly #isIn: Uint8Array;

  /** `capacity`: greater than every row. */
  constructor(capacity: number) {
    this.rows = new Int32Array(capacity);
    this.#isIn = new Uint8Array(capacity);
  }

  /** Adds a row; does nothing if the row is -1 or is in the set. */
  add(row: number): void {
    if (row < 0 || this.#isIn[row] === 1) return;
    this.#isIn[row] = 1;
    this.rows[this.count++] = row;
  }

  has(row: number): boolean {
    return this.#isIn[row] === 1;
  }

  clear(): void {
    for (let i = 0; i < this.count; i++) this.#isIn[this.rows[i] as number] = 0;
    this.count = 0;
  }
}

import { empty, withRoom } from "../columns/column.js";
import type { ImageReader } from "../image/image-reader.js";
import type { ImageWriter } from "../image/image-writer.js";

/**
 * Maximum number of different word pieces of a row. Further pieces are left out. A turn has 10 on
 * average.
 */
export const piecesMax = 512;

/**
 * The different word pieces of rows, end to end in one array. Rows that are no turns have none. The
 * space of a cleared row is free again after the next `compact`.
 */
export class PieceRows {
  /** The pieces of all rows. */
  pieces = empty.uint16;
  /**
   * By row: the position of its first piece in `pieces`. May have no entries for rows after the
   * last row with pieces.
   */
  starts = empty.uint32;
  /** By row: the number of its pieces. As long as `starts`. */
  counts = empty.uint16;
  #used = 0;

  get bytes(): number {
    return this.pieces.byteLength + this.starts.byteLength + this.counts.byteLength;
  }

  /** Sets the pieces of a row. Keeps at most `piecesMax`. Requires: the row has no pieces yet. */
  set(row: number, pieces: ReadonlySet<number>): void {
    const count = Math.min(piecesMax, pieces.size);
    if (count === 0) return;
    this.#reserve(row + 1, this.#used + count);
    this.starts[row] = this.#used;
    this.counts[row] = count;
    const end = this.#used + count;
    for (const piece of pieces) {
      if (this.#used === end) break;
      this.pieces[this.#used++] = piece;
    }
  }

  /** Saves the pieces without the space of cleared rows. */
  async save(image: ImageWriter): Promise<void> {
    const copy = new PieceRows();
    const rows = this.counts.length;
    copy.starts = new Uint32Array(rows);
    copy.counts = this.counts.slice();
    copy.pieces = new Uint16Array(this.counts.reduce((sum, count) => sum + count, 0));
    for (let row = 0; row < rows; row++) {
      const start = this.starts[row] as number;
      const end = start + (this.counts[row] as number);
      copy.starts[row] = copy.#used;
      copy.pieces.set(this.pieces.subarray(start, end), copy.#used);
      copy.#used += end - start;
      await image.pause();
    }
    await image.put("piece-starts", copy.starts);
    await image.put("piece-counts", copy.counts);
    await image.put("pieces", copy.pieces);
  }

  async load(image: ImageReader): Promise<void> {
    this.starts = await image.column("piece-starts", Uint32Array);
    this.counts = await image.column("piece-counts", Uint16Array);
    this.pieces = await image.column("pieces", Uint16Array);
    this.#used = this.pieces.length;
  }

  clear(row: number): void {
    if (row < this.counts.length) this.counts[row] = 0;
  }

  /** Gives row i the pieces of row `kept[i]`. Requires: `kept` ascends. */
  compact(kept: Int32Array): void {
    const before = { pieces: this.pieces, starts: this.starts, counts: this.counts };
    const counts = Uint16Array.from(kept, (row) => before.counts[row] ?? 0);
    const total = counts.reduce((sum, count) => sum + count, 0);
    this.pieces = new Uint16Array(Math.ceil(total * 1.25));
    this.starts = new Uint32Array(kept.length);
    this.counts = counts;
    this.#used = 0;
    for (const [to, from] of kept.entries()) {
      const count = counts[to] as number;
      const start = before.starts[from] ?? 0;
      this.starts[to] = this.#used;
      this.pieces.set(before.pieces.subarray(start, start + count), this.#used);
      this.#used += count;
    }
  }

  #reserve(rows: number, pieces: number): void {
    this.starts = withRoom(this.starts, rows);
    this.counts = withRoom(this.counts, rows);
    this.pieces = withRoom(this.pieces, pieces);
  }
}

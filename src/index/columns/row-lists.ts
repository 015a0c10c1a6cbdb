import type { ImageReader } from "../image/image-reader.js";
import type { ImageWriter } from "../image/image-writer.js";
import { empty, withRoom } from "./column.js";

/** Greatest number that `frequencies` counts. */
const frequencyMax = 255;

/**
 * Lists of rows, numbered from 0 on. All lists lie end to end in one column. A list that outgrows
 * its range moves to a range of twice the length. The next list that needs the old length reuses
 * the old range.
 */
export class RowLists {
  /** The rows of all lists. */
  rows = empty.int32;
  /** By position in `rows`: how often the list has the row, at most 255. */
  frequencies = empty.uint8;
  #used = 0;
  /** By list: its first position, its length, and the length of its range. */
  #starts = empty.int32;
  #counts = empty.int32;
  #rooms = empty.int32;
  /** Starts of unused ranges, by the binary logarithm of their length. */
  #unused: number[][] = [];

  get bytes(): number {
    return this.rows.byteLength + this.frequencies.byteLength + 3 * this.#starts.byteLength;
  }

  /** Returns the first position of a list. */
  start(list: number): number {
    return this.#starts[list] as number;
  }

  /** Returns the length of a list; 0 for a list that has no rows yet. */
  count(list: number): number {
    return this.#counts[list] ?? 0;
  }

  /** Inserts a row into a list. `at`: the index in the list. */
  insert(list: number, at: number, row: number): void {
    if (list >= this.#starts.length) {
      this.#starts = withRoom(this.#starts, list + 1);
      this.#counts = withRoom(this.#counts, list + 1);
      this.#rooms = withRoom(this.#rooms, list + 1);
    }
    const count = this.#counts[list] as number;
    if (count === this.#rooms[list]) this.#grow(list, count);
    const start = this.start(list);
    const position = start + at;
    if (at < count) {
      this.rows.copyWithin(position + 1, position, start + count);
      this.frequencies.copyWithin(position + 1, position, start + count);
    }
    this.rows[position] = row;
    this.frequencies[position] = 1;
    this.#counts[list] = count + 1;
  }

  /** Counts one more occurrence of the row at a position. */
  repeat(position: number): void {
    const frequency = this.frequencies[position] as number;
    if (frequency < frequencyMax) this.frequencies[position] = frequency + 1;
  }

  /** Removes the row at an index from a list. */
  remove(list: number, at: number): void {
    const start = this.start(list);
    const end = start + this.count(list);
    this.rows.copyWithin(start + at, start + at + 1, end);
    this.frequencies.copyWithin(start + at, start + at + 1, end);
    this.#counts[list] = end - start - 1;
    if (end - start > 1) return;
    this.#release(list);
    this.#rooms[list] = 0;
  }

  /** Makes room for lists with this many rows in all. */
  reserve(lists: number, rows: number): void {
    this.#starts = new Int32Array(lists);
    this.#counts = new Int32Array(lists);
    this.#rooms = new Int32Array(lists);
    this.rows = new Int32Array(rows);
    this.frequencies = new Uint8Array(rows);
  }

  /** Adds a list that equals a list of `source`. Requires: there is room, and no later list. */
  append(list: number, source: RowLists, from: number): void {
    const count = source.count(from);
    const start = source.start(from);
    this.rows.set(source.rows.subarray(start, start + count), this.#used);
    this.frequencies.set(source.frequencies.subarray(start, start + count), this.#used);
    this.#starts[list] = this.#used;
    this.#counts[list] = count;
    this.#rooms[list] = count;
    this.#used += count;
  }

  /** Requires: the lists were made by `append`, so that they have no gaps. */
  async save(name: string, image: ImageWriter): Promise<void> {
    await image.put(`${name}.starts`, this.#starts);
    await image.put(`${name}.counts`, this.#counts);
    await image.put(`${name}.rows`, this.rows);
    await image.put(`${name}.frequencies`, this.frequencies);
  }

  async load(name: string, image: ImageReader): Promise<void> {
    this.#starts = await image.column(`${name}.starts`, Int32Array);
    this.#counts = await image.column(`${name}.counts`, Int32Array);
    this.rows = await image.column(`${name}.rows`, Int32Array);
    this.frequencies = await image.column(`${name}.frequencies`, Uint8Array);
    this.#rooms = this.#counts.slice();
    this.#used = this.rows.length;
  }

  /** Row `r` becomes row `newRows[r]` in all lists. */
  renumber(newRows: Int32Array): void {
    for (let list = 0; list < this.#counts.length; list++) {
      const start = this.start(list);
      const end = start + this.count(list);
      for (let i = start; i < end; i++) this.rows[i] = newRows[this.rows[i] ?? 0] ?? 0;
    }
  }

  #grow(list: number, count: number): void {
    const power = 32 - Math.clz32(count);
    const from = this.start(list);
    const start = this.#take(power);
    if (count > 0) {
      this.rows.copyWithin(start, from, from + count);
      this.frequencies.copyWithin(start, from, from + count);
      this.#release(list);
    }
    this.#starts[list] = start;
    this.#rooms[list] = 2 ** power;
  }

  #take(power: number): number {
    const unused = this.#unused[power]?.pop();
    if (unused !== undefined) return unused;
    const start = this.#used;
    this.#used += 2 ** power;
    this.rows = withRoom(this.rows, this.#used);
    this.frequencies = withRoom(this.frequencies, this.#used);
    return start;
  }

  /** Keeps the range of a list for another list. */
  #release(list: number): void {
    // The range of a list can have any length if the list was loaded from a file.
    const power = 31 - Math.clz32(this.#rooms[list] as number);
    this.#unused[power] ??= [];
    this.#unused[power].push(this.start(list));
  }
}

import type { TextNumbers } from "../../core/ports/search-index.js";
import type { ImageReader } from "../image/image-reader.js";
import type { ImageWriter } from "../image/image-writer.js";
import { empty, gathered, withRoom } from "./column.js";
import { TextTable } from "./text-table.js";

/** Texts that no row has any more stay until there are this many more texts than rows. */
const unusedMax = 64;

/** Rows between two pauses. */
const rowsPerStep = 1024;

/** The texts of rows in one field, by number. Takes no RAM until a row has a text. */
export class TextColumn implements TextNumbers {
  numbers = empty.int32;
  /** Number `n` is text `n - 1`. */
  #texts = new TextTable();

  get bytes(): number {
    return this.numbers.byteLength + this.#texts.bytes;
  }

  get count(): number {
    return this.#texts.count;
  }

  numberOf(text: string): number | undefined {
    const number = this.#texts.find(text) + 1;
    return number === 0 ? undefined : number;
  }

  at(number: number): string {
    return this.#texts.at(number - 1);
  }

  /** Sets the text of a row. `undefined`: the row has none. */
  set(row: number, text: string | undefined): void {
    if (text === undefined) {
      if (row < this.numbers.length) this.numbers[row] = 0;
      return;
    }
    this.numbers = withRoom(this.numbers, row + 1);
    this.numbers[row] = this.numberOf(text) ?? this.#texts.add(text) + 1;
    if (this.count > this.numbers.length + unusedMax) Array.from(this.#forgetUnused());
  }

  /** Gives row i the text of row `kept[i]`. Requires: `kept` ascends. */
  compact(kept: Int32Array): void {
    if (this.numbers.length === 0) return;
    this.numbers = gathered(this.numbers, kept);
    Array.from(this.#forgetUnused());
  }

  /**
   * Saves the texts that rows have, and no text of a deleted memory.
   *
   * @param rows Greater than every row.
   */
  async save(name: string, image: ImageWriter, rows: number): Promise<void> {
    const copy = new TextColumn();
    copy.numbers = this.numbers.slice(0, rows);
    copy.#texts = this.#texts;
    for (const _ of copy.#forgetUnused()) await image.pause();
    await image.put(`${name}.numbers`, copy.numbers);
    await copy.#texts.save(`${name}.texts`, image);
  }

  async load(name: string, image: ImageReader): Promise<void> {
    this.numbers = await image.column(`${name}.numbers`, Int32Array);
    await this.#texts.load(`${name}.texts`, image);
  }

  /** Numbers the texts anew that rows have. Yields between pieces of the work. */
  *#forgetUnused(): Generator<void> {
    const before = this.#texts;
    this.#texts = new TextTable();
    const numbers = new Int32Array(before.count + 1);
    for (const [row, number] of this.numbers.entries()) {
      if (row % rowsPerStep === rowsPerStep - 1) yield;
      if (number === 0) continue;
      numbers[number] ||= this.#texts.add(before.at(number - 1)) + 1;
      this.numbers[row] = numbers[number];
    }
  }
}

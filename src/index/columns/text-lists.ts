import type { ImageReader } from "../image/image-reader.js";
import type { ImageWriter } from "../image/image-writer.js";
import { RowLists } from "./row-lists.js";
import { TextTable } from "./text-table.js";

/** Lists that are copied between two pauses. */
const listsPerStep = 256;

/** A list of rows for each text. The number of a text is the number of its list. */
export class TextLists {
  texts = new TextTable();
  lists = new RowLists();

  get bytes(): number {
    return this.texts.bytes + this.lists.bytes;
  }

  /** Returns the number of a text. Adds the text, with an empty list, if it is new. */
  numberOf(text: string): number {
    const known = this.texts.find(text);
    return known < 0 ? this.texts.add(text) : known;
  }

  /**
   * Copies the texts that have rows, numbered without gaps and in the same order, and their lists
   * without unused places. Yields between pieces of the work. Returns the copy, and the present
   * number of each text of the copy.
   *
   * @param kept The number of a text that is copied even without rows. Default: none.
   */
  *inUse(kept = -1): Generator<void, { readonly lists: TextLists; readonly numbers: Int32Array }> {
    const numbers: number[] = [];
    for (let number = 0; number < this.texts.count; number++)
      if (number === kept || this.lists.count(number) > 0) numbers.push(number);
    const copy = new TextLists();
    copy.lists.reserve(
      numbers.length,
      numbers.reduce((sum, number) => sum + this.lists.count(number), 0),
    );
    for (const [to, number] of numbers.entries()) {
      copy.texts.add(this.texts.at(number));
      copy.lists.append(to, this.lists, number);
      if (to % listsPerStep === listsPerStep - 1) yield;
    }
    return { lists: copy, numbers: Int32Array.from(numbers) };
  }

  /** Saves the texts that have rows, with their lists. Returns what `inUse` returns. */
  async saveInUse(name: string, image: ImageWriter, kept?: number): Promise<Int32Array> {
    const copying = this.inUse(kept);
    let step = copying.next();
    for (; step.done !== true; step = copying.next()) await image.pause();
    const { lists, numbers } = step.value;
    await lists.texts.save(`${name}.texts`, image);
    await lists.lists.save(`${name}.lists`, image);
    return numbers;
  }

  async load(name: string, image: ImageReader): Promise<void> {
    await this.texts.load(`${name}.texts`, image);
    await this.lists.load(`${name}.lists`, image);
  }
}

import type { ImageReader } from "../image/image-reader.js";
import type { ImageWriter } from "../image/image-writer.js";
import { empty, withRoom } from "./column.js";

/**
 * Numbers different texts from 0 on: a hash table in flat columns. So a text takes its UTF-16 units
 * and about ten bytes, and no object.
 */
export class TextTable {
  /** Number of texts. */
  count = 0;
  /** A hash table: the number of a text plus 1; 0: free. The length is 0 or a power of two. */
  #slots = empty.int32;
  /** The UTF-16 units of all texts, end to end. */
  #units = empty.uint16;
  /** By number: where the text ends in `#units`. */
  #ends = empty.uint32;

  get bytes(): number {
    return this.#slots.byteLength + this.#units.byteLength + this.#ends.byteLength;
  }

  /** Returns the number of a text; -1 if the table does not have it. */
  find(text: string): number {
    if (this.count === 0) return -1;
    const mask = this.#slots.length - 1;
    for (let slot = hashOf(text) & mask; ; slot = (slot + 1) & mask) {
      const number = (this.#slots[slot] as number) - 1;
      if (number < 0 || this.#is(number, text)) return number;
    }
  }

  /** Adds a text and returns its number. Requires: the table does not have the text. */
  add(text: string): number {
    const number = this.count;
    const start = this.#startOf(number);
    const end = start + text.length;
    this.#units = withRoom(this.#units, end);
    this.#ends = withRoom(this.#ends, number + 1);
    for (let i = 0; i < text.length; i++) this.#units[start + i] = text.charCodeAt(i);
    this.#ends[number] = end;
    this.count += 1;
    if (this.count * 4 > this.#slots.length * 3) this.#rehash();
    else this.#place(number, hashOf(text));
    return number;
  }

  /** Returns the text of a number. */
  at(number: number): string {
    const { buffer, byteOffset, byteLength } = this.#units.subarray(
      this.#startOf(number),
      this.#ends[number],
    );
    return Buffer.from(buffer, byteOffset, byteLength).toString("utf16le");
  }

  /** Returns the first UTF-16 unit of a text that is not empty. */
  firstUnit(number: number): number {
    return this.#units[this.#startOf(number)] as number;
  }

  async save(name: string, image: ImageWriter): Promise<void> {
    await image.put(`${name}.slots`, this.#slots);
    await image.put(`${name}.units`, this.#units.subarray(0, this.#startOf(this.count)));
    await image.put(`${name}.ends`, this.#ends.subarray(0, this.count));
  }

  async load(name: string, image: ImageReader): Promise<void> {
    this.#slots = await image.column(`${name}.slots`, Int32Array);
    this.#units = await image.column(`${name}.units`, Uint16Array);
    this.#ends = await image.column(`${name}.ends`, Uint32Array);
    this.count = this.#ends.length;
  }

  #startOf(number: number): number {
    return number === 0 ? 0 : (this.#ends[number - 1] as number);
  }

  #is(number: number, text: string): boolean {
    const start = this.#startOf(number);
    if ((this.#ends[number] as number) - start !== text.length) return false;
    for (let i = 0; i < text.length; i++)
      if (this.#units[start + i] !== text.charCodeAt(i)) return false;
    return true;
  }

  #rehash(): void {
    this.#slots = new Int32Array(Math.max(8, this.#slots.length * 2));
    for (let number = 0; number < this.count; number++) {
      let hash = hashStart;
      const end = this.#ends[number] as number;
      for (let i = this.#startOf(number); i < end; i++) hash = hashStep(hash, this.#units[i] ?? 0);
      this.#place(number, hashEnd(hash));
    }
  }

  #place(number: number, hash: number): void {
    const mask = this.#slots.length - 1;
    let slot = hash & mask;
    while (this.#slots[slot] !== 0) slot = (slot + 1) & mask;
    this.#slots[slot] = number + 1;
  }
}

// FNV-1a over UTF-16 units.
const hashStart = 0x811c9dc5;

function hashStep(hash: number, unit: number): number {
  return Math.imul(hash ^ unit, 0x01000193);
}

function hashEnd(hash: number): number {
  return hash ^ (hash >>> 15);
}

/** Returns a 32-bit hash of a text. */
export function hashOf(text: string): number {
  let hash = hashStart;
  for (let i = 0; i < text.length; i++) hash = hashStep(hash, text.charCodeAt(i));
  return hashEnd(hash);
}

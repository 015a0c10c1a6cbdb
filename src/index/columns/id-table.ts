import type { Row } from "../../core/ports/search-index.js";
import type { ImageReader } from "../image/image-reader.js";
import type { ImageWriter } from "../image/image-writer.js";
import { empty, withRoom } from "./column.js";

const canonicalUuid = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/;

/** In `#slots`: an id that was removed. */
const removed = -1;

/** The four words of the UUID that `parse` was last called with. */
const words = new Uint32Array(4);

/**
 * The rows of ids. An id takes 16 bytes and its share of a hash table, and no object. Ids that are
 * no UUIDs are allowed, and take more.
 */
export class IdTable {
  /** Number of ids. */
  size = 0;
  /** A hash table: row plus 1; 0: free. The length is 0 or a power of two. */
  #slots = empty.int32;
  /** Number of slots that are not free. */
  #used = 0;
  /** Four words for each row. */
  #words = empty.uint32;
  /** Rows of ids that are no UUIDs in canonical form. */
  #others = new Map<string, Row>();

  get bytes(): number {
    return this.#slots.byteLength + this.#words.byteLength;
  }

  /** Returns the row of an id; `undefined` if no row has the id. */
  get(id: string): Row | undefined {
    if (!parse(id)) return this.#others.get(id);
    const slot = this.#find();
    return slot < 0 ? undefined : (((this.#slots[slot] as number) - 1) as Row);
  }

  /**
   * Compares the ids of two rows as texts. Returns `undefined` if one of them may be no UUID.
   * Requires: both rows have ids.
   */
  compare(a: Row, b: Row): number | undefined {
    if (this.#others.size > 0) return undefined;
    // The digits of a UUID in canonical form are lower-case, so words order as their texts do.
    for (let word = 0; word < 4; word++) {
      const more = (this.#words[a * 4 + word] as number) - (this.#words[b * 4 + word] as number);
      if (more !== 0) return more;
    }
    return 0;
  }

  /** Adds an id. Requires: no row has the id. */
  add(id: string, row: Row): void {
    this.size += 1;
    if (!parse(id)) {
      this.#others.set(id, row);
      return;
    }
    this.#words = withRoom(this.#words, (row + 1) * 4);
    this.#words.set(words, row * 4);
    if ((this.#used + 1) * 4 > this.#slots.length * 3) this.#rehash();
    this.#place(row);
  }

  /** Removes an id; does nothing if no row has it. */
  delete(id: string): void {
    if (!parse(id)) {
      if (this.#others.delete(id)) this.size -= 1;
      return;
    }
    const slot = this.#find();
    if (slot < 0) return;
    const row = (this.#slots[slot] as number) - 1;
    this.#words.fill(0, row * 4, row * 4 + 4);
    this.#slots[slot] = removed;
    this.size -= 1;
  }

  /** @param rows Greater than every row. */
  async save(image: ImageWriter, rows: number): Promise<void> {
    image.set("ids", [this.size, this.#used, [...this.#others]]);
    await image.put("ids.slots", this.#slots);
    await image.put("ids.words", this.#words.subarray(0, rows * 4));
  }

  async load(image: ImageReader): Promise<void> {
    const [size, used, others] = image.value<[number, number, [string, Row][]]>("ids");
    this.size = size;
    this.#used = used;
    this.#others = new Map(others);
    this.#slots = await image.column("ids.slots", Int32Array);
    this.#words = await image.column("ids.words", Uint32Array);
  }

  /** Row `kept[i]` becomes row i. Requires: `kept` ascends and names every row with an id. */
  compact(kept: Int32Array): void {
    const others = new Map([...this.#others].map(([id, row]) => [row, id]));
    const before = this.#words;
    this.#others.clear();
    this.#words = new Uint32Array(kept.length * 4);
    this.#slots = new Int32Array(slotCountFor(kept.length));
    this.#used = 0;
    for (const [to, from] of kept.entries()) {
      const other = others.get(from as Row);
      if (other !== undefined) {
        this.#others.set(other, to as Row);
        continue;
      }
      this.#words.set(before.subarray(from * 4, from * 4 + 4), to * 4);
      this.#place(to as Row);
    }
  }

  /** Returns the slot of the parsed id; -1 if no row has the id. */
  #find(): number {
    const mask = this.#slots.length - 1;
    if (mask < 0) return -1;
    for (let slot = hashAt(words, 0) & mask; ; slot = (slot + 1) & mask) {
      const entry = this.#slots[slot] as number;
      if (entry === 0) return -1;
      if (entry === removed) continue;
      const at = (entry - 1) * 4;
      if (
        this.#words[at] === words[0] &&
        this.#words[at + 1] === words[1] &&
        this.#words[at + 2] === words[2] &&
        this.#words[at + 3] === words[3]
      )
        return slot;
    }
  }

  #place(row: Row): void {
    const mask = this.#slots.length - 1;
    let slot = hashAt(this.#words, row * 4) & mask;
    while ((this.#slots[slot] as number) > 0) slot = (slot + 1) & mask;
    if (this.#slots[slot] === 0) this.#used += 1;
    this.#slots[slot] = row + 1;
  }

  #rehash(): void {
    const entries = this.#slots.filter((entry) => entry > 0);
    this.#slots = new Int32Array(slotCountFor(entries.length + 1));
    this.#used = 0;
    for (const entry of entries) this.#place((entry - 1) as Row);
  }
}

/** Returns a number of slots of which at most half are in use. */
function slotCountFor(ids: number): number {
  return 2 ** Math.ceil(Math.log2(Math.max(4, ids) * 2));
}

function hashAt(all: Uint32Array, at: number): number {
  const [a, b, c, d] = [all[at], all[at + 1], all[at + 2], all[at + 3]] as [
    number,
    number,
    number,
    number,
  ];
  const hash = Math.imul(b ^ d, 0x9e3779b1) ^ Math.imul(a ^ c, 0x85ebca6b);
  return hash ^ (hash >>> 15);
}

/** Writes the words of a UUID to `words`. Returns false if the id is no UUID in canonical form. */
function parse(id: string): boolean {
  if (id.length !== 36 || !canonicalUuid.test(id)) return false;
  words[0] = Number.parseInt(id.slice(0, 8), 16);
  words[1] = Number.parseInt(id.slice(9, 13) + id.slice(14, 18), 16);
  words[2] = Number.parseInt(id.slice(19, 23) + id.slice(24, 28), 16);
  words[3] = Number.parseInt(id.slice(28), 16);
  return true;
}

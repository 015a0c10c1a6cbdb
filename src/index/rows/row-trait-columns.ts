import { millisOfInstant } from "../../core/model/instant.js";
import { happenedAt, type Memory, memoryTypes } from "../../core/model/memory.js";
import {
  type NumberedField,
  numberedFields,
  type Row,
  type RowTraits,
  rowMarks,
} from "../../core/ports/search-index.js";
import type { Language } from "../../core/text/stop-words.js";
import type { TimeExpression } from "../../core/text/times/written-time.js";
import { turnTraitsOf } from "../../core/text/turn-traits.js";
import { empty, gathered, withRoom } from "../columns/column.js";
import { TextColumn } from "../columns/text-column.js";
import { hashOf } from "../columns/text-table.js";
import type { ImageReader } from "../image/image-reader.js";
import type { ImageWriter } from "../image/image-writer.js";

/**
 * The flag bits, above the bits of the types. `hideable`: the memory has an expiry or a successor.
 * `restrictedBit`: the memory is restricted.
 */
const hideable = 1 << memoryTypes.length;
const restrictedBit = hideable << 1;

/** Approximate bytes of a row's entry in the map `#times`, without its times. */
const timesEntryBytes = 100;
/** Approximate bytes of one time in the map `#times`. */
const timeBytes = 150;

const noTimes: readonly TimeExpression[] = [];

/** One column for each trait, with one entry for each row up to the capacity. */
interface Columns {
  /** One bit for the type, and the flag bits. */
  readonly flags: Uint8Array;
  readonly tokenCounts: Uint32Array;
  readonly happenedMs: Float64Array;
  readonly createdMs: Float64Array;
  readonly importance: Float64Array;
  readonly marks: Uint8Array;
  readonly authors: Int32Array;
}

/**
 * The traits of rows, in columns. A loop over a column is fast. A loop over the memories would not
 * be, because they lie far apart in RAM: each access would miss the processor's cache.
 */
export class RowTraitColumns implements RowTraits {
  #capacity = 8;
  #columns = createColumns(this.#capacity);
  #turns = 0;
  /** The times that turns name, for the few rows that name any. */
  #times = new Map<Row, readonly TimeExpression[]>();
  #timeCount = 0;
  readonly texts = createTextColumns();
  /** By row: the hash of the external id; 0: it has none. Empty until a row has one. */
  #externalIds = empty.int32;

  get bytes(): number {
    const columns = arraysOf(this.#columns).reduce((sum, { byteLength }) => sum + byteLength, 0);
    const texts = numberedFields.reduce((sum, field) => sum + this.texts[field].bytes, 0);
    return (
      columns +
      texts +
      this.#externalIds.byteLength +
      this.#times.size * timesEntryBytes +
      this.#timeCount * timeBytes
    );
  }

  get hasTurns(): boolean {
    return this.#turns > 0;
  }

  /** Sets the traits that do not depend on the text. `author`: the number of the author. */
  set(row: Row, memory: Memory, author: number): void {
    if (row >= this.#capacity) this.#grow(Math.ceil((row + 1) * 1.25));
    const { flags, tokenCounts, happenedMs, createdMs, importance, authors } = this.#columns;
    const { memoryType, expireTime, supersededBy, restricted } = memory;
    const canBeHidden = expireTime !== undefined || supersededBy !== undefined;
    flags[row] =
      (1 << memoryTypes.indexOf(memoryType)) |
      (canBeHidden ? hideable : 0) |
      (restricted ? restrictedBit : 0);
    tokenCounts[row] = memory.tokenCount;
    happenedMs[row] = millisOfInstant(happenedAt(memory));
    createdMs[row] = millisOfInstant(memory.createTime);
    importance[row] = memory.importance;
    authors[row] = author;
    for (const field of numberedFields) this.texts[field].set(row, textOf[field](memory));
    this.#setExternalId(row, memory.externalId);
  }

  /**
   * Sets the traits of a new row that depend on its text. Requires: `set` was called for the row.
   *
   * @param language The language of its words in Latin script; `undefined` if unknown.
   */
  setText(row: Row, memory: Memory, language: Language | undefined): void {
    const { content, threadId, memoryType, restricted, eventTime } = memory;
    const { marks } = this.#columns;
    marks[row] = eventTime === undefined ? 0 : rowMarks.dated;
    if (restricted || (threadId === undefined && memoryType !== "CONVERSATION")) return;
    const { isQuestion, times: named } = turnTraitsOf(content, language);
    // Without a time of its own, nobody knows which day a turn calls yesterday.
    const times = eventTime === undefined ? noTimes : named;
    marks[row] |=
      rowMarks.turn | (isQuestion ? rowMarks.question : 0) | (times.length > 0 ? rowMarks.days : 0);
    this.#turns += 1;
    if (times.length > 0) this.#times.set(row, times);
    this.#timeCount += times.length;
  }

  /** Marks a row as empty: it has no type and is no turn. */
  clear(row: Row): void {
    if (((this.marks[row] as number) & rowMarks.turn) !== 0) this.#turns -= 1;
    this.#timeCount -= this.times(row).length;
    this.#times.delete(row);
    for (const column of arraysOf(this.#columns)) column[row] = 0;
    for (const field of numberedFields) this.texts[field].set(row, undefined);
    this.#setExternalId(row, undefined);
  }

  /** @param rows Greater than every row. */
  async save(image: ImageWriter, rows: number): Promise<void> {
    image.set("turns", [this.#turns, [...this.#times], this.#timeCount]);
    for (const [at, column] of arraysOf(this.#columns).entries())
      await image.put(`traits.${at}`, column.subarray(0, rows));
    for (const field of numberedFields)
      await this.texts[field].save(`traits.${field}`, image, rows);
    await image.put("traits.externalIds", this.#externalIds.subarray(0, rows));
  }

  /** @param rows As for `save`. */
  async load(image: ImageReader, rows: number): Promise<void> {
    const [turns, times, timeCount] =
      image.value<[number, [Row, readonly TimeExpression[]][], number]>("turns");
    this.#turns = turns;
    this.#times = new Map(times);
    this.#timeCount = timeCount;
    this.#capacity = rows;
    this.#columns = createColumns(rows);
    for (const [at, column] of arraysOf(this.#columns).entries())
      await image.read(`traits.${at}`, new Uint8Array(column.buffer));
    for (const field of numberedFields) await this.texts[field].load(`traits.${field}`, image);
    this.#externalIds = await image.column("traits.externalIds", Int32Array);
  }

  get marks(): Uint8Array {
    return this.#columns.marks;
  }

  get authorNumbers(): Int32Array {
    return this.#columns.authors;
  }

  times(row: Row): readonly TimeExpression[] {
    const namesDays = ((this.marks[row] as number) & rowMarks.days) !== 0;
    return namesDays ? (this.#times.get(row) ?? noTimes) : noTimes;
  }

  tokenCount(row: Row): number {
    return this.#columns.tokenCounts[row] as number;
  }

  happenedMs(row: Row): number {
    return this.#columns.happenedMs[row] as number;
  }

  createdMs(row: Row): number {
    return this.#columns.createdMs[row] as number;
  }

  importance(row: Row): number {
    return this.#columns.importance[row] as number;
  }

  canBeHidden(row: Row): boolean {
    return ((this.#columns.flags[row] as number) & hideable) !== 0;
  }

  isRestricted(row: Row): boolean {
    return ((this.#columns.flags[row] as number) & restrictedBit) !== 0;
  }

  isOfType(row: Row, types: number): boolean {
    return ((this.#columns.flags[row] as number) & types) !== 0;
  }

  mayHaveExternalId(row: Row, externalId: string): boolean {
    return this.#externalIds[row] === externalIdHash(externalId);
  }

  /**
   * Returns the rows below `rowCount` with one of the types, or `undefined` if there are more than
   * `most`.
   */
  rowsOfType(types: number, rowCount: number, most: number): Int32Array | undefined {
    const rows: number[] = [];
    for (let row = 0 as Row; row < rowCount; row++) {
      if (!this.isOfType(row, types)) continue;
      if (rows.length >= most) return undefined;
      rows.push(row);
    }
    return Int32Array.from(rows);
  }

  /** Gives row i the traits of row `kept[i]`. Requires: `kept` ascends. */
  compact(kept: Int32Array): void {
    const times = new Map<Row, readonly TimeExpression[]>();
    for (const [to, from] of kept.entries()) {
      const moved = this.#times.get(from as Row);
      if (moved !== undefined) times.set(to as Row, moved);
    }
    this.#times = times;
    for (const column of arraysOf(this.#columns)) {
      for (const [to, from] of kept.entries()) column[to] = column[from] as number;
    }
    for (const field of numberedFields) this.texts[field].compact(kept);
    if (this.#externalIds.length > 0) this.#externalIds = gathered(this.#externalIds, kept);
  }

  #setExternalId(row: Row, externalId: string | undefined): void {
    if (externalId !== undefined) this.#externalIds = withRoom(this.#externalIds, row + 1);
    if (row < this.#externalIds.length)
      this.#externalIds[row] = externalId === undefined ? 0 : externalIdHash(externalId);
  }

  #grow(capacity: number): void {
    const before = arraysOf(this.#columns);
    this.#columns = createColumns(capacity);
    this.#capacity = capacity;
    for (const [at, column] of arraysOf(this.#columns).entries()) column.set(before[at] ?? []);
  }
}

/** The text of each field that has numbers. */
const textOf: Readonly<Record<NumberedField, (memory: Memory) => string | undefined>> = {
  kind: ({ kind }) => kind,
  source: ({ source }) => source,
  threadId: ({ threadId }) => threadId,
  tags: ({ tags }) => (tags.length === 0 ? undefined : JSON.stringify(tags)),
  status: ({ status }) => (status === "ACTIVE" ? undefined : status),
};

function createTextColumns(): Readonly<Record<NumberedField, TextColumn>> {
  return {
    kind: new TextColumn(),
    source: new TextColumn(),
    threadId: new TextColumn(),
    tags: new TextColumn(),
    status: new TextColumn(),
  };
}

/** Returns a hash that is not 0. */
function externalIdHash(externalId: string): number {
  return hashOf(externalId) || 1;
}

function createColumns(capacity: number): Columns {
  return {
    flags: new Uint8Array(capacity),
    tokenCounts: new Uint32Array(capacity),
    happenedMs: new Float64Array(capacity),
    createdMs: new Float64Array(capacity),
    importance: new Float64Array(capacity),
    marks: new Uint8Array(capacity),
    authors: new Int32Array(capacity),
  };
}

function arraysOf({
  flags,
  tokenCounts,
  happenedMs,
  createdMs,
  importance,
  marks,
  authors,
}: Columns): readonly (Uint8Array | Uint32Array | Int32Array | Float64Array)[] {
  return [flags, tokenCounts, happenedMs, createdMs, importance, marks, authors];
}

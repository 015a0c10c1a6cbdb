import { compareInstants, type Instant } from "../../core/model/instant.js";
import { happenedAt, type Memory } from "../../core/model/memory.js";
import { empty, gathered, withRoom } from "../columns/column.js";
import type { RowLists } from "../columns/row-lists.js";
import { TextLists } from "../columns/text-lists.js";
import type { ImageReader } from "../image/image-reader.js";
import type { ImageWriter } from "../image/image-writer.js";

/** Stands for "no row" and "no thread". */
export const absent = -1;

/**
 * A turn without a `thread_id` starts a new thread after a pause longer than this. The value was
 * measured by bench/locomo without `thread_id`, on conversations whose sessions lie hours apart.
 */
const longestPauseSeconds = 30 * 60;

/**
 * Unless both have event times, two turns belong to one thread only if at least this time lies
 * between them. Memories written faster than anybody can answer come from a bulk import, which may
 * write them in any order. Measured by bench/locomo without `event_time`.
 */
const shortestTurnSeconds = 1;

/**
 * The words and the vectors of this many rows before a row in its thread count for the row too, at
 * lower weights. These rows are the row's context.
 */
export const contextRows = 2;

/**
 * By row: the rows before and after it in its thread. `absent` at the ends of a thread, and for
 * rows without a thread.
 */
export interface ThreadLinks {
  /** Whether any row has a neighbour in a thread. */
  readonly hasLinks: boolean;
  readonly previous: Int32Array;
  readonly next: Int32Array;
  /**
   * By row: the factor, 0 to 1, with which its words and its vector count for the rows after it.
   * See `lentShare`.
   */
  readonly lends: Float32Array;
}

type Threaded = Pick<Memory, "id" | "memoryType" | "threadId" | "eventTime" | "createTime"> &
  Partial<Pick<Memory, "restricted">>;

/** The list of all turns that may form threads by time. Lists of threads with ids follow it. */
const turnsList = 0;

/** In `#nanos`: added to the nanoseconds of a row whose time is an event time. */
const saidMark = 2 ** 30;

/**
 * The rows of each conversation thread in order of time: by `event_time`, else `create_time`, then
 * id.
 *
 * Memories with the same `thread_id` form a thread. Memories of type CONVERSATION without a
 * `thread_id` form threads by time, if they follow each other as turns do (`continues`). If a
 * memory of this type has neither a `thread_id` nor such a neighbour, it has no thread.
 *
 * A restricted memory has no thread: text withheld from tools must not influence what tools find.
 */
export class ThreadOrder implements ThreadLinks {
  previous = empty.int32;
  next = empty.int32;
  lends = empty.float32;
  /** By row of a thread or a turn: its time. */
  #seconds = empty.float64;
  #nanos = empty.int32;
  /**
   * The rows of each thread, in order, by the id of the thread. The links show where a thread by
   * time ends.
   */
  #threads = new TextLists();
  /** Number of threads with an id and a row. */
  #idsInUse = 0;
  readonly #idOf: (row: number) => string;

  /** `idOf`: returns the id of a row's memory. Called for rows of the same time. */
  constructor(idOf: (row: number) => string) {
    this.#idOf = idOf;
  }

  get bytes(): number {
    const { previous, lends } = this;
    const times = this.#seconds.byteLength + this.#nanos.byteLength;
    return previous.byteLength * 2 + lends.byteLength + times + this.#threads.bytes;
  }

  get #lists(): RowLists {
    return this.#threads.lists;
  }

  get hasLinks(): boolean {
    return this.#idsInUse > 0 || this.#lists.count(turnsList) > 1;
  }

  /**
   * Adds a row to its thread, if it has one. Returns the rows whose predecessors have changed, the
   * row itself first.
   *
   * @param lends See `ThreadLinks.lends`.
   */
  add(row: number, memory: Threaded, lends = 1): readonly number[] {
    this.#reserve(row + 1);
    this.lends[row] = lends;
    this.previous[row] = absent;
    this.next[row] = absent;
    const list = this.#listOf(memory);
    if (list === undefined) return [row];
    const { seconds, nanos } = happenedAt(memory);
    this.#seconds = withRoom(this.#seconds, row + 1);
    this.#nanos = withRoom(this.#nanos, row + 1);
    this.#seconds[row] = seconds;
    this.#nanos[row] = nanos + (memory.eventTime === undefined ? 0 : saidMark);
    const place = this.#placeOf(list, memory);
    if (list !== turnsList && this.#lists.count(list) === 0) this.#idsInUse += 1;
    this.#lists.insert(list, place, row);
    this.#link(list, place - 1);
    this.#link(list, place);
    return this.#rowsFrom(list, place);
  }

  /**
   * Removes a row from its thread. Returns the rows whose predecessors have changed. Requires: the
   * row was added with the same memory.
   */
  remove(row: number, memory: Threaded): readonly number[] {
    const list = this.#listOf(memory);
    if (list === undefined) return [];
    const place = this.#placeOf(list, memory);
    this.#lists.remove(list, place);
    this.previous[row] = absent;
    this.next[row] = absent;
    if (list !== turnsList && this.#lists.count(list) === 0) this.#idsInUse -= 1;
    else this.#link(list, place - 1);
    return this.#rowsFrom(list, place);
  }

  /** Returns a row, and the later rows whose context includes this row. */
  rowsFrom(row: number): readonly number[] {
    const rows = [row];
    for (
      let next = this.next[row] ?? absent;
      next !== absent && rows.length <= contextRows;
      next = this.next[next] ?? absent
    )
      rows.push(next);
    return rows;
  }

  /**
   * Gives row i the thread and the neighbours of row `kept[i]`. Forgets the ids of empty threads.
   * Requires: `kept` ascends and names every row that was not removed.
   */
  compact(kept: Int32Array): void {
    const newRows = new Int32Array((kept.at(-1) ?? -1) + 1).fill(absent);
    for (const [to, from] of kept.entries()) newRows[from] = to;
    const renumbered = (row: number) => (row === absent ? absent : (newRows[row] ?? absent));
    this.previous = gathered(this.previous, kept).map(renumbered);
    this.next = gathered(this.next, kept).map(renumbered);
    this.lends = gathered(this.lends, kept, 1);
    this.#seconds = gathered(this.#seconds, kept);
    this.#nanos = gathered(this.#nanos, kept);
    this.#lists.renumber(newRows);
    const copying = this.#threads.inUse(turnsList);
    let step = copying.next();
    while (step.done !== true) step = copying.next();
    this.#threads = step.value.lists;
    this.#countIds();
  }

  /** @param rows Greater than every row. */
  async save(image: ImageWriter, rows: number): Promise<void> {
    await this.#threads.saveInUse("threads", image, turnsList);
    await image.put("previous", this.previous.subarray(0, rows));
    await image.put("next", this.next.subarray(0, rows));
    await image.put("lends", this.lends.subarray(0, rows));
    await image.put("seconds", this.#seconds.subarray(0, rows));
    await image.put("nanos", this.#nanos.subarray(0, rows));
  }

  async load(image: ImageReader): Promise<void> {
    await this.#threads.load("threads", image);
    this.previous = await image.column("previous", Int32Array);
    this.next = await image.column("next", Int32Array);
    this.lends = await image.column("lends", Float32Array);
    this.#seconds = await image.column("seconds", Float64Array);
    this.#nanos = await image.column("nanos", Int32Array);
    this.#countIds();
  }

  /** Counts the threads with an id and a row. */
  #countIds(): void {
    this.#idsInUse = 0;
    for (let list = turnsList + 1; list < this.#threads.texts.count; list++)
      if (this.#lists.count(list) > 0) this.#idsInUse += 1;
  }

  /**
   * Links the row at a place of a list to the next row, unless the next row starts a new thread.
   * Given the place -1, marks the first row as the start of a thread.
   */
  #link(list: number, place: number): void {
    const row = this.#rowAt(list, place);
    const following = this.#rowAt(list, place + 1);
    const linked =
      row !== absent &&
      following !== absent &&
      (list !== turnsList || this.#continues(row, following));
    if (row !== absent) this.next[row] = linked ? following : absent;
    if (following !== absent) this.previous[following] = linked ? row : absent;
  }

  /** Whether the later of two neighbours among the turns belongs to the same thread. */
  #continues(earlier: number, later: number): boolean {
    const { seconds, nanos } = this.#timeOf(earlier);
    const comparePause = (pauseSeconds: number) =>
      compareInstants(this.#timeOf(later), { seconds: seconds + pauseSeconds, nanos });
    const isSaid = this.#isSaid(earlier) && this.#isSaid(later);
    return (
      comparePause(longestPauseSeconds) <= 0 && (isSaid || comparePause(shortestTurnSeconds) >= 0)
    );
  }

  #timeOf(row: number): Instant {
    const nanos = this.#nanos[row] as number;
    return { seconds: this.#seconds[row] as number, nanos: nanos % saidMark };
  }

  #isSaid(row: number): boolean {
    return (this.#nanos[row] as number) >= saidMark;
  }

  #rowAt(list: number, place: number): number {
    if (place < 0 || place >= this.#lists.count(list)) return absent;
    return this.#lists.rows[this.#lists.start(list) + place] as number;
  }

  /** Returns the row at a place of a list, and the later rows whose context includes this row. */
  #rowsFrom(list: number, place: number): number[] {
    const start = this.#lists.start(list) + place;
    const end = Math.min(
      start + contextRows + 1,
      this.#lists.start(list) + this.#lists.count(list),
    );
    return Array.from(this.#lists.rows.subarray(start, end));
  }

  /** Returns the first place of a list whose memory does not come before the given memory. */
  #placeOf(list: number, memory: Threaded): number {
    const time = happenedAt(memory);
    let low = 0;
    let high = this.#lists.count(list);
    // Most memories are added at the end.
    if (high > 0 && this.#compare(this.#rowAt(list, high - 1), time, memory.id) < 0) return high;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#compare(this.#rowAt(list, middle), time, memory.id) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #compare(row: number, time: Instant, id: string): number {
    const byTime = compareInstants(this.#timeOf(row), time);
    if (byTime !== 0) return byTime;
    const idOfRow = this.#idOf(row);
    return idOfRow < id ? -1 : idOfRow > id ? 1 : 0;
  }

  /** Returns the list of a memory's thread; `undefined` if the memory has no thread. */
  #listOf({ threadId, memoryType, restricted = false }: Threaded): number | undefined {
    if (restricted) return undefined;
    // The text of the list of turns comes first, so that the list has number 0.
    if (this.#threads.texts.count === 0) this.#threads.texts.add("");
    if (threadId === undefined) return memoryType === "CONVERSATION" ? turnsList : undefined;
    return this.#threads.numberOf(threadId);
  }

  #reserve(rows: number): void {
    this.previous = withRoom(this.previous, rows, absent);
    this.next = withRoom(this.next, rows, absent);
    this.lends = withRoom(this.lends, rows, 1);
  }
}

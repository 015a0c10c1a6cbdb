import { compareInstants } from "../../core/model/instant.js";
import { happenedAt, type Memory } from "../../core/model/memory.js";

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
   * By row: the number of its thread, at least 0 and below `threadCount`. `absent` for a row
   * without a thread. Valid until the next change.
   */
  readonly thread: Int32Array;
  /**
   * By row: the factor, 0 to 1, with which its words and its vector count for the rows after it.
   * See `lentShare`.
   */
  readonly lends: Float32Array;
  /** One more than the greatest thread number; 0 if no row has a thread. */
  readonly threadCount: number;
}

type Threaded = Pick<Memory, "id" | "memoryType" | "threadId" | "eventTime" | "createTime"> &
  Partial<Pick<Memory, "restricted">>;

interface Entry {
  readonly row: number;
  readonly memory: Threaded;
}

interface Thread {
  readonly number: number;
  entries: Entry[];
}

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
  previous = new Int32Array(64).fill(absent);
  next = new Int32Array(64).fill(absent);
  lends = new Float32Array(64).fill(1);
  #thread = new Int32Array(64).fill(absent);
  readonly #threads = new Map<string, Thread>();
  readonly #freeNumbers: number[] = [];
  /** One more than the greatest number of a thread with an id. */
  #idCount = 0;
  /**
   * All turns that may form threads by time. The links show where one thread ends and the next
   * begins.
   */
  readonly #turns: Thread = { number: absent, entries: [] };
  #threadCount = 0;
  /** Whether the threads by time have their numbers. */
  #numbered = true;

  get bytes(): number {
    return this.previous.byteLength * 3 + this.lends.byteLength;
  }

  get hasLinks(): boolean {
    return this.#threads.size > 0 || this.#turns.entries.length > 1;
  }

  get thread(): Int32Array {
    this.#numberTurns();
    return this.#thread;
  }

  get threadCount(): number {
    this.#numberTurns();
    return this.#threadCount;
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
    this.#thread[row] = absent;
    const thread = this.#threadOf(memory);
    if (thread === undefined) return [row];
    const place = placeOf(thread.entries, memory);
    thread.entries.splice(place, 0, { row, memory });
    this.#thread[row] = thread.number;
    this.#numbered = false;
    this.#link(thread.entries, place - 1);
    this.#link(thread.entries, place);
    return rowsFrom(thread.entries, place);
  }

  /**
   * Removes a row from its thread. Returns the rows whose predecessors have changed. Requires: the
   * row was added with the same memory.
   */
  remove(row: number, memory: Threaded): readonly number[] {
    const thread = this.#threadOf(memory);
    if (thread === undefined) return [];
    const place = placeOf(thread.entries, memory);
    thread.entries.splice(place, 1);
    this.previous[row] = absent;
    this.next[row] = absent;
    this.#thread[row] = absent;
    this.#numbered = false;
    if (memory.threadId !== undefined && thread.entries.length === 0)
      this.#drop(memory.threadId, thread);
    else this.#link(thread.entries, place - 1);
    return rowsFrom(thread.entries, place);
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
   * Gives row i the thread and the neighbours of row `kept[i]`. Requires: `kept` ascends and names
   * every row that was not removed.
   */
  compact(kept: Int32Array): void {
    const newRows = new Map<number, number>();
    for (const [to, from] of kept.entries()) {
      newRows.set(from, to);
      this.lends[to] = this.lends[from] as number;
    }
    for (const column of [this.previous, this.next, this.#thread]) column.fill(absent);
    this.#numbered = false;
    for (const thread of [...this.#threads.values(), this.#turns]) {
      thread.entries = thread.entries.map(({ row, memory }) => ({
        row: newRows.get(row) ?? absent,
        memory,
      }));
      for (const [place, { row }] of thread.entries.entries()) {
        this.#thread[row] = thread.number;
        this.#link(thread.entries, place);
      }
    }
  }

  /**
   * Links the entry at an index to the next entry, unless the next entry starts a new thread. Given
   * the index -1, marks the first entry as the start of a thread.
   */
  #link(entries: readonly Entry[], place: number): void {
    const entry = entries[place];
    const following = entries[place + 1];
    const linked =
      entry !== undefined && following !== undefined && continues(entry.memory, following.memory);
    if (entry !== undefined) this.next[entry.row] = linked ? following.row : absent;
    if (following !== undefined) this.previous[following.row] = linked ? entry.row : absent;
  }

  /**
   * Numbers the threads that were formed by time. Their numbers are above those of the threads with
   * ids. Runs only when a query needs the numbers, because each added turn can join two threads or
   * split a thread.
   */
  #numberTurns(): void {
    if (this.#numbered) return;
    let count = this.#idCount;
    for (const { row } of this.#turns.entries) {
      const isFirst = this.previous[row] === absent;
      if (isFirst && this.next[row] !== absent) count += 1;
      this.#thread[row] = isFirst && this.next[row] === absent ? absent : count - 1;
    }
    this.#threadCount = count;
    this.#numbered = true;
  }

  #threadOf({ threadId, memoryType, restricted = false }: Threaded): Thread | undefined {
    if (restricted) return undefined;
    if (threadId === undefined) return memoryType === "CONVERSATION" ? this.#turns : undefined;
    const known = this.#threads.get(threadId);
    if (known !== undefined) return known;
    const thread: Thread = { number: this.#freeNumbers.pop() ?? this.#idCount++, entries: [] };
    this.#threads.set(threadId, thread);
    return thread;
  }

  #drop(threadId: string, { number }: Thread): void {
    this.#threads.delete(threadId);
    this.#freeNumbers.push(number);
    if (this.#threads.size > 0) return;
    this.#freeNumbers.length = 0;
    this.#idCount = 0;
  }

  #reserve(rows: number): void {
    if (rows <= this.previous.length) return;
    const length = Math.max(rows, this.previous.length * 2);
    this.previous = enlarged(this.previous, length);
    this.next = enlarged(this.next, length);
    const lends = new Float32Array(length).fill(1);
    lends.set(this.lends);
    this.lends = lends;
    this.#thread = enlarged(this.#thread, length);
  }
}

/** Returns the entry at an index, and the later entries whose context includes this entry. */
function rowsFrom(entries: readonly Entry[], place: number): number[] {
  return entries.slice(place, place + contextRows + 1).map(({ row }) => row);
}

/** Returns the first index whose memory does not come before the given memory. */
function placeOf(entries: readonly Entry[], memory: Threaded): number {
  let low = 0;
  let high = entries.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const other = entries[middle];
    if (other !== undefined && compare(other.memory, memory) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

function compare(a: Threaded, b: Threaded): number {
  return compareInstants(happenedAt(a), happenedAt(b)) || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
}

/** Whether the later of two neighbours belongs to the same thread as the earlier. */
function continues(earlier: Threaded, later: Threaded): boolean {
  if (earlier.threadId !== undefined) return true;
  const { seconds, nanos } = happenedAt(earlier);
  const comparePause = (pauseSeconds: number) =>
    compareInstants(happenedAt(later), { seconds: seconds + pauseSeconds, nanos });
  const isSaid = earlier.eventTime !== undefined && later.eventTime !== undefined;
  return (
    comparePause(longestPauseSeconds) <= 0 && (isSaid || comparePause(shortestTurnSeconds) >= 0)
  );
}

function enlarged(column: Int32Array, length: number): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(length).fill(absent);
  larger.set(column);
  return larger;
}

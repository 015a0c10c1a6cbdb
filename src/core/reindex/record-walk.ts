import type { Memory } from "../model/memory.js";
import type { Namespace } from "../model/namespace.js";
import type { Change, Snapshot } from "../ports/store.js";
import { touchedKeys } from "../requests/touched-keys.js";
import type { Collection } from "../vectors/collection.js";

/**
 * Maximum number of texts of a batch. A batch is embedded in one call and written in one
 * transaction. Small batches keep other calls from waiting more than milliseconds.
 */
const batchMaxTexts = 64;
/** A batch ends with the text that brings it to this length, in UTF-16 code units. */
const batchMaxLength = 64 * 1024;

/** Records by id; `undefined`: the record was deleted. */
export type RecordBatch = ReadonlyMap<string, Memory | undefined>;

/** Whether a commit among these changes cleared the namespace. */
export function isCleared(changes: readonly Change[], { agentId }: Namespace): boolean {
  return changes.some(({ cleared }) => cleared.includes(agentId));
}

/**
 * A walk over the records of a collection in the order of their ids. Records that change behind the
 * cursor become stale and are visited again.
 */
export class RecordWalk {
  readonly #collection: Collection;
  readonly #namespace: Namespace;
  /** Greatest id that the walk has reached, in the order of UTF-8 bytes. */
  #cursor = "";
  #isEnded = false;
  /** Ids behind the cursor that were added, changed or deleted since their batch. */
  readonly #stale = new Set<string>();
  #recordsDone = 0;

  constructor(collection: Collection, namespace: Namespace) {
    this.#collection = collection;
    this.#namespace = namespace;
  }

  /** Whether the cursor has passed all records. There may still be stale records. */
  get isEnded(): boolean {
    return this.#isEnded;
  }

  get staleCount(): number {
    return this.#stale.size;
  }

  /** Number of records that the cursor has passed. */
  get recordsDone(): number {
    return this.#recordsDone;
  }

  restart(): void {
    this.#cursor = "";
    this.#isEnded = false;
    this.#stale.clear();
    this.#recordsDone = 0;
  }

  /** Marks records of a batch to be visited again. */
  markStale(ids: Iterable<string>): void {
    for (const id of ids) this.#stale.add(id);
  }

  /**
   * Marks changed records behind the cursor as stale. Returns false if the walk must restart. It
   * must restart after a reset of the namespace. It must also restart if `changes` is `undefined`,
   * because the change log then does not reach back to the previous batch.
   */
  takeChanges(changes: readonly Change[] | undefined): boolean {
    if (changes === undefined || isCleared(changes, this.#namespace)) return false;
    const cursor = Buffer.from(this.#cursor);
    for (const id of touchedKeys(changes, this.#collection.table, this.#namespace)) {
      if (this.#isEnded || Buffer.from(id).compare(cursor) <= 0) this.#stale.add(id);
    }
    return true;
  }

  /** Returns the next records of the walk. Adds stale records once the walk has reached the end. */
  async nextBatch(snapshot: Snapshot): Promise<RecordBatch> {
    const batch = new Map<string, Memory | undefined>();
    let length = 0;
    const isFull = () => batch.size >= batchMaxTexts || length >= batchMaxLength;
    if (!this.#isEnded) {
      let metEnd = true;
      for await (const [id, record] of this.#collection.scan(snapshot, this.#namespace, {
        after: this.#cursor,
      })) {
        batch.set(id, record);
        length += record.content.length;
        this.#cursor = id;
        metEnd = !isFull();
        if (!metEnd) break;
      }
      this.#isEnded = metEnd;
      this.#recordsDone += batch.size;
    }
    for (const id of this.#stale) {
      if (isFull()) break;
      const record = await this.#collection.get(snapshot, this.#namespace, id);
      batch.set(id, record);
      length += record?.content.length ?? 0;
      this.#stale.delete(id);
    }
    return batch;
  }
}

import type { IdRange } from "../../../core/ports/id-range.js";
import { type Database, type Entry, readFailure, requirePayload } from "../folder/database.js";
import { decodeNamespaceHead, decodeScopeHead, holdsSomething } from "../format/heads.js";
import { agentNamespace, idHeadsPrefix, rangeOf, wholeScope } from "../format/keys.js";

/** Number of heads in a read. */
const chunkEntries = 64;

/** The bytes after an id in the key of a head. Sorts after both bytes that can follow an id. */
const afterHeads = Buffer.of(agentNamespace + 1);
/** Sorts after every byte of UTF-8. */
const afterText = Buffer.of(0xff);

/**
 * Iterates over ids in the order of their bytes, see `Store.ids`. The keys of heads are in the
 * order of the lengths of their ids first. So this reads the ids of each length by themselves, and
 * merges them. The cost grows with the number of different lengths, of which there are at most 256.
 */
export async function* listIds(database: Database, range: IdRange): AsyncGenerator<string> {
  const bounds = new IdBounds(range);
  const { prefix: gte, end: lt } = rangeOf(bounds.base);
  const heads = await readHeads(database, gte, lt);
  if (heads.length < chunkEntries) {
    const ids = heads.flatMap((head) => bounds.idOfHolder(head) ?? []);
    for (const id of ids.sort((a, b) => Buffer.compare(a, b)))
      if (bounds.has(id)) yield id.toString();
    return;
  }
  const firsts: { id: Buffer; readonly others: AsyncGenerator<Buffer> }[] = [];
  for (const length of await lengthsOf(database, bounds)) {
    const others = idsOfLength(database, bounds, length);
    const first = await others.next();
    if (first.done !== true) firsts.push({ id: first.value, others });
  }
  while (firsts.length > 0) {
    const least = firsts.reduce((a, b) => (Buffer.compare(b.id, a.id) < 0 ? b : a));
    yield least.id.toString();
    const next = await least.others.next();
    if (next.done === true) firsts.splice(firsts.indexOf(least), 1);
    else least.id = next.value;
  }
}

/** The keys of the heads whose ids are in a range. */
class IdBounds {
  /** Everything before the length of an id in the key of a head. */
  readonly base: Buffer;
  readonly #isOfAgents: boolean;
  readonly #prefix: Buffer;
  readonly #after: Buffer | undefined;

  constructor(range: IdRange) {
    this.base = idHeadsPrefix(range);
    this.#isOfAgents = range.of === "agents";
    this.#prefix = Buffer.from(range.prefix ?? "");
    const after = range.after === undefined ? undefined : Buffer.from(range.after);
    // An earlier id than all with the prefix does not matter.
    const isWithin = after !== undefined && Buffer.compare(after, this.#prefix) >= 0;
    this.#after = isWithin ? after : undefined;
  }

  /** The shortest length that an id in the range can have. */
  get minLength(): number {
    return this.#prefix.length;
  }

  /** Returns where the heads of ids of a length begin. */
  startOf(length: number): Buffer {
    const after = this.#after;
    if (after === undefined) return this.#at(length, this.#prefix);
    return length > after.length
      ? this.#at(length, after)
      : this.#at(length, after.subarray(0, length), afterHeads);
  }

  /** Returns the first key after the heads of ids of a length. */
  endOf(length: number): Buffer {
    return this.#at(length, this.#prefix, afterText);
  }

  /** Returns the first key after all heads of the id in the key of a head. */
  endOfId(key: Buffer): Buffer {
    return Buffer.concat([key.subarray(0, this.#idEnd(key)), afterHeads]);
  }

  /** Returns the length of the id in the key of a head. */
  lengthIn(key: Buffer): number {
    return key.readUInt16BE(this.base.length);
  }

  /** Returns the id of a head, if the head is of an id that holds something. */
  idOfHolder([key, value]: Entry): Buffer | undefined {
    const end = this.#idEnd(key);
    // Between the heads of users are those of their namespaces.
    if (!this.#isOfAgents && key[end] !== wholeScope) return undefined;
    const payload = requirePayload(key, value, "a head");
    const holds = this.#isOfAgents
      ? holdsSomething(decodeNamespaceHead(payload).tables)
      : decodeScopeHead(payload).usage.bytes > 0;
    return holds ? key.subarray(this.base.length + 2, end) : undefined;
  }

  /** Whether an id is in the range. */
  has(id: Buffer): boolean {
    const isAfter = this.#after === undefined || Buffer.compare(id, this.#after) > 0;
    return isAfter && id.subarray(0, this.#prefix.length).equals(this.#prefix);
  }

  #idEnd(key: Buffer): number {
    return this.base.length + 2 + this.lengthIn(key);
  }

  #at(length: number, ...parts: readonly Buffer[]): Buffer {
    const bytes = Buffer.allocUnsafe(2);
    bytes.writeUInt16BE(length);
    return Buffer.concat([this.base, bytes, ...parts]);
  }
}

/** Returns the lengths of the ids in a range, ascending. Seeks at most twice for each of them. */
async function lengthsOf(database: Database, bounds: IdBounds): Promise<readonly number[]> {
  const { prefix, end } = rangeOf(bounds.base);
  const lengths: number[] = [];
  return reading(database, async () => {
    const keys = database.keys({ gte: prefix, lt: end });
    try {
      for (let length = bounds.minLength; ; ) {
        keys.seek(bounds.startOf(length));
        const key = await keys.next();
        if (key === undefined) return lengths;
        const found = bounds.lengthIn(key);
        if (found === length) {
          if (Buffer.compare(key, bounds.endOf(length)) < 0) lengths.push(length);
          length += 1;
        } else length = found;
      }
    } finally {
      await keys.close();
    }
  });
}

/**
 * Iterates over the ids of one length that hold something, in order. Opens an iterator for each
 * read, because an open one would keep deleted records on the disk, see `Store.compact`.
 */
async function* idsOfLength(
  database: Database,
  bounds: IdBounds,
  length: number,
): AsyncGenerator<Buffer> {
  const lt = bounds.endOf(length);
  for (let gte = bounds.startOf(length); ; ) {
    const heads = await readHeads(database, gte, lt);
    for (const head of heads) {
      const id = bounds.idOfHolder(head);
      if (id !== undefined) yield id;
    }
    const last = heads.at(-1)?.[0];
    if (last === undefined || heads.length < chunkEntries) return;
    // Passes over the rest of a user with many namespaces.
    gte = bounds.endOfId(last);
  }
}

function readHeads(database: Database, gte: Buffer, lt: Buffer): Promise<readonly Entry[]> {
  return reading(database, () => database.iterator({ gte, lt, limit: chunkEntries }).all());
}

/** Runs a read, and turns its errors into those for the caller. */
async function reading<T>(database: Database, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    throw readFailure(database, error);
  }
}

import { VademecumError } from "../model/errors.js";
import type { RawRecord, RecordPage, ScopeState } from "../ports/backup.js";
import {
  type BackupChunk,
  type BackupHeader,
  backupFormat,
  type ScopeDigest,
} from "./backup-chunk.js";
import { RecordDigest, ScopesDigest, sameDigest } from "./record-digest.js";

/**
 * Maximum size of a record of a backup, in bytes. The limits of the service keep every record
 * smaller.
 */
const recordMaxBytes = 64 * 1024 * 1024;

/**
 * Greatest number of a scope's last commit: half of the numbers that `commitSeqOf` can hold, so
 * that commits can follow for years.
 */
const seqMax = 2 ** 40;

/** Receives the parts of a backup. */
export interface BackupVisitor {
  /** Called first, with the header. */
  header?(header: BackupHeader): void;
  /**
   * Called with each scope. `pages` throws after its last page if the records differ from the
   * records that were backed up. Unread pages are checked too.
   */
  scope(state: ScopeState, pages: AsyncIterable<RecordPage>): Promise<void>;
}

/** A scope that was read to its end. `scopes` and `records` are the totals so far. */
export interface ReadScope {
  readonly state: ScopeState;
  readonly digest: ScopeDigest;
  readonly scopes: number;
  readonly records: number;
}

/**
 * Reads and checks a backup, from its first chunk to its trailer. Yields after each scope.
 *
 * @throws INVALID_ARGUMENT (INVALID_BACKUP) when the chunks are not a complete, unchanged backup
 */
export async function* readBackup(
  chunks: AsyncIterable<BackupChunk>,
  visitor: BackupVisitor,
): AsyncGenerator<ReadScope> {
  const iterator = chunks[Symbol.asyncIterator]();
  try {
    const next = async (): Promise<BackupChunk> => {
      const result = await iterator.next();
      if (result.done === true) throw invalidBackup("it ends before its trailer: it was cut off");
      return result.value;
    };
    const first = await next();
    if (first.kind !== "header") throw invalidBackup("it does not begin with a header");
    requireFormat(first.header);
    visitor.header?.(first.header);
    const total = new ScopesDigest();
    const seen = new Set<string>();
    let scopes = 0;
    let records = 0;
    for (;;) {
      const chunk = await next();
      if (chunk.kind === "trailer") {
        const { scopes: found, ...digest } = total.end();
        if (chunk.scopes !== found || !sameDigest(chunk, digest))
          throw invalidBackup("its trailer counts other scopes than it holds");
        break;
      }
      if (chunk.kind !== "scope") throw invalidBackup(`a chunk '${chunk.kind}' is out of place`);
      const { state } = chunk;
      if (seen.has(scopeName(state))) throw invalidBackup(`${scopeName(state)} comes twice`);
      seen.add(scopeName(state));
      if (!(state.head.seq <= seqMax))
        throw invalidBackup(`the last commit of ${scopeName(state)} has a number above ${seqMax}`);
      const pages = new ScopePages(next, scopeName(state));
      await visitor.scope(state, pages);
      const digest = await pages.drain();
      total.add(digest);
      scopes++;
      records += digest.records;
      yield { state, digest, scopes, records };
    }
    if ((await iterator.next()).done !== true) throw invalidBackup("something follows its trailer");
  } finally {
    await iterator.return?.();
  }
}

/** Returns an INVALID_ARGUMENT (INVALID_BACKUP) error. `what` says what is wrong. */
export function invalidBackup(what: string, cause?: unknown): VademecumError {
  return new VademecumError(
    "INVALID_ARGUMENT",
    "INVALID_BACKUP",
    `this is not a whole backup: ${what}. Use another copy of the file, or make the backup again`,
    { cause },
  );
}

function requireFormat({ format, productVersion, content }: BackupHeader): void {
  if (format !== backupFormat) {
    throw invalidBackup(
      `it has format ${format}, made by version ${productVersion}, and this version reads format ` +
        `${backupFormat}`,
    );
  }
  if (content !== "records") throw invalidBackup(`it holds only ${content}`);
}

/** Names a scope in errors. */
function scopeName({ scope }: ScopeState): string {
  switch (scope.kind) {
    case "user":
      return `user ${JSON.stringify(scope.userId)}`;
    case "run":
      return `run ${JSON.stringify(scope.runId)}`;
    case "server":
      return "the server";
  }
}

/** The pages of one scope. Can be iterated once. */
class ScopePages implements AsyncIterable<RecordPage> {
  readonly #digest = new RecordDigest();
  readonly #seenTables = new Set<string>();
  #table: string | undefined;
  #lastKey: Buffer | undefined;
  /** The beginning of a record that the next chunk continues. */
  #begun: { readonly key: string; readonly parts: Uint8Array[]; bytes: number } | undefined;
  #end: ScopeDigest | undefined;

  constructor(
    private readonly next: () => Promise<BackupChunk>,
    private readonly name: string,
  ) {}

  async *[Symbol.asyncIterator](): AsyncGenerator<RecordPage> {
    while (this.#end === undefined) {
      const chunk = await this.next();
      if (chunk.kind === "scopeEnd") this.#conclude(chunk);
      else if (chunk.kind !== "records")
        throw invalidBackup(`a chunk '${chunk.kind}' is inside of ${this.name}`);
      else {
        const page = this.#read(chunk);
        if (page.records.length > 0) yield page;
      }
    }
  }

  /** Reads the remaining pages. Returns the digest of all records of the scope. */
  async drain(): Promise<ScopeDigest> {
    for await (const _ of this);
    if (this.#end === undefined) throw new Error("the pages of a scope ended without its digest");
    return this.#end;
  }

  #read({ agentId, table, records }: Extract<BackupChunk, { kind: "records" }>): RecordPage {
    const id = JSON.stringify([agentId, table]);
    if (id !== this.#table) {
      if (this.#seenTables.has(id) || this.#begun !== undefined)
        throw invalidBackup(`the records of ${this.name} are out of order`);
      this.#seenTables.add(id);
      this.#table = id;
      this.#lastKey = undefined;
    }
    const whole: RawRecord[] = [];
    for (const { key, payload, continues } of records) {
      const record = this.#join(key, payload, continues);
      if (record !== undefined) whole.push(record);
    }
    const page = { agentId, table, records: whole };
    this.#digest.add(page);
    return page;
  }

  #join(key: string, payload: Uint8Array, continues: boolean): RawRecord | undefined {
    const begun = this.#begun;
    if (begun === undefined) {
      this.#requireOrder(key);
      if (!continues) return [key, payload];
      this.#begun = { key, parts: [payload], bytes: payload.length };
      return undefined;
    }
    if (begun.key !== key) throw invalidBackup(`a record of ${this.name} is cut off`);
    begun.parts.push(payload);
    begun.bytes += payload.length;
    if (begun.bytes > recordMaxBytes) throw invalidBackup(`a record of ${this.name} is too large`);
    if (continues) return undefined;
    this.#begun = undefined;
    return [key, Buffer.concat(begun.parts)];
  }

  /** Refuses keys that are not in ascending order, so that no record counts twice. */
  #requireOrder(key: string): void {
    const bytes = Buffer.from(key);
    if (this.#lastKey !== undefined && Buffer.compare(this.#lastKey, bytes) >= 0)
      throw invalidBackup(`the records of ${this.name} are out of order`);
    this.#lastKey = bytes;
  }

  #conclude(expected: ScopeDigest): void {
    if (this.#begun !== undefined) throw invalidBackup(`a record of ${this.name} is cut off`);
    const found = this.#digest.end();
    if (!sameDigest(found, expected))
      throw invalidBackup(
        `the records of ${this.name} are not those that were written ` +
          `(${found.records} of ${expected.records} found)`,
      );
    this.#end = found;
  }
}

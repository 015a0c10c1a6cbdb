import type { Namespace, Scope } from "../../core/model/namespace.js";
import type {
  Change,
  Head,
  OwnerOf,
  Reader,
  ScanRange,
  Table,
  Transaction,
  Usage,
  ValueOf,
} from "../../core/ports/store.js";
import { changeLogLength, isLogged } from "../change-log.js";
import { codecOf } from "../codec/table-codecs.js";
import { agentOfOwner } from "../table-owner.js";
import { changeUsage, isCounted, recordBytes } from "../usage.js";
import {
  changesAfter,
  createReader,
  createTree,
  holdsSomething,
  type ScopeVersion,
  type StoredRecord,
  type Tables,
  type Tree,
} from "./scope-version.js";

/**
 * A transaction on a version of a scope. It does not change that version: `end` returns the next
 * version.
 */
export class InMemoryTransaction implements Transaction {
  readonly head: Head;
  readonly #tablesByAgent: Map<string | undefined, Tables>;
  readonly #reader: Reader;
  /** The trees that this transaction has cloned, and may therefore change. */
  readonly #owned = new Set<Tree>();
  /** Changed keys of logged tables, by agent. */
  readonly #touched = new Map<string, Map<string, Change["touched"][number]>>();
  readonly #cleared = new Set<string>();
  #usage: Usage;
  #lastTimeMs: number;
  #wrote = false;
  #ended = false;

  constructor(
    private readonly scope: Scope,
    private readonly version: ScopeVersion,
  ) {
    this.head = version.head;
    this.#tablesByAgent = new Map(version.tablesByAgent);
    this.#reader = createReader(scope, () => this.#tablesByAgent);
    this.#usage = version.usage;
    this.#lastTimeMs = version.lastTimeMs;
  }

  get<T extends Table>(table: T, owner: OwnerOf<T>, key: string): Promise<ValueOf<T> | undefined> {
    return this.#reader.get(table, owner, key);
  }

  scan<T extends Table>(
    table: T,
    owner: OwnerOf<T>,
    range?: ScanRange,
  ): AsyncIterable<readonly [string, ValueOf<T>]> {
    return this.#reader.scan(table, owner, range);
  }

  count<T extends Table>(table: T, owner: OwnerOf<T>): Promise<number> {
    return this.#reader.count(table, owner);
  }

  countAtMost<T extends Table>(table: T, owner: OwnerOf<T>): number {
    return this.#tablesByAgent.get(agentOfOwner(this.scope, owner))?.get(table)?.size ?? 0;
  }

  async changes(afterSeq: number): Promise<readonly Change[] | undefined> {
    return changesAfter(this.version, afterSeq);
  }

  async isUnused<T extends Table>(table: T, owner: OwnerOf<T>, key: string): Promise<boolean> {
    return (await this.get(table, owner, key)) === undefined;
  }

  put<T extends Table>(table: T, owner: OwnerOf<T>, key: string, value: ValueOf<T>): void {
    this.#requireRunning();
    const agentId = agentOfOwner(this.scope, owner);
    const tree = this.#writableTree(table, agentId);
    const bytes = isCounted(table) ? recordBytes(key, codecOf(table).encode(value)) : 0;
    this.#count(table, tree.get(key), { value, bytes });
    tree.set(key, { value, bytes });
    this.#note(table, agentId, key);
  }

  delete<T extends Table>(table: T, owner: OwnerOf<T>, key: string): void {
    this.#requireRunning();
    const agentId = agentOfOwner(this.scope, owner);
    const tree = this.#writableTree(table, agentId);
    const before = tree.get(key);
    if (before === undefined) return;
    this.#count(table, before, undefined);
    tree.delete(key);
    this.#note(table, agentId, key);
  }

  async usage(): Promise<Usage> {
    return this.#usage;
  }

  async usageBefore(): Promise<Usage> {
    return this.version.usage;
  }

  usageAtMost(): Usage {
    return this.#usage;
  }

  clear(namespace: Namespace): void {
    this.#requireRunning();
    agentOfOwner(this.scope, namespace);
    const { agentId } = namespace;
    const tables = this.#tablesByAgent.get(agentId);
    if (!holdsSomething(tables)) return;
    for (const [table, tree] of tables ?? [])
      for (const record of tree.values()) this.#count(table, record, undefined);
    this.#tablesByAgent.delete(agentId);
    this.#touched.delete(agentId);
    this.#cleared.add(agentId);
    this.#wrote = true;
  }

  commitTimeMs(clockMs: number): number {
    this.#lastTimeMs = Math.max(this.#lastTimeMs, clockMs);
    return this.#lastTimeMs;
  }

  /** Ends the transaction. Returns the next version, or the same version if nothing was written. */
  end(): ScopeVersion {
    this.#ended = true;
    if (!this.#wrote) return this.version;
    const { epoch, seq } = this.version.head;
    const touched = [...this.#touched.values()].flatMap((ofAgent) => [...ofAgent.values()]);
    const change: Change = { seq: seq + 1, touched, cleared: [...this.#cleared] };
    const changes = [...this.version.changes.slice(1 - changeLogLength), change];
    return {
      head: { epoch, seq: seq + 1 },
      lastTimeMs: this.#lastTimeMs,
      tablesByAgent: this.#tablesByAgent,
      usage: this.#usage,
      changes,
    };
  }

  #requireRunning(): void {
    if (this.#ended)
      throw new Error("a write came after the function of its transaction had ended");
  }

  /** Adds the change of one record to the usage. `undefined` means no record. */
  #count(table: Table, before: StoredRecord | undefined, after: StoredRecord | undefined): void {
    const memoriesMore = table === "memories" ? Number(!!after) - Number(!!before) : 0;
    this.#usage = changeUsage(
      this.#usage,
      memoriesMore,
      (after?.bytes ?? 0) - (before?.bytes ?? 0),
    );
  }

  #writableTree(table: Table, agentId: string | undefined): Tree {
    const tables = this.#tablesByAgent.get(agentId) ?? new Map<Table, Tree>();
    const found = tables.get(table);
    if (found !== undefined && this.#owned.has(found)) return found;
    const tree = found?.clone() ?? createTree();
    this.#owned.add(tree);
    this.#tablesByAgent.set(agentId, new Map([...tables, [table, tree]]));
    return tree;
  }

  #note(table: Table, agentId: string | undefined, key: string): void {
    this.#wrote = true;
    if (agentId === undefined || !isLogged(table)) return;
    const ofAgent = this.#touched.get(agentId) ?? new Map<string, Change["touched"][number]>();
    this.#touched.set(agentId, ofAgent.set(`${table}/${key}`, { table, agentId, key }));
  }
}

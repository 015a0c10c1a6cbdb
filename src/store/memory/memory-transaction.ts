import type { Namespace, Scope } from "../../core/model/namespace.js";
import type {
  Change,
  Head,
  PlaceOf,
  Reader,
  ScanRange,
  Table,
  Transaction,
  ValueOf,
} from "../../core/ports/store.js";
import { changeLogLength, isLogged } from "../change-log.js";
import { agentOfPlace } from "../place.js";
import {
  changesAfter,
  createReader,
  createTree,
  holdsSomething,
  type ScopeState,
  type Tables,
  type Tree,
} from "./scope-state.js";

/** A transaction on a state, which stays as it is: `end` returns the next one. */
export class MemoryTransaction implements Transaction {
  readonly head: Head;
  readonly #places: Map<string | undefined, Tables>;
  readonly #reader: Reader;
  /** Trees that this transaction has made its own by cloning: only these may be written to. */
  readonly #owned = new Set<Tree>();
  /** Keys of logged tables by agent. */
  readonly #touched = new Map<string, Map<string, Change["touched"][number]>>();
  readonly #cleared = new Set<string>();
  #lastTimeMs: number;
  #wrote = false;
  #ended = false;

  constructor(
    private readonly scope: Scope,
    private readonly before: ScopeState,
  ) {
    this.head = before.head;
    this.#places = new Map(before.places);
    this.#reader = createReader(scope, () => this.#places);
    this.#lastTimeMs = before.lastTimeMs;
  }

  get<T extends Table>(table: T, place: PlaceOf<T>, key: string): Promise<ValueOf<T> | undefined> {
    return this.#reader.get(table, place, key);
  }

  scan<T extends Table>(
    table: T,
    place: PlaceOf<T>,
    range?: ScanRange,
  ): AsyncIterable<readonly [string, ValueOf<T>]> {
    return this.#reader.scan(table, place, range);
  }

  count<T extends Table>(table: T, place: PlaceOf<T>): Promise<number> {
    return this.#reader.count(table, place);
  }

  changes(afterSeq: number): readonly Change[] | undefined {
    return changesAfter(this.before, afterSeq);
  }

  put<T extends Table>(table: T, place: PlaceOf<T>, key: string, value: ValueOf<T>): void {
    this.#requireRunning();
    const agentId = agentOfPlace(this.scope, place);
    this.#writableTree(table, agentId).set(key, value);
    this.#note(table, agentId, key);
  }

  delete<T extends Table>(table: T, place: PlaceOf<T>, key: string): void {
    this.#requireRunning();
    const agentId = agentOfPlace(this.scope, place);
    if (this.#writableTree(table, agentId).delete(key)) this.#note(table, agentId, key);
  }

  clear(namespace: Namespace): void {
    this.#requireRunning();
    agentOfPlace(this.scope, namespace);
    const { agentId } = namespace;
    if (!holdsSomething(this.#places.get(agentId))) return;
    this.#places.delete(agentId);
    this.#touched.delete(agentId);
    this.#cleared.add(agentId);
    this.#wrote = true;
  }

  commitTimeMs(clockMs: number): number {
    this.#lastTimeMs = Math.max(this.#lastTimeMs, clockMs);
    return this.#lastTimeMs;
  }

  /** Ends it. Returns the state after the commit; that of before if nothing was written. */
  end(): ScopeState {
    this.#ended = true;
    if (!this.#wrote) return this.before;
    const { epoch, seq } = this.before.head;
    const touched = [...this.#touched.values()].flatMap((ofAgent) => [...ofAgent.values()]);
    const change: Change = { seq: seq + 1, touched, cleared: [...this.#cleared] };
    const changes = [...this.before.changes.slice(1 - changeLogLength), change];
    return {
      head: { epoch, seq: seq + 1 },
      lastTimeMs: this.#lastTimeMs,
      places: this.#places,
      changes,
    };
  }

  #requireRunning(): void {
    if (this.#ended) throw new Error("a transaction was written to after its function had ended");
  }

  #writableTree(table: Table, agentId: string | undefined): Tree {
    const tables = this.#places.get(agentId) ?? new Map<Table, Tree>();
    const found = tables.get(table);
    if (found !== undefined && this.#owned.has(found)) return found;
    const tree = found?.clone() ?? createTree();
    this.#owned.add(tree);
    this.#places.set(agentId, new Map([...tables, [table, tree]]));
    return tree;
  }

  #note(table: Table, agentId: string | undefined, key: string): void {
    this.#wrote = true;
    if (agentId === undefined || !isLogged(table)) return;
    const ofAgent = this.#touched.get(agentId) ?? new Map<string, Change["touched"][number]>();
    this.#touched.set(agentId, ofAgent.set(`${table}/${key}`, { table, agentId, key }));
  }
}

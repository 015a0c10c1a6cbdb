import type { Namespace, Scope } from "../../core/namespace.js";
import { type Change, type LoggedTable, loggedTables, type PlaceOf, type Table, type Transaction, type ValueOf } from "../../core/store.js";
import { changeLogLength } from "../change-log.js";
import { agentOfPlace } from "../place.js";
import { createReader, createTree, holdsSomething, type ScopeState, type Tables, type Tree } from "./scope-state.js";

/** A transaction, and the state that it leads to. */
export interface OpenTransaction {
  readonly transaction: Transaction;
  /** The state after the commit; that of before if nothing was written. */
  commit(): ScopeState;
}

function isLogged(table: Table): table is LoggedTable {
  return (loggedTables as readonly Table[]).includes(table);
}

/** Begins a transaction on a state, which stays as it is. */
export function beginTransaction(scope: Scope, before: ScopeState): OpenTransaction {
  const places = new Map(before.places);
  /** Trees that this transaction has made its own by cloning: only these may be written to. */
  const owned = new Set<Tree>();
  /** Keys of logged tables by agent. */
  const touched = new Map<string, Map<string, Change["touched"][number]>>();
  const cleared = new Set<string>();
  let wrote = false;
  let ended = false;
  let lastTimeMs = before.lastTimeMs;

  function requireRunning(): void {
    if (ended) throw new Error("a transaction was written to after its function had ended");
  }

  function writableTree(table: Table, agentId: string | undefined): Tree {
    const tables = places.get(agentId) ?? new Map<Table, Tree>();
    const found = tables.get(table);
    if (found !== undefined && owned.has(found)) return found;
    const tree = found?.clone() ?? createTree();
    owned.add(tree);
    const changed: Tables = new Map([...tables, [table, tree]]);
    places.set(agentId, changed);
    return tree;
  }

  function note(table: Table, agentId: string | undefined, key: string): void {
    wrote = true;
    if (agentId === undefined || !isLogged(table)) return;
    const ofAgent = touched.get(agentId) ?? new Map<string, Change["touched"][number]>();
    touched.set(agentId, ofAgent.set(`${table}/${key}`, { table, agentId, key }));
  }

  const transaction: Transaction = {
    ...createReader(scope, () => places),
    head: before.head,

    put<T extends Table>(table: T, place: PlaceOf<T>, key: string, value: ValueOf<T>): void {
      requireRunning();
      const agentId = agentOfPlace(scope, place);
      writableTree(table, agentId).set(key, value);
      note(table, agentId, key);
    },

    delete<T extends Table>(table: T, place: PlaceOf<T>, key: string): void {
      requireRunning();
      const agentId = agentOfPlace(scope, place);
      if (writableTree(table, agentId).delete(key)) note(table, agentId, key);
    },

    clear(namespace: Namespace): void {
      requireRunning();
      const { agentId } = namespace;
      agentOfPlace(scope, namespace);
      if (!holdsSomething(places.get(agentId))) return;
      places.delete(agentId);
      touched.delete(agentId);
      cleared.add(agentId);
      wrote = true;
    },

    commitTimeMs(clockMs: number): number {
      lastTimeMs = Math.max(lastTimeMs, clockMs);
      return lastTimeMs;
    },
  };

  return {
    transaction,
    commit() {
      ended = true;
      if (!wrote) return before;
      const seq = before.head.seq + 1;
      const change: Change = { seq, touched: [...touched.values()].flatMap((ofAgent) => [...ofAgent.values()]), cleared: [...cleared] };
      const changes = [...before.changes.slice(1 - changeLogLength), change];
      return { head: { epoch: before.head.epoch, seq }, lastTimeMs, places, changes };
    },
  };
}

import { createHash } from "node:crypto";
import { VademecumError } from "../../../src/core/model/errors.js";
import type { Namespace, Scope } from "../../../src/core/model/namespace.js";
import {
  blockVersionKey,
  deliveryKey,
  manifestKey,
  memoryVersionKey,
  replyKey,
} from "../../../src/core/model/record-keys.js";
import type {
  NamespaceTable,
  OwnerOf,
  ScopeTable,
  Snapshot,
  Store,
  Table,
} from "../../../src/core/ports/store.js";
import { namespaceRecords, scopeRecords } from "../../contract/sample-records.js";
import { userScope, users, writeNext } from "./plan.js";

const commits = 60;
const copies = 12;

const scopes: readonly Scope[] = [
  ...users.map(userScope),
  { kind: "run", runId: "run" },
  { kind: "server" },
];
const agents: readonly string[] = ["x", "y", "all tables"];

/** For each table, by `owner / table`: the digest of each record's value, by the record's key. */
export type Records = ReadonlyMap<string, ReadonlyMap<string, string>>;

/** For each table, as in `Records`: the digests of all values that each key has had. */
export type History = ReadonlyMap<string, ReadonlyMap<string, ReadonlySet<string>>>;

/** Whether a record has had this value at some time. */
export function wasWritten(history: History, table: string, key: string, digest: string): boolean {
  return history.get(table)?.get(key)?.has(digest) === true;
}

/**
 * Writes records into every table. Changes and deletes some of them again. Returns every value that
 * was written.
 */
export async function fillAllTables(store: Store): Promise<History> {
  const history = new Map<string, Map<string, Set<string>>>();
  for (let commit = 0; commit < commits; commit++) {
    for (const userId of users)
      await store.update(userScope(userId), (tx) => writeNext(tx, userId));
    if (commit < copies) await fillSamples(store, `key ${commit}`);
    const now = await readAllTables(store, undefined, (table) => {
      throw new Error(`${table} is damaged in the original data folder`);
    });
    for (const [table, records] of now) {
      const values = history.get(table) ?? new Map<string, Set<string>>();
      history.set(table, values);
      for (const [key, digest] of records)
        values.set(key, (values.get(key) ?? new Set()).add(digest));
    }
    if (commit > copies && commit % 8 === 0) await deleteSamples(store, `key ${commit / 8}`);
  }
  return history;
}

/** Returns the key of a sample with a name. A namespace has one profile of each kind. */
function keyIn(table: Table, name: string): string {
  const keys: { readonly [T in Table]?: string } = {
    profiles: "vectors",
    memoryVersions: memoryVersionKey(name, namespaceRecords.memoryVersions.memory.version),
    blockVersions: blockVersionKey(name, scopeRecords.blockVersions.version),
    toolManifests: manifestKey(name, scopeRecords.toolManifests.version),
    replies: replyKey("Add", undefined, name),
    deliveries: deliveryKey,
  };
  return keys[table] ?? name;
}

/** Returns a record whose id, label or tool is its name, if it has one. */
function named<T>(value: T, name: string): T {
  if (typeof value !== "object" || value === null || ArrayBuffer.isView(value)) return value;
  if ("id" in value) return { ...value, id: name };
  if ("toolId" in value) return { ...value, toolId: name };
  if ("memory" in value) return { ...value, memory: named(value.memory, name) };
  return "label" in value ? { ...value, label: name } : value;
}

async function fillSamples(store: Store, key: string): Promise<void> {
  const [userId = ""] = users;
  const namespace: Namespace = { userId, agentId: "all tables" };
  await store.update(userScope(userId), async (tx) => {
    for (const table of Object.keys(namespaceRecords) as NamespaceTable[])
      tx.put(table, namespace, keyIn(table, key), named(namespaceRecords[table], key));
  });
  for (const scope of scopes) {
    await store.update(scope, async (tx) => {
      for (const table of Object.keys(scopeRecords) as ScopeTable[])
        tx.put(table, scope, keyIn(table, key), named(scopeRecords[table], key));
    });
  }
}

async function deleteSamples(store: Store, key: string): Promise<void> {
  for (const scope of scopes) {
    await store.update(scope, async (tx) => {
      for (const table of Object.keys(scopeRecords) as ScopeTable[])
        tx.delete(table, scope, keyIn(table, key));
    });
  }
}

/**
 * Reads all records of all tables by scans, and each of the `known` records by its key. Calls
 * `onDataLoss` with each table that answers DATA_LOSS, and with `snapshot` when the snapshot of a
 * scope answers DATA_LOSS.
 */
export async function readAllTables(
  store: Store,
  known: Records | undefined,
  onDataLoss: (table: string) => void,
): Promise<Records> {
  const records = new Map<string, ReadonlyMap<string, string>>();
  for (const scope of scopes) {
    await using snapshot = await unlessLost(() => store.snapshot(scope), "snapshot", onDataLoss);
    if (snapshot === undefined) continue;
    for (const [name, table, owner] of tablesOf(scope)) {
      const read = () => readTable(snapshot, table, owner, known?.get(name));
      const found = await unlessLost(read, name, onDataLoss);
      if (found !== undefined) records.set(name, found);
    }
  }
  return records;
}

function* tablesOf(scope: Scope): Generator<readonly [string, Table, OwnerOf<Table>]> {
  const name = JSON.stringify(scope);
  for (const table of Object.keys(scopeRecords) as ScopeTable[])
    yield [`${name} / ${table}`, table, scope];
  if (scope.kind !== "user") return;
  for (const agentId of agents) {
    const owner = { userId: scope.userId, agentId };
    for (const table of Object.keys(namespaceRecords) as NamespaceTable[])
      yield [`${JSON.stringify(owner)} / ${table}`, table, owner];
  }
}

async function readTable(
  snapshot: Snapshot,
  table: Table,
  owner: OwnerOf<Table>,
  known: ReadonlyMap<string, string> | undefined,
): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for await (const [key, value] of snapshot.scan(table, owner)) found.set(key, digestOf(value));
  if ((await snapshot.count(table, owner)) !== found.size)
    throw new Error(`${table}: the count is not the number of records`);
  for (const [key, digest] of known ?? []) {
    const value = await snapshot.get(table, owner, key);
    if (value === undefined || digestOf(value) !== digest)
      throw new Error(`${table}: '${key}' is not what was written`);
  }
  return found;
}

function digestOf(value: unknown): string {
  const text = JSON.stringify(value, (_, part: unknown) =>
    part instanceof Float32Array
      ? Buffer.from(part.buffer, part.byteOffset, part.byteLength)
      : part,
  );
  return createHash("sha256").update(text).digest("base64");
}

async function unlessLost<T>(
  read: () => Promise<T>,
  name: string,
  onDataLoss: (table: string) => void,
): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof VademecumError && error.code === "DATA_LOSS")) throw error;
    onDataLoss(name);
    return undefined;
  }
}

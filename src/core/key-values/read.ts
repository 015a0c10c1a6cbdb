import type { KeyEntry } from "../model/key-value.js";
import type { Scope } from "../model/namespace.js";
import type { Call } from "../ports/call.js";
import type { Snapshot } from "../ports/store.js";
import { firstOfMessage, listPage, type Page } from "../requests/list-page.js";
import { createPause } from "../requests/pause.js";
import type { FoundKeys, KeyValueServiceParts, ListKeysQuery } from "./service.js";

/** Reads the value of a key. */
export async function readKey(
  { store }: KeyValueServiceParts,
  runId: string,
  key: string,
): Promise<string | undefined> {
  const scope: Scope = { kind: "run", runId };
  await using snapshot = await store.snapshot(scope);
  return (await snapshot.get("keyValues", scope, key))?.value;
}

/** Reads the values of several keys. Lets other calls run every few milliseconds. */
export async function readKeys(
  { store }: KeyValueServiceParts,
  runId: string,
  keys: readonly string[],
  call: Call,
): Promise<FoundKeys> {
  const scope: Scope = { kind: "run", runId };
  const found: KeyEntry[] = [];
  const pause = createPause(() => call.throwIfEnded());
  await using snapshot = await store.snapshot(scope);
  for (const key of new Set(keys)) {
    const entry = await entryOf(snapshot, scope, key);
    if (entry !== undefined) found.push(entry);
    await pause();
  }
  const entries = await firstOfMessage(found);
  return { entries, unreadKeys: found.slice(entries.length).map(({ key }) => key) };
}

async function entryOf(
  snapshot: Snapshot,
  scope: Scope,
  key: string,
): Promise<KeyEntry | undefined> {
  const found = await snapshot.get("keyValues", scope, key);
  return found && { key, value: found.value, version: found.version };
}

/**
 * Lists a page of keys in the order of their first writes. Later pages include keys that were
 * written after the first page was read.
 */
export function listKeys(
  parts: KeyValueServiceParts,
  query: ListKeysQuery,
  call: Call,
): Promise<Page<string>> {
  return listWith(parts, query, call, (key) => key);
}

/** Lists a page of keys as `listKeys` does, with their values. */
export function listEntries(
  parts: KeyValueServiceParts,
  query: ListKeysQuery,
  call: Call,
): Promise<Page<KeyEntry>> {
  return listWith(parts, query, call, (key, snapshot, scope) => entryOf(snapshot, scope, key));
}

function listWith<T>(
  { store }: KeyValueServiceParts,
  query: ListKeysQuery,
  call: Call,
  toItem: (key: string, snapshot: Snapshot, scope: Scope) => T | undefined | Promise<T | undefined>,
): Promise<Page<T>> {
  const { runId, pattern = "", prefix = "", limit = Number.POSITIVE_INFINITY, pageToken } = query;
  const scope: Scope = { kind: "run", runId };
  return listPage(store, {
    scope,
    binding: ["ListKeys", runId, pattern, prefix],
    table: "keyPositions",
    owner: scope,
    limit,
    pageToken,
    call,
    toItem: (_, key, snapshot) =>
      key.startsWith(prefix) && key.includes(pattern) ? toItem(key, snapshot, scope) : undefined,
  });
}

import type { Scope } from "../model/namespace.js";
import type { Call } from "../ports/call.js";
import { listPage, type Page } from "../requests/list-page.js";
import type { KeyValueServiceParts, ListKeysQuery } from "./service.js";

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

/**
 * Lists a page of keys in the order of their first writes. Later pages include keys that were
 * written after the first page was read.
 */
export function listKeys(
  { store }: KeyValueServiceParts,
  query: ListKeysQuery,
  call: Call,
): Promise<Page<string>> {
  const { runId, pattern = "", limit = Number.POSITIVE_INFINITY, pageToken } = query;
  const scope: Scope = { kind: "run", runId };
  return listPage(store, {
    scope,
    binding: ["ListKeys", runId, pattern],
    table: "keyPositions",
    owner: scope,
    limit,
    pageToken,
    call,
    toItem: (_, key) => (key.includes(pattern) ? key : undefined),
  });
}

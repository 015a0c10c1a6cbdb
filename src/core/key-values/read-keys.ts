import type { Scope } from "../model/namespace.js";
import type { Call } from "../ports/call.js";
import { type Page, readPage } from "../requests/page.js";
import { type PageBinding, readPageToken } from "../requests/page-token.js";
import type { KeyValueServiceParts, ListKeysQuery } from "./key-value-service.js";

/** The value of a key; `undefined` if the run has none. */
export async function readKey(
  { store }: KeyValueServiceParts,
  runId: string,
  key: string,
): Promise<string | undefined> {
  const scope: Scope = { kind: "run", runId };
  await using snapshot = await store.snapshot(scope);
  return (await snapshot.get("keyValues", scope, key))?.value;
}

/** Lists a page of keys in the order in which they were first written. What is written meanwhile comes behind the last page, so pages neither skip nor repeat. */
export async function listKeys(
  { store }: KeyValueServiceParts,
  query: ListKeysQuery,
  call: Call,
): Promise<Page<string>> {
  const { runId, pattern = "", limit = Number.POSITIVE_INFINITY, pageToken } = query;
  const scope: Scope = { kind: "run", runId };
  await using snapshot = await store.snapshot(scope);
  const binding: PageBinding = {
    epoch: snapshot.head.epoch,
    listing: ["ListKeys", runId, pattern],
  };
  const after = pageToken === "" ? {} : { after: readPageToken(binding, pageToken) };
  const entries = async function* () {
    for await (const entry of snapshot.scan("keyPositions", scope, after)) {
      call.throwIfEnded();
      if (entry[1].includes(pattern)) yield entry;
    }
  };
  return await readPage(entries(), limit, binding);
}

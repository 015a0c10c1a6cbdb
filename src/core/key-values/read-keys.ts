import type { Call } from "../call.js";
import type { Scope } from "../namespace.js";
import { createPageToken, type PageBinding, readPageToken } from "../page-token.js";
import type { Snapshot } from "../store.js";
import type { KeyPage, KeyValueServiceParts, ListKeysQuery } from "./key-value-service.js";

/** A page ends before its keys grow beyond this as JSON: most clients take no message of more than 4 MiB. */
const pageMaxBytes = 3 * 1024 * 1024;

/** The value of a key; `undefined` if the run has none. */
export function readKey(parts: KeyValueServiceParts, runId: string, key: string): Promise<string | undefined> {
  const scope: Scope = { kind: "run", runId };
  return withSnapshot(parts, scope, async (snapshot) => (await snapshot.get("keyValues", scope, key))?.value);
}

/** Lists a page of keys in the order in which they were first written. What is written meanwhile comes behind the last page, so pages neither skip nor repeat. */
export function listKeys(parts: KeyValueServiceParts, query: ListKeysQuery, call: Call): Promise<KeyPage> {
  const { runId, pattern = "", limit = Number.POSITIVE_INFINITY, pageToken } = query;
  const scope: Scope = { kind: "run", runId };
  return withSnapshot(parts, scope, async (snapshot) => {
    const binding: PageBinding = { epoch: snapshot.head.epoch, listing: ["ListKeys", runId, pattern] };
    const after = pageToken === "" ? {} : { after: readPageToken(binding, pageToken) };
    const keys: string[] = [];
    let last = "";
    let bytes = 0;
    for await (const [position, key] of snapshot.scan("keyPositions", scope, after)) {
      call.throwIfEnded();
      if (!key.includes(pattern)) continue;
      bytes += Buffer.byteLength(JSON.stringify(key)) + 1;
      if (keys.length === limit || (bytes > pageMaxBytes && keys.length > 0)) {
        return { keys, nextPageToken: createPageToken(binding, last) };
      }
      keys.push(key);
      last = position;
    }
    return { keys, nextPageToken: "" };
  });
}

async function withSnapshot<T>({ store }: KeyValueServiceParts, scope: Scope, read: (snapshot: Snapshot) => Promise<T>): Promise<T> {
  const snapshot = await store.snapshot(scope);
  try {
    return await read(snapshot);
  } finally {
    await snapshot.close();
  }
}

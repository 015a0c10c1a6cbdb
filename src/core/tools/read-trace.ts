import { type Namespace, scopeOf } from "../model/namespace.js";
import { turnPrefix } from "../model/record-keys.js";
import type { TurnEntry } from "../model/turn-entry.js";
import type { Call } from "../ports/call.js";
import type { Store } from "../ports/store.js";
import { createPause } from "../requests/pause.js";
import type { TurnTraceQuery } from "./service.js";
import type { TurnLog } from "./turn-log.js";

/** Number of entries in a page. */
const pageSize = 100;

/**
 * Yields the pages of a trace, oldest entry first. Each page comes from one snapshot, and no
 * snapshot stays open while the consumer works.
 */
export async function* readTurnTrace(
  { store, turnLog }: { readonly store: Store; readonly turnLog: TurnLog },
  query: TurnTraceQuery,
  call: Call,
): AsyncGenerator<readonly TurnEntry[]> {
  const { namespace } = query;
  const [table, prefix] =
    "requestId" in query
      ? (["turnsByRequest", turnPrefix(query.requestId)] as const)
      : (["turnsByTask", turnPrefix(query.taskId)] as const);
  await turnLog.flush(namespace);
  for (let after: string | undefined = prefix; after !== undefined; ) {
    call.throwIfEnded();
    const page: { readonly entries: readonly TurnEntry[]; readonly last: string | undefined } =
      await readPage(store, namespace, table, prefix, after);
    if (page.entries.length > 0) yield page.entries;
    after = page.last;
  }
}

/**
 * Reads the page after a key. `last` is the key after which the next page begins; `undefined` on
 * the last page.
 */
async function readPage(
  store: Store,
  namespace: Namespace,
  table: "turnsByRequest" | "turnsByTask",
  prefix: string,
  after: string,
) {
  await using snapshot = await store.snapshot(scopeOf(namespace));
  const pause = createPause();
  const entries: TurnEntry[] = [];
  for await (const [key] of snapshot.scan(table, namespace, { after })) {
    if (!key.startsWith(prefix)) break;
    const entry = await snapshot.get("turnEntries", namespace, key.slice(prefix.length));
    if (entry !== undefined) entries.push(entry);
    if (entries.length === pageSize) return { entries, last: key };
    await pause();
  }
  return { entries, last: undefined };
}

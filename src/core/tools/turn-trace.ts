import { type Namespace, scopeOf } from "../model/namespace.js";
import type { TurnEntry } from "../model/turn-entry.js";
import type { Call } from "../ports/call.js";
import type { Store } from "../ports/store.js";
import type { TurnTraceQuery } from "./tool-service.js";
import { type TurnLog, turnPrefix } from "./turn-log.js";

/** Entries that are read and handed out at once. */
const pageSize = 100;

/** Reads a trace, oldest entry first. Each page is of one state, and nothing is held while a caller takes its time. */
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
  await turnLog.written(namespace);
  for (let after: string | undefined = prefix; after !== undefined; ) {
    call.throwIfEnded();
    const page: { readonly entries: readonly TurnEntry[]; readonly last: string | undefined } =
      await readPage(store, namespace, table, prefix, after);
    if (page.entries.length > 0) yield page.entries;
    after = page.last;
  }
}

/** A page of entries behind a key. `last`: where to go on; `undefined`: there is no more. */
async function readPage(
  store: Store,
  namespace: Namespace,
  table: "turnsByRequest" | "turnsByTask",
  prefix: string,
  after: string,
) {
  await using snapshot = await store.snapshot(scopeOf(namespace));
  const entries: TurnEntry[] = [];
  for await (const [key] of snapshot.scan(table, namespace, { after })) {
    if (!key.startsWith(prefix)) break;
    const entry = await snapshot.get("turnEntries", namespace, key.slice(prefix.length));
    if (entry !== undefined) entries.push(entry);
    if (entries.length === pageSize) return { entries, last: key };
  }
  return { entries, last: undefined };
}

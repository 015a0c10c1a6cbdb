import { type Namespace, scopeOf } from "../model/namespace.js";
import { turnPrefix } from "../model/record-keys.js";
import type { TurnEntry, TurnEvent } from "../model/turn-entry.js";
import type { Call } from "../ports/call.js";
import type { Store } from "../ports/store.js";
import { listPage, type Page, pageOfEntries } from "../requests/list-page.js";
import { createPause } from "../requests/pause.js";
import type { ListTurnEntriesQuery, ListTurnsQuery, TurnSummary } from "./service.js";
import type { TurnLog } from "./turn-log.js";

/** The dependencies of reading traces. */
interface TraceParts {
  readonly store: Store;
  readonly turnLog: TurnLog;
}

/** Lists a page of a trace, oldest entry first. */
export async function listTurnEntries(
  { store, turnLog }: TraceParts,
  { trace, limit, pageToken }: ListTurnEntriesQuery,
  call: Call,
): Promise<Page<TurnEntry>> {
  const { namespace } = trace;
  const [table, id] =
    "requestId" in trace
      ? (["turnsByRequest", trace.requestId] as const)
      : (["turnsByTask", trace.taskId] as const);
  const prefix = turnPrefix(id);
  await turnLog.flush(namespace);
  return listPage(store, {
    scope: scopeOf(namespace),
    binding: ["ListTurnEntries", namespace, table, id],
    ...{ table, owner: namespace, prefix, limit, pageToken, call },
    toItem: (key, _, snapshot) => snapshot.get("turnEntries", namespace, key.slice(prefix.length)),
  });
}

/** Lists a page of turns, newest first. */
export async function listTurns(
  { store, turnLog }: TraceParts,
  query: ListTurnsQuery,
  call: Call,
): Promise<Page<TurnSummary>> {
  const { namespace, events } = query;
  await turnLog.flush(namespace);
  const { epoch } = await store.head(scopeOf(namespace));
  const listing = ["ListTurns", namespace, events];
  return pageOfEntries((after) => turnsAfter(store, namespace, events, after, call), query, {
    ...{ epoch, tenant: store.tenant, pageKey: store.pageKey, listing },
  });
}

/** Yields turns with the ids of their oldest entries, newest turn first. */
async function* turnsAfter(
  store: Store,
  namespace: Namespace,
  events: readonly TurnEvent[],
  after: string | undefined,
  call: Call,
): AsyncGenerator<readonly [id: string, turn: TurnSummary]> {
  const range = { reverse: true, ...(after === undefined ? {} : { after }) };
  const pause = createPause();
  await using snapshot = await store.snapshot(scopeOf(namespace));
  let turn: GrowingTurn | undefined;
  for await (const [id, entry] of snapshot.scan("turnEntries", namespace, range)) {
    call.throwIfEnded();
    await pause();
    if (turn !== undefined && turn.requestId !== entry.requestId) {
      if (turn.hasOneOf(events)) yield [turn.oldestId, turn.summary()];
      turn = undefined;
    }
    turn ??= new GrowingTurn(entry.requestId);
    turn.add(id, entry);
  }
  if (turn?.hasOneOf(events) === true) yield [turn.oldestId, turn.summary()];
}

/** Adds up the entries of one turn. */
class GrowingTurn {
  readonly #entries: TurnEntry[] = [];
  #oldestId = "";

  constructor(readonly requestId: string) {}

  get oldestId(): string {
    return this.#oldestId;
  }

  add(id: string, entry: TurnEntry): void {
    this.#entries.push(entry);
    this.#oldestId = id;
  }

  hasOneOf(events: readonly TurnEvent[]): boolean {
    return events.length === 0 || this.#entries.some(({ event }) => events.includes(event));
  }

  /** Requires: the turn has an entry. */
  summary(): TurnSummary {
    const [newest] = this.#entries as [TurnEntry];
    const count = (...events: TurnEvent[]) =>
      this.#entries.filter(({ event }) => events.includes(event)).length;
    return {
      requestId: this.requestId,
      taskId: newest.taskId,
      toolIds: [...new Set(this.#entries.map(({ toolId }) => toolId))].sort(),
      queries: new Set(
        this.#entries.map(({ toolId, queryId }) => JSON.stringify([toolId, queryId])),
      ).size,
      denied: count("DENIED"),
      failed: count("FAILED", "INVALID"),
      truncated: count("TRUNCATED"),
      tokensUsed: this.#entries.reduce((sum, { tokensUsed }) => sum + tokensUsed, 0),
      time: newest.time,
      durationMs: Math.max(...this.#entries.map(({ durationMs }) => durationMs)),
    };
  }
}

import { millisOfInstant } from "../model/instant.js";
import { type Namespace, scopeOf } from "../model/namespace.js";
import { type TurnEntry, turnEntryLifetimeMs } from "../model/turn-entry.js";
import type { Call } from "../ports/call.js";
import type { Clock } from "../ports/clock.js";
import type { Store } from "../ports/store.js";
import type { Prunable } from "../pruning/prunable.js";
import { deleteTurnEntry } from "./turn-log.js";

/** Maximum number of entries that one transaction removes, so that it takes milliseconds. */
const removedPerStep = 200;

/** Removes the trace entries that have reached their lifetime. */
export function createTurnPruning({
  store,
  clock,
  keepMs = turnEntryLifetimeMs,
}: {
  readonly store: Store;
  readonly clock: Clock;
  /** How long entries are kept, in milliseconds. Default `turnEntryLifetimeMs`. */
  readonly keepMs?: number;
}): Prunable {
  return {
    name: "turn_entries",
    async pruneAll(call, dryRun) {
      const oldestMs = clock.nowMs() - keepMs;
      let pruned = 0;
      for await (const namespace of store.namespaces()) {
        for await (const old of oldEntries(store, namespace, oldestMs, call)) {
          if (!dryRun) await remove(store, namespace, old);
          pruned += old.length;
        }
      }
      return pruned;
    },
  };
}

type KeyedEntry = readonly [id: string, entry: TurnEntry];

/** Yields the entries older than `oldestMs` in steps. Holds no snapshot between two steps. */
async function* oldEntries(
  store: Store,
  namespace: Namespace,
  oldestMs: number,
  call: Call,
): AsyncGenerator<readonly KeyedEntry[]> {
  for (let after: string | undefined = ""; after !== undefined; ) {
    call.throwIfEnded();
    const old = await readOld(store, namespace, oldestMs, after);
    if (old.length > 0) yield old;
    after = old.length === removedPerStep ? old.at(-1)?.[0] : undefined;
  }
}

async function readOld(
  store: Store,
  namespace: Namespace,
  oldestMs: number,
  after: string,
): Promise<readonly KeyedEntry[]> {
  const old: KeyedEntry[] = [];
  await using snapshot = await store.snapshot(scopeOf(namespace));
  if ((await snapshot.count("turnEntries", namespace)) === 0) return old;
  // Ids sort by time, so the first younger entry ends the scan.
  for await (const [id, entry] of snapshot.scan(
    "turnEntries",
    namespace,
    after === "" ? {} : { after },
  )) {
    if (old.length === removedPerStep || millisOfInstant(entry.time) >= oldestMs) break;
    old.push([id, entry]);
  }
  return old;
}

async function remove(
  store: Store,
  namespace: Namespace,
  entries: readonly KeyedEntry[],
): Promise<void> {
  await store.update(scopeOf(namespace), async (tx) => {
    for (const [id, entry] of entries) deleteTurnEntry(tx, namespace, id, entry);
  });
}

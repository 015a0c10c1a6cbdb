import { type Instant, instantOfMillis } from "../model/instant.js";
import { type Namespace, scopeOf } from "../model/namespace.js";
import { isExpired } from "../model/visibility.js";
import type { Call } from "../ports/call.js";
import { changeProposals } from "../proposal-records/change-proposals.js";
import type { Prunable } from "../pruning/prunable.js";
import { createPause } from "../requests/pause.js";
import { releaseIndexIfEmpty } from "../requests/release-index.js";
import { removeMemories } from "./records.js";
import type { MemoryServiceParts } from "./service.js";

/** The dependencies of pruning memories. */
export type MemoryPruningParts = Pick<MemoryServiceParts, "store" | "index" | "clock" | "wakeUps">;

/** Maximum number of memories that one transaction removes, so that it takes milliseconds. */
const removedPerStep = 100;

/** Prunes the expired memories of all namespaces, with the texts of all proposals about them. */
export function expiredMemories(parts: MemoryPruningParts): Prunable {
  return {
    name: "expired_memories",
    async pruneAll(call, dryRun) {
      let expired = 0;
      for await (const namespace of parts.store.namespaces()) {
        call.throwIfEnded();
        const ids = await expiredIds(parts, namespace, call);
        if (dryRun) expired += ids.length;
        else expired += await removeInSteps(parts, namespace, ids, call);
      }
      return expired;
    },
  };
}

async function expiredIds(
  { store, clock }: MemoryPruningParts,
  namespace: Namespace,
  call: Call,
): Promise<string[]> {
  const now = instantOfMillis(clock.nowMs());
  const ids: string[] = [];
  const pause = createPause(() => call.throwIfEnded());
  await using snapshot = await store.snapshot(scopeOf(namespace));
  if ((await snapshot.count("memories", namespace)) === 0) return ids;
  for await (const [id, memory] of snapshot.scan("memories", namespace)) {
    if (isExpired(memory, now)) ids.push(id);
    await pause();
  }
  return ids;
}

async function removeInSteps(
  parts: MemoryPruningParts,
  namespace: Namespace,
  ids: readonly string[],
  call: Call,
): Promise<number> {
  let removed = 0;
  for (let from = 0; from < ids.length; from += removedPerStep) {
    call.throwIfEnded();
    removed += await removeExpired(parts, namespace, ids.slice(from, from + removedPerStep));
  }
  return removed;
}

/** Removes the memories that are still expired. Returns their number. */
async function removeExpired(
  { store, index, clock, wakeUps }: MemoryPruningParts,
  namespace: Namespace,
  ids: readonly string[],
): Promise<number> {
  const { userId } = namespace;
  const nowMs = clock.nowMs();
  const now: Instant = instantOfMillis(nowMs);
  return changeProposals({ wakeUps }, userId, (changed) =>
    releaseIndexIfEmpty(index, "memories", namespace, async (rest) => {
      const { result } = await store.update(scopeOf(namespace), async (tx) => {
        const expired = new Set<string>();
        for (const id of ids) {
          const memory = await tx.get("memories", namespace, id);
          // An Update may have changed the expiry since.
          if (memory !== undefined && isExpired(memory, now)) expired.add(id);
        }
        await removeMemories({ tx, userId, nowMs, changed }, namespace, expired);
        await rest.count(tx);
        return expired.size;
      });
      return result;
    }),
  );
}

import { type Scope, userScope } from "../model/namespace.js";
import { blockVersionKey } from "../model/record-keys.js";
import type { Call } from "../ports/call.js";
import type { Prunable } from "../pruning/prunable.js";
import { createPause } from "../requests/pause.js";
import type { BlockServiceParts } from "./service.js";

/** Maximum number of versions that one transaction removes, so that it takes milliseconds. */
const removedPerStep = 100;

/**
 * Removes all but the newest versions of each block.
 *
 * @param kept the number of versions to keep, with the present one; at least 1
 */
export function oldBlockVersions(
  { store }: Pick<BlockServiceParts, "store">,
  kept: number,
): Prunable {
  return {
    name: "block_versions",
    async pruneAll(call, dryRun) {
      let old = 0;
      for await (const scope of store.scopes()) {
        call.throwIfEnded();
        if (scope.kind !== "user") continue;
        const keys = await oldKeys(store, scope, kept, call);
        old += keys.length;
        for (let from = 0; !dryRun && from < keys.length; from += removedPerStep) {
          call.throwIfEnded();
          await remove(store, scope.userId, keys.slice(from, from + removedPerStep));
        }
      }
      return old;
    },
  };
}

/** Returns the keys of the versions that are not among the newest. */
async function oldKeys(
  store: BlockServiceParts["store"],
  scope: Scope,
  kept: number,
  call: Call,
): Promise<readonly string[]> {
  const keys: string[] = [];
  await using snapshot = await store.snapshot(scope);
  const [blocks, versions] = [
    await snapshot.count("blocks", scope),
    await snapshot.count("blockVersions", scope),
  ];
  // No block has more than `kept` versions.
  if (versions - blocks < kept) return keys;
  const pause = createPause(() => call.throwIfEnded());
  for await (const [label, { version }] of snapshot.scan("blocks", scope)) {
    for (let old = version - kept; old >= 1; old--) {
      await pause();
      const key = blockVersionKey(label, old);
      // Earlier prunings have removed all versions before the first missing one.
      if ((await snapshot.get("blockVersions", scope, key)) === undefined) break;
      keys.push(key);
    }
  }
  return keys;
}

async function remove(
  store: BlockServiceParts["store"],
  userId: string,
  keys: readonly string[],
): Promise<void> {
  const scope = userScope(userId);
  // A version never changes. A block may have been deleted since, or renamed: then its versions
  // have other keys.
  await store.update(scope, async (tx) => {
    for (const key of keys) tx.delete("blockVersions", scope, key);
  });
}

import {
  createUseTimes,
  laterOf,
  type UseTimes,
  type UseTimesParts,
} from "../requests/use-times.js";

/** Creates a recorder of the times at which tools read memories. */
export function createMemoryUses(parts: Omit<UseTimesParts, "write">): UseTimes {
  return createUseTimes({
    ...parts,
    async write(tx, namespace, id, time) {
      if (await tx.isUnused("memories", namespace, id)) return;
      const known = await tx.get("memoryUses", namespace, id);
      const lastUsedTime = known === undefined ? time : laterOf(known.lastUsedTime, time);
      tx.put("memoryUses", namespace, id, { lastUsedTime });
    },
  });
}

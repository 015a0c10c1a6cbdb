import {
  createUseTimes,
  laterOf,
  type UseTimes,
  type UseTimesParts,
} from "../requests/use-times.js";

/** Creates a recorder of the times at which skills were used. */
export function createSkillUses(parts: Omit<UseTimesParts, "write">): UseTimes {
  return createUseTimes({
    ...parts,
    async write(tx, namespace, id, time) {
      const use = await tx.get("skillUses", namespace, id);
      if (use === undefined) return;
      tx.put("skillUses", namespace, id, { ...use, lastUsedTime: laterOf(use.lastUsedTime, time) });
    },
  });
}

import type { Log } from "../core/ports/log.js";
import type { Store } from "../core/ports/store.js";
import type { Prunable } from "../core/pruning/prunable.js";
import { createSkillService, disabledSkillService } from "../core/skills/create-service.js";
import { prunableSkills } from "../core/skills/prune-stale.js";
import type { SkillService, SkillServiceParts } from "../core/skills/service.js";
import { createSkillUses } from "../core/skills/skill-uses.js";

/** The skill service of one tenant, with its pruning. */
export interface SkillsHandle {
  readonly skills: SkillService;
  /** The skill records that the server prunes. */
  readonly prunables: readonly Prunable[];
  /** Writes the last use times of skills that are not written yet. Requires: no call is running. */
  close(): Promise<void>;
}

/**
 * Opens the skill service of a tenant.
 *
 * @param pruned the view of the store in which pruning looks for skills
 */
export function openSkills(
  parts: Omit<SkillServiceParts, "uses">,
  { isOn, pruned, log }: { isOn: boolean; pruned: Store; log: Log },
): SkillsHandle {
  if (!isOn) return { skills: disabledSkillService, prunables: [], close: async () => {} };
  const onFailure = (error: unknown): void =>
    log("error", "cannot write the last use times of skills", { error });
  const uses = createSkillUses({ store: parts.store, timer: parts.timer, onFailure });
  const all = { ...parts, uses };
  return {
    skills: createSkillService(all),
    prunables: [prunableSkills({ ...all, store: pruned })],
    close: () => uses.close(),
  };
}

import type { Log } from "../core/ports/log.js";
import type { Timer } from "../core/ports/timer.js";
import type { Prunable } from "../core/pruning/prunable.js";
import { createSkillService, disabledSkillService } from "../core/skills/create-service.js";
import { prunableSkills } from "../core/skills/prune-stale.js";
import type { SkillService, SkillServiceParts } from "../core/skills/service.js";
import { createUseTimes } from "../core/skills/use-times.js";

/** The skills of a server. */
export interface OpenedSkills {
  readonly skills: SkillService;
  /** What the server prunes of them. */
  readonly prunables: readonly Prunable[];
  /** Writes what is still to be written. REQUIRES: no call is running any more */
  close(): Promise<void>;
}

/** Opens skills; where they are off, the log is told once. */
export function openSkills(
  parts: Omit<SkillServiceParts, "uses">,
  { isOn, timer, log }: { isOn: boolean; timer: Timer; log: Log },
): OpenedSkills {
  if (!isOn) {
    log(
      "warn",
      "skills are off (VADEMECUM_SKILLS): every call of SkillService is answered as if there were none",
    );
    return { skills: disabledSkillService, prunables: [], close: async () => {} };
  }
  const onFailure = (error: unknown): void =>
    log("error", "the times at which skills were used could not be written", { error });
  const uses = createUseTimes({ store: parts.store, timer, onFailure });
  const all = { ...parts, uses };
  return {
    skills: createSkillService(all),
    prunables: [prunableSkills(all)],
    close: () => uses.close(),
  };
}

import { instantOfMillis } from "../model/instant.js";
import type { Quota } from "../model/quota.js";
import { mutate } from "../requests/mutate.js";
import { releaseIndexIfEmpty } from "../requests/release-index.js";
import { removeSkill } from "./records.js";
import type {
  DeleteSkillInput,
  SkillServiceParts,
  SuccessCounts,
  UpdateSuccessCountInput,
} from "./service.js";
import { laterOf } from "./use-times.js";

/** Deletes one skill. */
export function deleteSkill(
  parts: SkillServiceParts,
  input: DeleteSkillInput,
): Promise<{ deleted: boolean }> {
  const { namespace, id } = input;
  const mutation = { rpc: "DeleteSkill", target: namespace, input };
  return releaseIndexIfEmpty(parts.index, "skills", namespace, (rest) =>
    mutate(parts, { ...mutation, onRun: rest.onRun }, async (tx) => {
      const skill = await tx.get("skills", namespace, id);
      if (skill === undefined) return { deleted: false };
      await removeSkill(tx, namespace, skill);
      await rest.count(tx);
      return { deleted: true };
    }),
  );
}

/** Adds to the counts of a skill. Counting is a use of the skill. */
export function updateSuccessCount(
  parts: SkillServiceParts,
  input: UpdateSuccessCountInput,
  quota?: Quota,
): Promise<SuccessCounts> {
  const { namespace, id, failureIncrement = 0 } = input;
  const { increment = input.failureIncrement === undefined ? 1 : 0 } = input;
  const mutation = { rpc: "UpdateSuccessCount", target: namespace, input, quota };
  return mutate(parts, mutation, async (tx, nowMs): Promise<SuccessCounts> => {
    const use = await tx.get("skillUses", namespace, id);
    if (use === undefined) return { updated: false, successCount: 0, failureCount: 0 };
    const successCount = use.successCount + increment;
    const failureCount = use.failureCount + failureIncrement;
    const lastUsedTime = laterOf(use.lastUsedTime, instantOfMillis(nowMs));
    tx.put("skillUses", namespace, id, { successCount, failureCount, lastUsedTime });
    return { updated: true, successCount, failureCount };
  });
}

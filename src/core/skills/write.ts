import type { Allowance } from "../model/allowance.js";
import { instantOfMillis } from "../model/instant.js";
import type { Skill } from "../model/skill.js";
import { requireWriter } from "../model/writer.js";
import type { Call } from "../ports/call.js";
import type { Transaction } from "../ports/store.js";
import { mutate } from "../requests/mutate.js";
import { releaseIndexIfEmpty } from "../requests/release-index.js";
import { laterOf } from "../requests/use-times.js";
import { removeSkill } from "./records.js";
import type {
  DeleteSkillInput,
  SkillServiceParts,
  SuccessCounts,
  UpdateSuccessCountInput,
} from "./service.js";

/**
 * Deletes one skill.
 *
 * @throws PERMISSION_DENIED (ROLE_REQUIRED) when the caller may not delete the skill
 */
export function deleteSkill(
  parts: SkillServiceParts,
  input: DeleteSkillInput,
  { principal, allowance }: Call,
): Promise<{ deleted: boolean }> {
  const { namespace, id } = input;
  const mutation = { rpc: "DeleteSkill", target: namespace, input, allowance, removes: true };
  return releaseIndexIfEmpty(parts.index, "skills", namespace, (rest) =>
    mutate(parts, { ...mutation, onRun: rest.onRun }, async (tx) => {
      const skill = await tx.get("skills", namespace, id);
      if (skill === undefined) return { deleted: false };
      requireWriter(principal, skill, "id", "skill");
      await removeSkill(tx, namespace, skill);
      await rest.count(tx);
      return { deleted: true };
    }),
  );
}

/** Adds to the counts of a skill. Counting is a use of the skill. */
export async function updateSuccessCount(
  parts: SkillServiceParts,
  input: UpdateSuccessCountInput,
  allowance?: Allowance,
): Promise<SuccessCounts> {
  const { namespace, id, failureIncrement = 0 } = input;
  const { increment = input.failureIncrement === undefined ? 1 : 0 } = input;
  const compared = { ...input, increment, failureIncrement };
  const mutation = {
    ...{ rpc: "UpdateSuccessCount", target: namespace, input: compared, allowance },
    stands: async (tx: Transaction, { counted }: CountReply) =>
      counted === undefined ||
      (await tx.get("skills", namespace, counted.id))?.createSeq === counted.createSeq,
  };
  const { counts } = await mutate<CountReply>(parts, mutation, async (tx, nowMs) => {
    const use = await tx.get("skillUses", namespace, id);
    const skill = await tx.get("skills", namespace, id);
    if (use === undefined || skill === undefined)
      return { counts: { updated: false, successCount: 0, failureCount: 0 } };
    const successCount = use.successCount + increment;
    const failureCount = use.failureCount + failureIncrement;
    const lastUsedTime = laterOf(use.lastUsedTime, instantOfMillis(nowMs));
    tx.put("skillUses", namespace, id, { successCount, failureCount, lastUsedTime });
    const counted = { id, createSeq: skill.createSeq };
    return { counts: { updated: true, successCount, failureCount }, counted };
  });
  return counts;
}

/** The stored reply: the counts, and the skill that has them. */
interface CountReply {
  readonly counts: SuccessCounts;
  readonly counted?: Pick<Skill, "id" | "createSeq">;
}

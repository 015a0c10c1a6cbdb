import { scopeOf } from "../model/namespace.js";
import { replyOnce } from "../requests/idempotency.js";
import type { SkillServiceParts } from "./parts.js";
import { removeSkill } from "./skill-records.js";
import type { DeleteSkillInput } from "./skill-service.js";

/** Deletes one skill, if it is there. */
export async function deleteSkill(
  { store, clock }: SkillServiceParts,
  input: DeleteSkillInput,
): Promise<{ deleted: boolean }> {
  const { namespace, id, idempotencyKey } = input;
  const scope = scopeOf(namespace);
  const { result } = await store.update(scope, (tx) =>
    replyOnce(
      tx,
      scope,
      { rpc: "DeleteSkill", idempotencyKey, request: { namespace, id }, nowMs: clock.nowMs() },
      async () => {
        const skill = await tx.get("skills", namespace, id);
        if (skill !== undefined) await removeSkill(tx, namespace, skill);
        return { deleted: skill !== undefined };
      },
    ),
  );
  return result;
}

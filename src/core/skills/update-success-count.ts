import { instantOfMillis } from "../model/instant.js";
import { scopeOf } from "../model/namespace.js";
import { replyOnce } from "../requests/idempotency.js";
import type { SkillServiceParts } from "./parts.js";
import type { SuccessCounts, UpdateSuccessCountInput } from "./skill-service.js";
import { laterOf } from "./use-times.js";

/** Counts how a skill has fared, if it is there. */
export async function updateSuccessCount(
  { store, clock }: SkillServiceParts,
  input: UpdateSuccessCountInput,
): Promise<SuccessCounts> {
  const { idempotencyKey, ...request } = input;
  const {
    namespace,
    id,
    increment = input.failureIncrement === undefined ? 1 : 0,
    failureIncrement = 0,
  } = input;
  const nowMs = clock.nowMs();
  const scope = scopeOf(namespace);
  const { result } = await store.update(scope, (tx) =>
    replyOnce(
      tx,
      scope,
      { rpc: "UpdateSuccessCount", idempotencyKey, request, nowMs },
      async (): Promise<SuccessCounts> => {
        const use = await tx.get("skillUses", namespace, id);
        if (use === undefined) return { updated: false, successCount: 0, failureCount: 0 };
        const successCount = use.successCount + increment;
        const failureCount = use.failureCount + failureIncrement;
        const lastUsedTime = laterOf(use.lastUsedTime, instantOfMillis(nowMs));
        tx.put("skillUses", namespace, id, { successCount, failureCount, lastUsedTime });
        return { updated: true, successCount, failureCount };
      },
    ),
  );
  return result;
}

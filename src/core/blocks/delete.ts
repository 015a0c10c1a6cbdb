import { userScope } from "../model/namespace.js";
import { replyOnce } from "../requests/idempotency.js";
import type { DeleteBlockInput } from "./block-service.js";
import type { BlockServiceParts } from "./create-block-service.js";
import { removeBlock } from "./records.js";

/** Deletes a block with all of its versions, if it is there. */
export async function deleteBlock(
  { store, clock }: BlockServiceParts,
  input: DeleteBlockInput,
): Promise<{ deleted: boolean }> {
  const { userId, label, idempotencyKey } = input;
  const nowMs = clock.nowMs();
  const scope = userScope(userId);
  const { result } = await store.update(scope, (tx) =>
    replyOnce(
      tx,
      scope,
      { rpc: "DeleteBlock", idempotencyKey, request: { label }, nowMs },
      async () => ({
        deleted: await removeBlock(tx, userId, label),
      }),
    ),
  );
  return result;
}

import type { Block } from "../model/block.js";
import { VademecumError } from "../model/errors.js";
import { compareInstants } from "../model/instant.js";
import { userScope } from "../model/namespace.js";
import type { Store } from "../ports/store.js";
import { replyOnce } from "../requests/idempotency.js";
import type { RestoreBlockInput } from "./block-service.js";
import type { BlockServiceParts } from "./create-block-service.js";
import { blockNotFound, blockOfVersion, contentOf, readVersion, writeBlock } from "./records.js";

/** Writes what an earlier version of a block said as its next version. */
export async function restoreBlock(
  { store, clock }: BlockServiceParts,
  input: RestoreBlockInput,
): Promise<Block> {
  const { userId, label, version, writtenBy, idempotencyKey } = input;
  const nowMs = clock.nowMs();
  const scope = userScope(userId);
  let written: Block | undefined;
  const { result } = await store.update(scope, (tx) =>
    replyOnce(
      tx,
      scope,
      { rpc: "RestoreBlock", idempotencyKey, request: { label, version }, nowMs },
      async () => {
        const previous = await tx.get("blocks", scope, label);
        if (previous === undefined) throw blockNotFound(label);
        const restored = await readVersion(tx, userId, label, version);
        if (restored === undefined) throw versionNotFound(label, version, previous);
        const { tokenCount } = restored;
        const origin = { writtenBy, restoredFrom: version };
        const next = { userId, label, content: contentOf(restored), tokenCount, previous, origin };
        written = writeBlock(tx, next, tx.commitTimeMs(nowMs));
        return { version: written.version, updateTime: written.updateTime };
      },
    ),
  );
  return written ?? repeatedReply(store, input, result);
}

/** What the first call wrote, read from the versions so that no reply has to keep it. @throws NOT_FOUND (BLOCK_NOT_FOUND) if the block was deleted since */
async function repeatedReply(
  store: Store,
  { userId, label, version: restoredFrom }: RestoreBlockInput,
  { version, updateTime }: Pick<Block, "version" | "updateTime">,
): Promise<Block> {
  await using snapshot = await store.snapshot(userScope(userId));
  const written = await readVersion(snapshot, userId, label, version);
  // A block that was written since under the same label has a version of this number, too.
  const isTheSame =
    written?.restoredFrom === restoredFrom && compareInstants(written.writeTime, updateTime) === 0;
  if (written === undefined || !isTheSame) throw blockNotFound(label);
  return blockOfVersion(label, written);
}

function versionNotFound(
  label: string,
  version: number,
  { version: newest }: Block,
): VademecumError {
  const description = `block '${label}' has no version ${version}; it has 1 to ${newest}`;
  return new VademecumError("NOT_FOUND", "BLOCK_VERSION_NOT_FOUND", `version: ${description}`, {
    fields: [{ field: "version", description }],
  });
}

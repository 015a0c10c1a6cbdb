import { VademecumError } from "../errors.js";
import { replyOnce } from "../idempotency.js";
import { userScope } from "../namespace.js";
import type { Block } from "./block.js";
import type { RestoreBlockInput } from "./block-service.js";
import type { BlockServiceParts } from "./create-block-service.js";
import { blockNotFound, blockOfVersion, contentOf, readVersion, writeBlock } from "./records.js";

/** Writes what an earlier version of a block said as its next version. */
export async function restoreBlock({ store, clock }: BlockServiceParts, input: RestoreBlockInput): Promise<Block> {
  const { userId, label, version, writtenBy, idempotencyKey } = input;
  const nowMs = clock.nowMs();
  const scope = userScope(userId);
  const { result } = await store.update(scope, (tx) =>
    replyOnce(tx, scope, { rpc: "RestoreBlock", idempotencyKey, request: { label, version }, nowMs }, async () => {
      const previous = await tx.get("blocks", scope, label);
      if (previous === undefined) throw blockNotFound(label);
      const restored = await readVersion(tx, userId, label, version);
      if (restored === undefined) throw versionNotFound(label, version, previous);
      const { tokenCount } = restored;
      const origin = { writtenBy, restoredFrom: version };
      const next = { userId, label, content: contentOf(restored), tokenCount, previous, origin };
      return { version: writeBlock(tx, next, tx.commitTimeMs(nowMs)).version };
    }),
  );
  const snapshot = await store.snapshot(scope);
  try {
    const written = await readVersion(snapshot, userId, label, result.version);
    // Only if it was deleted since.
    if (written === undefined) throw blockNotFound(label);
    return blockOfVersion(label, written);
  } finally {
    await snapshot.close();
  }
}

function versionNotFound(label: string, version: number, { version: newest }: Block): VademecumError {
  const description = `block '${label}' has no version ${version}; it has 1 to ${newest}`;
  return new VademecumError("NOT_FOUND", "BLOCK_VERSION_NOT_FOUND", `version: ${description}`, {
    fields: [{ field: "version", description }],
  });
}

import type { Block, BlockContent } from "../model/block.js";
import { VademecumError } from "../model/errors.js";
import { compareInstants } from "../model/instant.js";
import { userScope } from "../model/namespace.js";
import type { Quota } from "../model/quota.js";
import type { Store } from "../ports/store.js";
import { changeProposals } from "../proposal-records/change-proposals.js";
import { mutate } from "../requests/mutate.js";
import {
  blockNotFound,
  blockOfVersion,
  contentOf,
  readVersion,
  removeBlock,
  writeBlock,
} from "./records.js";
import type {
  BlockServiceParts,
  DeleteBlockInput,
  PutBlockInput,
  RestoreBlockInput,
} from "./service.js";

/** Writes a new block, or the next version of a block. */
export async function putBlock(
  parts: BlockServiceParts,
  input: PutBlockInput,
  quota?: Quota,
): Promise<Block> {
  const { userId, label, body, expectedVersion, writtenBy } = input;
  const tokenCount = await parts.tokens.countInTurns(body);
  const scope = userScope(userId);
  const mutation = { rpc: "PutBlock", target: scope, input, quota };
  const reply = await mutate(parts, mutation, async (tx, nowMs) => {
    const previous = await tx.get("blocks", scope, label);
    requireVersion(label, previous, expectedVersion);
    const content = nextContent(input, previous);
    const next = { userId, label, content, tokenCount, previous, origin: { writtenBy } };
    const { body: _, ...withoutBody } = writeBlock(tx, next, tx.commitTimeMs(nowMs));
    return withoutBody;
  });
  // A repeated call carries the same body, so the stored reply need not contain it.
  return { ...reply, body };
}

/** Deletes a block with all its versions and the texts of all proposals about it. */
export function deleteBlock(
  parts: BlockServiceParts,
  input: DeleteBlockInput,
): Promise<{ deleted: boolean }> {
  const { userId, label } = input;
  const mutation = { rpc: "DeleteBlock", target: userScope(userId), input };
  return changeProposals(parts, userId, (changed) =>
    mutate(parts, mutation, async (tx, nowMs) => ({
      deleted: await removeBlock({ tx, userId, nowMs, changed }, label),
    })),
  );
}

/** Writes the content of an earlier version of a block as its next version. */
export async function restoreBlock(
  parts: BlockServiceParts,
  input: RestoreBlockInput,
  quota?: Quota,
): Promise<Block> {
  const { userId, label, version, expectedVersion, writtenBy } = input;
  const scope = userScope(userId);
  let block: Block | undefined;
  const onRun = (): void => {
    block = undefined;
  };
  const mutation = { rpc: "RestoreBlock", target: scope, input, quota, onRun };
  const reply = await mutate(parts, mutation, async (tx, nowMs) => {
    const previous = await tx.get("blocks", scope, label);
    if (previous === undefined) throw blockNotFound(label);
    requireVersion(label, previous, expectedVersion);
    const restored = await readVersion(tx, userId, label, version);
    if (restored === undefined) throw versionNotFound(label, version, previous);
    const { tokenCount } = restored;
    const origin = { writtenBy, restoredFrom: version };
    const next = { userId, label, content: contentOf(restored), tokenCount, previous, origin };
    block = writeBlock(tx, next, tx.commitTimeMs(nowMs));
    return { version: block.version, updateTime: block.updateTime };
  });
  return block ?? readRestored(parts.store, input, reply);
}

/** Returns the content of the next version. */
function nextContent(input: PutBlockInput, previous: Block | undefined): BlockContent {
  const { title = previous?.title, schemaRef = previous?.schemaRef } = input;
  return { body: input.body, ...(title ? { title } : {}), ...(schemaRef ? { schemaRef } : {}) };
}

function requireVersion(
  label: string,
  previous: Block | undefined,
  expectedVersion: number | undefined,
): void {
  const version = previous?.version ?? 0;
  if (expectedVersion === undefined || expectedVersion === version) return;
  const found =
    previous === undefined
      ? `there is no block '${label}'`
      : `block '${label}' is at version ${version}, not ${expectedVersion}`;
  throw new VademecumError(
    "ABORTED",
    "VERSION_MISMATCH",
    `${found}; read it again and repeat the change`,
    {
      field: "expected_version",
      fields: [
        { field: "expected_version", description: `must be ${version}, the block's version now` },
      ],
    },
  );
}

/**
 * Reads the block that the first call of a repeated restore wrote. The block is read from its
 * stored versions, so the stored reply need not contain it.
 *
 * @throws NOT_FOUND (BLOCK_NOT_FOUND) when the block was deleted since.
 */
async function readRestored(
  store: Store,
  { userId, label, version: restoredFrom }: RestoreBlockInput,
  { version, updateTime }: Pick<Block, "version" | "updateTime">,
): Promise<Block> {
  await using snapshot = await store.snapshot(userScope(userId));
  const found = await readVersion(snapshot, userId, label, version);
  // A block that was created later under the same label may have a version of the same number.
  const isSame =
    found?.restoredFrom === restoredFrom && compareInstants(found.writeTime, updateTime) === 0;
  if (found === undefined || !isSame) throw blockNotFound(label);
  return blockOfVersion(label, found);
}

function versionNotFound(label: string, version: number, newest: Block): VademecumError {
  const description = `block '${label}' has no version ${version}; it has 1 to ${newest.version}`;
  return new VademecumError("NOT_FOUND", "BLOCK_VERSION_NOT_FOUND", description, {
    field: "version",
  });
}

import type { Allowance } from "../model/allowance.js";
import type { Block, BlockContent } from "../model/block.js";
import { VademecumError } from "../model/errors.js";
import { userScope } from "../model/namespace.js";
import type { Transaction } from "../ports/store.js";
import { changeProposals } from "../proposal-records/change-proposals.js";
import { mutate } from "../requests/mutate.js";
import {
  blockNotFound,
  contentOf,
  type NextVersion,
  readVersion,
  removeBlock,
  writeBlock,
} from "./records.js";
import type {
  BlockServiceParts,
  DeleteBlockInput,
  PutBlockInput,
  RestoreBlockInput,
  WrittenBlock,
} from "./service.js";

/** Writes a new block, or the next version of a block. */
export async function putBlock(
  parts: BlockServiceParts,
  input: PutBlockInput,
  allowance?: Allowance,
): Promise<WrittenBlock> {
  const { label, body, expectedVersion, writtenBy } = input;
  const tokenCount = await parts.tokens.countInTurns(body);
  return writeOnce(parts, "PutBlock", input, allowance, async (_, previous) => {
    requireVersion(label, previous, expectedVersion);
    return { content: nextContent(input, previous), tokenCount, origin: { writtenBy } };
  });
}

/** Deletes a block with all its versions and the texts of all proposals about it. */
export function deleteBlock(
  parts: BlockServiceParts,
  input: DeleteBlockInput,
  allowance?: Allowance,
): Promise<{ deleted: boolean }> {
  const { userId, label } = input;
  const mutation = {
    ...{ rpc: "DeleteBlock", target: userScope(userId), input, allowance },
    removes: true,
  };
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
  allowance?: Allowance,
): Promise<WrittenBlock> {
  const { userId, label, version, expectedVersion, writtenBy } = input;
  return writeOnce(parts, "RestoreBlock", input, allowance, async (tx, previous) => {
    if (previous === undefined) throw blockNotFound(label);
    requireVersion(label, previous, expectedVersion);
    const restored = await readVersion(tx, userId, label, version);
    if (restored === undefined) throw versionNotFound(label, version, previous);
    const { tokenCount } = restored;
    const origin = { writtenBy, restoredFrom: version };
    return { content: contentOf(restored), tokenCount, origin };
  });
}

/** The stored reply to a write of a block: which version of which block the write made. */
interface BlockReply {
  readonly label: string;
  readonly version: number;
  readonly createSeq: number;
}

/**
 * Writes the next version of a block. A repetition returns the block as it is now. If the block was
 * deleted since, a repetition is a new call.
 *
 * @param makeNext returns what the next version has. `previous` is the block so far
 */
async function writeOnce(
  parts: BlockServiceParts,
  rpc: string,
  input: PutBlockInput | RestoreBlockInput,
  allowance: Allowance | undefined,
  makeNext: (
    tx: Transaction,
    previous: Block | undefined,
  ) => Promise<Pick<NextVersion, "content" | "tokenCount" | "origin">>,
): Promise<WrittenBlock> {
  const { userId, label } = input;
  const scope = userScope(userId);
  const outcome: { written?: Block; replayed?: Block } = {};
  const mutation = {
    ...{ rpc, target: scope, input, allowance },
    async stands(tx: Transaction, reply: BlockReply) {
      const block = await tx.get("blocks", scope, reply.label);
      if (block?.createSeq !== reply.createSeq) return false;
      outcome.replayed = block;
      return true;
    },
  };
  const { version } = await mutate<BlockReply>(parts, mutation, async (tx, nowMs) => {
    delete outcome.replayed;
    const previous = await tx.get("blocks", scope, label);
    const next = { userId, label, previous, ...(await makeNext(tx, previous)) };
    const block = writeBlock(tx, next, tx.commitTimeMs(nowMs));
    outcome.written = block;
    return { label, version: block.version, createSeq: block.createSeq };
  });
  const { written, replayed } = outcome;
  return replayed === undefined
    ? { block: written as Block }
    : { block: replayed, replayedVersion: version };
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

function versionNotFound(label: string, version: number, newest: Block): VademecumError {
  const description = `block '${label}' has no version ${version}; it has 1 to ${newest.version}`;
  return new VademecumError("NOT_FOUND", "BLOCK_VERSION_NOT_FOUND", description, {
    field: "version",
  });
}

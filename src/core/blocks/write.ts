import type { Allowance } from "../model/allowance.js";
import type { Block, BlockContent } from "../model/block.js";
import { VademecumError } from "../model/errors.js";
import { userScope } from "../model/namespace.js";
import type { Reader, Transaction } from "../ports/store.js";
import { changeProposals } from "../proposal-records/change-proposals.js";
import { mutate } from "../requests/mutate.js";
import {
  blockNotFound,
  contentOf,
  findBlock,
  labelsWith,
  type NextVersion,
  readVersion,
  removeBlock,
  requireVersion,
  writeBlock,
} from "./records.js";
import type {
  BlockServiceParts,
  DeleteBlockInput,
  DeleteBlocksInput,
  DeletedBlocks,
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
  const { userId, label, expectedVersion } = input;
  const scope = userScope(userId);
  const mutation = {
    ...{ rpc: "DeleteBlock", target: scope, input, allowance },
    removes: true,
  };
  return changeProposals(parts, userId, (changed) =>
    mutate(parts, mutation, async (tx, nowMs) => {
      if (expectedVersion !== undefined)
        requireVersion(label, await tx.get("blocks", scope, label), expectedVersion);
      return { deleted: await removeBlock({ tx, userId, nowMs, changed }, label) };
    }),
  );
}

/** Maximum number of blocks that one call deletes. */
const deletedMax = 1000;

/** Maximum number of labels in the reply to a deletion by prefix. */
const sampleMax = 10;

/** Deletes all blocks whose labels begin with a prefix, or counts them. */
export async function deleteBlocks(
  parts: BlockServiceParts,
  input: DeleteBlocksInput,
  allowance?: Allowance,
): Promise<DeletedBlocks> {
  const { userId, labelPrefix, dryRun } = input;
  const scope = userScope(userId);
  const outcome = (labels: readonly string[]) => ({
    deleted: labels.length,
    sampleLabels: labels.slice(0, sampleMax),
  });
  const labelsOf = async (reader: Reader): Promise<readonly string[]> => {
    const labels = await labelsWith(reader, userId, labelPrefix, deletedMax + 1);
    if (labels.length > deletedMax) throw tooManyBlocks(labelPrefix);
    return labels;
  };
  if (dryRun) {
    await using snapshot = await parts.store.snapshot(scope);
    return outcome(await labelsOf(snapshot));
  }
  const mutation = {
    ...{ rpc: "DeleteBlocks", target: scope, input, allowance },
    removes: true,
  };
  // Not in the stored reply, which would keep the labels of deleted blocks.
  let sampleLabels: readonly string[] = [];
  const onRun = (): void => {
    sampleLabels = [];
  };
  const { deleted } = await changeProposals(parts, userId, (changed) =>
    mutate(parts, { ...mutation, onRun }, async (tx, nowMs) => {
      const labels = await labelsOf(tx);
      for (const label of labels) await removeBlock({ tx, userId, nowMs, changed }, label);
      ({ sampleLabels } = outcome(labels));
      return { deleted: labels.length };
    }),
  );
  return { deleted, sampleLabels };
}

function tooManyBlocks(prefix: string): VademecumError {
  return new VademecumError(
    "FAILED_PRECONDITION",
    "TOO_MANY_MATCHES",
    `more than ${deletedMax.toLocaleString("en")} blocks have labels that begin with '${prefix}'; ` +
      "use longer prefixes",
    { field: "label_prefix" },
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

/**
 * The stored reply to a write of a block: which version of which block the write made. It must not
 * keep the label of a deleted block.
 */
interface BlockReply {
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
  // A new block has these fields without them, so a repetition may have them or not.
  const compared = rpc === "PutBlock" ? { title: "", schemaRef: "", ...input } : input;
  const mutation = {
    ...{ rpc, target: scope, input: compared, allowance },
    async stands(tx: Transaction, reply: BlockReply) {
      const block = await findBlock(tx, userId, label, reply.createSeq);
      if (block !== undefined) outcome.replayed = block;
      return block !== undefined;
    },
  };
  const { version } = await mutate<BlockReply>(parts, mutation, async (tx, nowMs) => {
    delete outcome.replayed;
    const previous = await tx.get("blocks", scope, label);
    const next = { userId, label, previous, ...(await makeNext(tx, previous)) };
    const block = writeBlock(tx, next, tx.commitTimeMs(nowMs));
    outcome.written = block;
    return { version: block.version, createSeq: block.createSeq };
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

function versionNotFound(label: string, version: number, newest: Block): VademecumError {
  const description = `block '${label}' has no version ${version}; it has 1 to ${newest.version}`;
  return new VademecumError("NOT_FOUND", "BLOCK_VERSION_NOT_FOUND", description, {
    field: "version",
  });
}

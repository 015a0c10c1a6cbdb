import { create } from "@bufbuild/protobuf";
import {
  type Block as BlockMessage,
  BlockSchema,
  type BlockVersion as BlockVersionMessage,
  BlockVersionSchema,
} from "#gen/vademecum/v1/block_pb.js";
import {
  type DeleteBlockRequest,
  type DeleteBlocksRequest,
  type PutBlockRequest,
  type RenameBlockRequest,
  type RenderBlocksResponse,
  RenderBlocksResponseSchema,
  type RestoreBlockRequest,
} from "#gen/vademecum/v1/block_service_pb.js";
import type {
  DeleteBlockInput,
  DeleteBlocksInput,
  PutBlockInput,
  RenameBlockInput,
  RenderedBlocks,
  RestoreBlockInput,
  WrittenBlock,
} from "../../core/blocks/service.js";
import { type Block, type BlockVersion, blockTitle } from "../../core/model/block.js";
import type { Caller } from "./author.js";
import { dropUndefined } from "./drop-undefined.js";
import { fromInstant } from "./instant.js";

/** Converts a request to write a block into the input of the core. */
export function toPutBlockInput(request: PutBlockRequest, caller: Caller): PutBlockInput {
  const { userId, label, title, body, schemaRef, expectedVersion, idempotencyKey } = request;
  return dropUndefined<PutBlockInput>({
    userId,
    label,
    title,
    body,
    schemaRef,
    expectedVersion: expectedVersion === undefined ? undefined : Number(expectedVersion),
    writtenBy: caller.principal.name,
    idempotencyKey,
  });
}

/** Converts a request to delete a block. */
export function toDeleteBlockInput(request: DeleteBlockRequest): DeleteBlockInput {
  const { userId, label, expectedVersion, idempotencyKey } = request;
  return dropUndefined<DeleteBlockInput>({
    userId,
    label,
    expectedVersion: expectedVersion === undefined ? undefined : Number(expectedVersion),
    idempotencyKey,
  });
}

/** Converts a request to delete blocks by the beginnings of their labels. */
export function toDeleteBlocksInput(request: DeleteBlocksRequest): DeleteBlocksInput {
  const { userId, labelPrefix, dryRun, idempotencyKey } = request;
  return dropUndefined<DeleteBlocksInput>({ userId, labelPrefix, dryRun, idempotencyKey });
}

/** Converts a request to rename a block. */
export function toRenameBlockInput(request: RenameBlockRequest): RenameBlockInput {
  const { userId, label, newLabel, expectedVersion, idempotencyKey } = request;
  return dropUndefined<RenameBlockInput>({
    userId,
    label,
    newLabel,
    expectedVersion: expectedVersion === undefined ? undefined : Number(expectedVersion),
    idempotencyKey,
  });
}

/** Converts blocks as a text for a prompt to the reply. */
export function fromRenderedBlocks(rendered: RenderedBlocks): RenderBlocksResponse {
  return create(RenderBlocksResponseSchema, {
    text: rendered.text,
    tokenCount: rendered.tokenCount,
    blocks: rendered.blocks.map((block) => ({ ...block, version: BigInt(block.version) })),
    omittedLabels: [...rendered.omittedLabels],
    omittedCount: rendered.omittedCount,
    missingLabels: [...rendered.missingLabels],
  });
}

/** Converts a request to restore a version of a block. */
export function toRestoreBlockInput(
  request: RestoreBlockRequest,
  caller: Caller,
): RestoreBlockInput {
  const { userId, label, version, expectedVersion, idempotencyKey } = request;
  return dropUndefined<RestoreBlockInput>({
    userId,
    label,
    version: Number(version),
    expectedVersion: expectedVersion === undefined ? undefined : Number(expectedVersion),
    writtenBy: caller.principal.name,
    idempotencyKey,
  });
}

/** Converts a block to its message. A block without a title gets one from its label. */
export function fromBlock(block: Block, userId: string): BlockMessage {
  return create(BlockSchema, {
    userId,
    label: block.label,
    title: blockTitle(block.label, block),
    body: block.body,
    schemaRef: block.schemaRef,
    version: BigInt(block.version),
    tokenCount: block.tokenCount,
    updateTime: fromInstant(block.updateTime),
  });
}

/** Converts a block after a write to the fields of the reply. */
export function fromWrittenBlock(
  { block, replayedVersion }: WrittenBlock,
  userId: string,
): { block: BlockMessage; replayedVersion: bigint | undefined } {
  return {
    block: fromBlock(block, userId),
    replayedVersion: replayedVersion === undefined ? undefined : BigInt(replayedVersion),
  };
}

/** Converts a version of a block to its message. `label` is the label of the block. */
export function fromBlockVersion(version: BlockVersion, label: string): BlockVersionMessage {
  return create(BlockVersionSchema, {
    version: BigInt(version.version),
    title: blockTitle(label, version),
    body: version.body,
    schemaRef: version.schemaRef,
    writtenBy: version.writtenBy,
    writeTime: fromInstant(version.writeTime),
    proposalId: version.proposalId,
    restoredFrom: version.restoredFrom === undefined ? undefined : BigInt(version.restoredFrom),
    tokenCount: version.tokenCount,
  });
}

import { create } from "@bufbuild/protobuf";
import {
  BlockService as BlockServiceDescriptor,
  DeleteBlockResponseSchema,
  GetBlockResponseSchema,
  ListBlocksResponseSchema,
  ListBlockVersionsResponseSchema,
  type PutBlockRequest,
  PutBlockResponseSchema,
  type RestoreBlockRequest,
  RestoreBlockResponseSchema,
} from "#gen/vademecum/v1/block_service_pb.js";
import type {
  BlockService,
  DeleteBlockInput,
  PutBlockInput,
  RestoreBlockInput,
} from "../../core/blocks/block-service.js";
import { anonymousCaller } from "../../core/requests/caller.js";
import { type Implementation, implement } from "../adapt/handler.js";
import { fromBlock, fromBlockVersion } from "../convert/block.js";
import { present } from "../convert/present.js";

/** Entries that a page has when the request does not say. */
const defaultBlocksPage = 1000;
const defaultVersionsPage = 10;

/** The RPCs of `vademecum.v1.BlockService` over the domain. */
export function createBlockRpcs(blocks: BlockService): Implementation {
  return implement(BlockServiceDescriptor, {
    listBlocks: async ({ userId, limit = defaultBlocksPage, pageToken }, call) => {
      const { items, nextPageToken } = await blocks.list({ userId, limit, pageToken }, call);
      return create(ListBlocksResponseSchema, {
        blocks: items.map((block) => fromBlock(block, userId)),
        nextPageToken,
      });
    },
    getBlock: async ({ userId, label }) =>
      create(GetBlockResponseSchema, { block: fromBlock(await blocks.get(userId, label), userId) }),
    putBlock: async (request) => {
      const block = await blocks.put(toPutBlockInput(request));
      return create(PutBlockResponseSchema, { block: fromBlock(block, request.userId) });
    },
    deleteBlock: async ({ userId, label, idempotencyKey }) => {
      const input = present<DeleteBlockInput>({ userId, label, idempotencyKey });
      return create(DeleteBlockResponseSchema, await blocks.delete(input));
    },
    listBlockVersions: async ({ userId, label, limit = defaultVersionsPage, pageToken }, call) => {
      const { items, nextPageToken } = await blocks.listVersions(
        { userId, label, limit, pageToken },
        call,
      );
      return create(ListBlockVersionsResponseSchema, {
        versions: items.map((version) => fromBlockVersion(version, label)),
        nextPageToken,
      });
    },
    restoreBlock: async (request) => {
      const block = await blocks.restore(toRestoreBlockInput(request));
      return create(RestoreBlockResponseSchema, { block: fromBlock(block, request.userId) });
    },
  });
}

function toPutBlockInput({
  userId,
  label,
  title,
  body,
  schemaRef,
  expectedVersion,
  idempotencyKey,
}: PutBlockRequest): PutBlockInput {
  return present<PutBlockInput>({
    userId,
    label,
    title,
    body,
    schemaRef,
    expectedVersion: expectedVersion === undefined ? undefined : Number(expectedVersion),
    writtenBy: anonymousCaller,
    idempotencyKey,
  });
}

function toRestoreBlockInput({
  userId,
  label,
  version,
  idempotencyKey,
}: RestoreBlockRequest): RestoreBlockInput {
  return present<RestoreBlockInput>({
    userId,
    label,
    version: Number(version),
    writtenBy: anonymousCaller,
    idempotencyKey,
  });
}

import { create } from "@bufbuild/protobuf";
import {
  BlockService as BlockServiceDescriptor,
  DeleteBlockResponseSchema,
  DeleteBlocksResponseSchema,
  GetBlockResponseSchema,
  ListBlocksResponseSchema,
  ListBlockVersionsResponseSchema,
  PutBlockResponseSchema,
  RenameBlockResponseSchema,
  RestoreBlockResponseSchema,
} from "#gen/vademecum/v1/block_service_pb.js";
import type { BlockService } from "../../core/blocks/service.js";
import { type Implementation, implement } from "../adapt/handler.js";
import {
  fromBlock,
  fromBlockVersion,
  fromRenderedBlocks,
  fromWrittenBlock,
  toDeleteBlockInput,
  toDeleteBlocksInput,
  toPutBlockInput,
  toRenameBlockInput,
  toRestoreBlockInput,
} from "../convert/block.js";
import {
  defaultBlockPageSize,
  defaultBlockVersionPageSize,
  defaultRenderTokens,
} from "../defaults.js";

/** Creates the RPCs of `vademecum.v1.BlockService`. */
export function createBlocksRpcs(blocks: BlockService): Implementation {
  return implement(BlockServiceDescriptor, {
    listBlocks: async (request, call) => {
      const { userId, limit = defaultBlockPageSize, pageToken, labelPrefix } = request;
      const query = { userId, limit, pageToken, labelPrefix };
      const { items, nextPageToken } = await blocks.list(query, call);
      return create(ListBlocksResponseSchema, {
        blocks: items.map((block) => fromBlock(block, userId)),
        nextPageToken,
      });
    },
    getBlock: async ({ userId, label }) =>
      create(GetBlockResponseSchema, { block: fromBlock(await blocks.get(userId, label), userId) }),
    putBlock: async (request, call) => {
      const written = await blocks.put(toPutBlockInput(request, call), call.allowance);
      return create(PutBlockResponseSchema, fromWrittenBlock(written, request.userId));
    },
    deleteBlock: async (request, call) =>
      create(
        DeleteBlockResponseSchema,
        await blocks.delete(toDeleteBlockInput(request), call.allowance),
      ),
    deleteBlocks: async (request, call) => {
      const input = toDeleteBlocksInput(request);
      const { deleted, sampleLabels } = await blocks.deleteAll(input, call.allowance);
      return create(DeleteBlocksResponseSchema, { deleted, sampleLabels: [...sampleLabels] });
    },
    renameBlock: async (request, call) => {
      const block = await blocks.rename(toRenameBlockInput(request), call.allowance);
      return create(RenameBlockResponseSchema, { block: fromBlock(block, request.userId) });
    },
    renderBlocks: async (request, call) => {
      const { userId, labels, budgetTokens = defaultRenderTokens } = request;
      return fromRenderedBlocks(await blocks.render({ userId, labels, budgetTokens }, call));
    },
    listBlockVersions: async (request, call) => {
      const { userId, label, limit = defaultBlockVersionPageSize, pageToken } = request;
      const query = { userId, label, limit, pageToken };
      const { items, nextPageToken } = await blocks.listVersions(query, call);
      return create(ListBlockVersionsResponseSchema, {
        versions: items.map((version) => fromBlockVersion(version, label)),
        nextPageToken,
      });
    },
    restoreBlock: async (request, call) => {
      const written = await blocks.restore(toRestoreBlockInput(request, call), call.allowance);
      return create(RestoreBlockResponseSchema, fromWrittenBlock(written, request.userId));
    },
  });
}

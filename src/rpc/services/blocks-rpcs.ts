import { create } from "@bufbuild/protobuf";
import {
  BlockService as BlockServiceDescriptor,
  DeleteBlockResponseSchema,
  GetBlockResponseSchema,
  ListBlocksResponseSchema,
  ListBlockVersionsResponseSchema,
  PutBlockResponseSchema,
  RestoreBlockResponseSchema,
} from "#gen/vademecum/v1/block_service_pb.js";
import type { BlockService } from "../../core/blocks/service.js";
import { type Implementation, implement } from "../adapt/handler.js";
import {
  fromBlock,
  fromBlockVersion,
  fromWrittenBlock,
  toDeleteBlockInput,
  toPutBlockInput,
  toRestoreBlockInput,
} from "../convert/block.js";
import { defaultBlockPageSize, defaultBlockVersionPageSize } from "../defaults.js";

/** Creates the RPCs of `vademecum.v1.BlockService`. */
export function createBlocksRpcs(blocks: BlockService): Implementation {
  return implement(BlockServiceDescriptor, {
    listBlocks: async ({ userId, limit = defaultBlockPageSize, pageToken }, call) => {
      const { items, nextPageToken } = await blocks.list({ userId, limit, pageToken }, call);
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

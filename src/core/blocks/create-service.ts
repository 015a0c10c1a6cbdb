import { getBlock, listBlocks, listBlockVersions } from "./read.js";
import type { BlockService, BlockServiceParts } from "./service.js";
import { deleteBlock, putBlock, restoreBlock } from "./write.js";

/** Creates the use cases of blocks. */
export function createBlockService(parts: BlockServiceParts): BlockService {
  return {
    list: (query, call) => listBlocks(parts, query, call),
    get: (userId, label) => getBlock(parts, userId, label),
    put: (input, allowance) => putBlock(parts, input, allowance),
    delete: (input, allowance) => deleteBlock(parts, input, allowance),
    listVersions: (query, call) => listBlockVersions(parts, query, call),
    restore: (input, allowance) => restoreBlock(parts, input, allowance),
  };
}

import { getBlock, listBlocks, listBlockVersions } from "./read.js";
import { renameBlock } from "./rename.js";
import { renderBlocks } from "./render.js";
import type { BlockService, BlockServiceParts } from "./service.js";
import { deleteBlock, deleteBlocks, putBlock, restoreBlock } from "./write.js";

/** Creates the use cases of blocks. */
export function createBlockService(parts: BlockServiceParts): BlockService {
  return {
    list: (query, call) => listBlocks(parts, query, call),
    get: (userId, label) => getBlock(parts, userId, label),
    put: (input, allowance) => putBlock(parts, input, allowance),
    delete: (input, allowance) => deleteBlock(parts, input, allowance),
    deleteAll: (input, allowance) => deleteBlocks(parts, input, allowance),
    rename: (input, allowance) => renameBlock(parts, input, allowance),
    render: (query, call) => renderBlocks(parts, query, call),
    listVersions: (query, call) => listBlockVersions(parts, query, call),
    restore: (input, allowance) => restoreBlock(parts, input, allowance),
  };
}

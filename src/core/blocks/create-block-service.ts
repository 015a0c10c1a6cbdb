import type { Clock } from "../ports/clock.js";
import type { Store } from "../ports/store.js";
import type { TokenCounter } from "../ports/token-counter.js";
import type { BlockService } from "./block-service.js";
import { deleteBlock } from "./delete.js";
import { getBlock, listBlocks, listBlockVersions } from "./get.js";
import { putBlock } from "./put.js";
import { restoreBlock } from "./restore.js";

/** What the use cases of blocks need of the world. */
export interface BlockServiceParts {
  readonly store: Store;
  readonly tokens: TokenCounter;
  readonly clock: Clock;
}

/** Blocks over the given store and counter. */
export function createBlockService(parts: BlockServiceParts): BlockService {
  return {
    list: (query, call) => listBlocks(parts, query, call),
    get: (userId, label) => getBlock(parts, userId, label),
    put: (input) => putBlock(parts, input),
    delete: (input) => deleteBlock(parts, input),
    listVersions: (query, call) => listBlockVersions(parts, query, call),
    restore: (input) => restoreBlock(parts, input),
  };
}

// Made from the definitions by `npm run generate`: do not edit.
import { BlockService, DeleteBlockRequestSchema, type DeleteBlockResponse, GetBlockRequestSchema, type GetBlockResponse, ListBlocksRequestSchema, type ListBlocksResponse, ListBlockVersionsRequestSchema, type ListBlockVersionsResponse, PutBlockRequestSchema, type PutBlockResponse, RestoreBlockRequestSchema, type RestoreBlockResponse } from "#gen/vademecum/v1/block_service_pb.js";
import type { CallOptions, Calls } from "../calls.js";
import { newIdempotencyKey } from "../idempotency-key.js";
import type { Fields } from "../request-fields.js";

/**
 * Keeps a user's blocks: texts of up to 256 KiB that are always at hand, with all of their versions. How they are edited by agents and approved by people: ProposalService and docs/blocks.md.
 *
 * Blocks belong to a user, not to an agent. A label of another user and one that does not exist answer exactly the same: NOT_FOUND (BLOCK_NOT_FOUND). A write is acknowledged when it is durable and atomic. Mutations take an `idempotency_key`, as in MemoryProvider.
 */
export class Blocks {
  readonly #calls: Calls;
  readonly #userId: string;

  constructor(calls: Calls, userId: string) {
    this.#calls = calls;
    this.#userId = userId;
  }

  /** Lists a user's blocks, by label, page by page. */
  listBlocks(fields: Fields<typeof ListBlocksRequestSchema, "userId"> = {}, options?: CallOptions): Promise<ListBlocksResponse> {
    return this.#calls.unary(BlockService.method.listBlocks, { ...fields, userId: this.#userId }, options);
  }

  /** Returns one block as it is now. NOT_FOUND if there is none. */
  getBlock(fields: Fields<typeof GetBlockRequestSchema, "userId">, options?: CallOptions): Promise<GetBlockResponse> {
    return this.#calls.unary(BlockService.method.getBlock, { ...fields, userId: this.#userId }, options);
  }

  /** Writes a block: a new one, or the next version of the one that there is. ABORTED (VERSION_MISMATCH) if expected_version is given and is not the block's. */
  putBlock(fields: Fields<typeof PutBlockRequestSchema, "userId">, options?: CallOptions): Promise<PutBlockResponse> {
    return this.#calls.unary(BlockService.method.putBlock, { ...fields, userId: this.#userId, idempotencyKey: fields.idempotencyKey ?? newIdempotencyKey() }, options);
  }

  /** Deletes a block with all of its versions, for good. A label that does not exist is no error: `deleted` is false. Proposals about the block are kept; one that still waits becomes PROPOSAL_STATUS_CONFLICTED when somebody approves it. */
  deleteBlock(fields: Fields<typeof DeleteBlockRequestSchema, "userId">, options?: CallOptions): Promise<DeleteBlockResponse> {
    return this.#calls.unary(BlockService.method.deleteBlock, { ...fields, userId: this.#userId, idempotencyKey: fields.idempotencyKey ?? newIdempotencyKey() }, options);
  }

  /** Lists the versions of a block, newest first, page by page. NOT_FOUND if there is no such block. */
  listBlockVersions(fields: Fields<typeof ListBlockVersionsRequestSchema, "userId">, options?: CallOptions): Promise<ListBlockVersionsResponse> {
    return this.#calls.unary(BlockService.method.listBlockVersions, { ...fields, userId: this.#userId }, options);
  }

  /** Writes what an earlier version said as the next version. NOT_FOUND if there is no such block (BLOCK_NOT_FOUND) or it has no such version (BLOCK_VERSION_NOT_FOUND). A repeated call with the same idempotency_key answers as the first one did, or NOT_FOUND if the block was deleted since. */
  restoreBlock(fields: Fields<typeof RestoreBlockRequestSchema, "userId">, options?: CallOptions): Promise<RestoreBlockResponse> {
    return this.#calls.unary(BlockService.method.restoreBlock, { ...fields, userId: this.#userId, idempotencyKey: fields.idempotencyKey ?? newIdempotencyKey() }, options);
  }
}

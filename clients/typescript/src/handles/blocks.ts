// Generated from the definitions by `npm run generate`. Do not edit.
import { BlockService, DeleteBlockRequestSchema, type DeleteBlockResponse, GetBlockRequestSchema, type GetBlockResponse, ListBlocksRequestSchema, type ListBlocksResponse, ListBlockVersionsRequestSchema, type ListBlockVersionsResponse, PutBlockRequestSchema, type PutBlockResponse, RestoreBlockRequestSchema, type RestoreBlockResponse } from "#gen/vademecum/v1/block_service_pb.js";
import type { CallOptions, Calls } from "../calls.js";
import { newIdempotencyKey } from "../idempotency-key.js";
import type { Fields } from "../request-fields.js";

/**
 * Keeps a user's blocks with all their versions. A block is a text of up to 256 KiB that is read
 * whole, without a search. Agents can propose edits of blocks (MemoryProvider.ProposeEdit), and
 * people approve them (ProposalService). A worked example: docs/guides/blocks.md.
 *
 * Blocks belong to a user, not to an agent. The error NOT_FOUND (BLOCK_NOT_FOUND) does not reveal
 * whether another user has a block with the label.
 *
 * A write is atomic. When it is acknowledged, it is durable (synced to disk). Mutations take an
 * `idempotency_key`, as in MemoryProvider. Here an idempotency key belongs to a user, not to a
 * namespace.
 */
export class Blocks {
  readonly #calls: Calls;
  readonly #userId: string;

  constructor(calls: Calls, userId: string) {
    this.#calls = calls;
    this.#userId = userId;
  }

  /** Lists a user's blocks in the order of their labels, page by page. */
  list(fields: Fields<typeof ListBlocksRequestSchema, "userId"> = {}, options?: CallOptions): Promise<ListBlocksResponse> {
    return this.#calls.unary(BlockService.method.listBlocks, { ...fields, userId: this.#userId }, options);
  }

  /**
   * Returns the current version of one block.
   *
   * Fails with NOT_FOUND (BLOCK_NOT_FOUND) when the user has no such block.
   */
  get(fields: Fields<typeof GetBlockRequestSchema, "userId", "label">, options?: CallOptions): Promise<GetBlockResponse> {
    return this.#calls.unary(BlockService.method.getBlock, { ...fields, userId: this.#userId }, options);
  }

  /**
   * Creates a block, or writes the next version of an existing one.
   *
   * Fails with ABORTED (VERSION_MISMATCH) when expected_version is given and is not the block's
   * version.
   */
  put(fields: Fields<typeof PutBlockRequestSchema, "userId", "label">, options?: CallOptions): Promise<PutBlockResponse> {
    return this.#calls.unary(BlockService.method.putBlock, { ...fields, userId: this.#userId, idempotencyKey: fields.idempotencyKey ?? newIdempotencyKey() }, options);
  }

  /**
   * Deletes a block and all its versions permanently. An unknown label is not an error: `deleted`
   * is false.
   *
   * Pending proposals about the block become PROPOSAL_STATUS_CONFLICTED, or PROPOSAL_STATUS_EXPIRED
   * if their expire_time has passed. All proposals about the block lose their texts
   * (Proposal.texts_removed).
   */
  delete(fields: Fields<typeof DeleteBlockRequestSchema, "userId", "label">, options?: CallOptions): Promise<DeleteBlockResponse> {
    return this.#calls.unary(BlockService.method.deleteBlock, { ...fields, userId: this.#userId, idempotencyKey: fields.idempotencyKey ?? newIdempotencyKey() }, options);
  }

  /**
   * Lists the versions of a block, newest first, page by page.
   *
   * Fails with NOT_FOUND (BLOCK_NOT_FOUND) when the user has no such block.
   */
  listVersions(fields: Fields<typeof ListBlockVersionsRequestSchema, "userId", "label">, options?: CallOptions): Promise<ListBlockVersionsResponse> {
    return this.#calls.unary(BlockService.method.listBlockVersions, { ...fields, userId: this.#userId }, options);
  }

  /**
   * Writes the title, body and schema_ref of an earlier version as the next version. The call fails
   * with these errors:
   *
   * - NOT_FOUND (BLOCK_NOT_FOUND) when the user has no such block.
   * - ABORTED (VERSION_MISMATCH) when expected_version is given and is not the block's version.
   * - NOT_FOUND (BLOCK_VERSION_NOT_FOUND) when the block has no such version.
   */
  restore(fields: Fields<typeof RestoreBlockRequestSchema, "userId", "label" | "version">, options?: CallOptions): Promise<RestoreBlockResponse> {
    return this.#calls.unary(BlockService.method.restoreBlock, { ...fields, userId: this.#userId, idempotencyKey: fields.idempotencyKey ?? newIdempotencyKey() }, options);
  }
}

// Generated from the definitions by `npm run generate`. Do not edit.
import { BlockService, DeleteBlockRequestSchema, type DeleteBlockResponse, DeleteBlocksRequestSchema, type DeleteBlocksResponse, GetBlockRequestSchema, type GetBlockResponse, ListBlocksRequestSchema, type ListBlocksResponse, ListBlockVersionsRequestSchema, type ListBlockVersionsResponse, PutBlockRequestSchema, type PutBlockResponse, RenameBlockRequestSchema, type RenameBlockResponse, RenderBlocksRequestSchema, type RenderBlocksResponse, RestoreBlockRequestSchema, type RestoreBlockResponse } from "#gen/vademecum/v1/block_service_pb.js";
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
   *
   * Fails with ABORTED (VERSION_MISMATCH) when expected_version is given and is not the block's
   * version.
   */
  delete(fields: Fields<typeof DeleteBlockRequestSchema, "userId", "label">, options?: CallOptions): Promise<DeleteBlockResponse> {
    return this.#calls.unary(BlockService.method.deleteBlock, { ...fields, userId: this.#userId, idempotencyKey: fields.idempotencyKey ?? newIdempotencyKey() }, options);
  }

  /**
   * Deletes all blocks whose labels begin with a prefix, in one atomic step, as DeleteBlock does
   * for each. Deletes at most 1,000 blocks.
   *
   * Fails with FAILED_PRECONDITION (TOO_MANY_MATCHES) when more blocks have the prefix. Nothing is
   * deleted then.
   */
  deleteMany(fields: Fields<typeof DeleteBlocksRequestSchema, "userId", "labelPrefix">, options?: CallOptions): Promise<DeleteBlocksResponse> {
    return this.#calls.unary(BlockService.method.deleteBlocks, { ...fields, userId: this.#userId, idempotencyKey: fields.idempotencyKey ?? newIdempotencyKey() }, options);
  }

  /**
   * Gives a block another label. The block keeps its versions, its version number and its
   * proposals, which can still be approved. A title that was made from the label changes with it. A
   * retry of an earlier write under the old label finds the block.
   *
   * The call rewrites all versions and proposals of the block in one atomic step, so it costs as
   * much as writing them anew.
   *
   * The call fails with these errors:
   *
   * - NOT_FOUND (BLOCK_NOT_FOUND) when the user has no such block.
   * - ABORTED (VERSION_MISMATCH) when expected_version is given and is not the block's version.
   * - FAILED_PRECONDITION (BLOCK_EXISTS) when the user has a block with the new label.
   * - FAILED_PRECONDITION (BLOCK_TOO_LARGE) when the versions and proposals of the block have more
   *   than 64 MiB together.
   */
  rename(fields: Fields<typeof RenameBlockRequestSchema, "userId", "label" | "newLabel">, options?: CallOptions): Promise<RenameBlockResponse> {
    return this.#calls.unary(BlockService.method.renameBlock, { ...fields, userId: this.#userId, idempotencyKey: fields.idempotencyKey ?? newIdempotencyKey() }, options);
  }

  /**
   * Returns blocks as one text for a prompt, with instructions for the agent: how to read a block
   * that was cut, and how to propose edits. The same blocks give the same text.
   *
   * Each block has a heading with its title and label, and its text in a Markdown code block, whose
   * fence is longer than any in the text. So no text can look like another block. A block that does
   * not fit into the budget is cut at a line, and a sentence behind it says so.
   */
  render(fields: Fields<typeof RenderBlocksRequestSchema, "userId"> = {}, options?: CallOptions): Promise<RenderBlocksResponse> {
    return this.#calls.unary(BlockService.method.renderBlocks, { ...fields, userId: this.#userId }, options);
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

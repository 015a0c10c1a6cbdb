import type { Allowance } from "../model/allowance.js";
import type { Block, BlockVersion } from "../model/block.js";
import type { Call } from "../ports/call.js";
import type { Clock } from "../ports/clock.js";
import type { Store } from "../ports/store.js";
import type { TokenCounter } from "../ports/token-counter.js";
import type { ChangeParts } from "../proposal-records/change-proposals.js";
import type { Idempotent } from "../requests/idempotency.js";
import type { Page, PageQuery } from "../requests/list-page.js";

/** The dependencies of the use cases of blocks. */
export interface BlockServiceParts extends ChangeParts {
  readonly store: Store;
  readonly tokens: TokenCounter;
  readonly clock: Clock;
}

export interface ListBlocksQuery extends PageQuery {
  readonly userId: string;
  /** Lists only blocks whose labels begin with this text. Default: all blocks. */
  readonly labelPrefix?: string;
}

export interface ListBlockVersionsQuery extends PageQuery {
  readonly userId: string;
  readonly label: string;
}

/** A block to write. */
export interface PutBlockInput extends Idempotent {
  readonly userId: string;
  readonly label: string;
  /** The new title. Empty: removes the title. Absent: keeps the title. */
  readonly title?: string;
  readonly body: string;
  /**
   * The new reference to the body's schema. Empty: removes the reference. Absent: keeps the
   * reference.
   */
  readonly schemaRef?: string;
  /**
   * The version that the block must have. 0: the block must not exist. Absent: the block may have
   * any version, or not exist.
   */
  readonly expectedVersion?: number;
  readonly writtenBy: string;
}

export interface DeleteBlockInput extends Idempotent {
  readonly userId: string;
  readonly label: string;
  /** The version that the block must have, from 1 on. Default: any. */
  readonly expectedVersion?: number;
}

export interface DeleteBlocksInput extends Idempotent {
  readonly userId: string;
  /** The beginning of the labels. Not empty. */
  readonly labelPrefix: string;
  /** Whether to count the blocks and delete none. */
  readonly dryRun: boolean;
}

/** The outcome of a deletion by prefix. */
export interface DeletedBlocks {
  readonly deleted: number;
  /** The labels of at most ten of the blocks. */
  readonly sampleLabels: readonly string[];
}

export interface RenameBlockInput extends Idempotent {
  readonly userId: string;
  readonly label: string;
  readonly newLabel: string;
  /** The version that the block must have. Absent: any version. */
  readonly expectedVersion?: number;
}

export interface RenderBlocksQuery {
  readonly userId: string;
  /** The labels in the order of the text. Empty: all blocks in the order of their labels. */
  readonly labels: readonly string[];
  readonly budgetTokens: number;
}

/** Blocks as one text for a prompt. */
export interface RenderedBlocks {
  readonly text: string;
  readonly tokenCount: number;
  readonly blocks: readonly RenderedBlock[];
  /** The labels of the first 100 blocks that did not fit. */
  readonly omittedLabels: readonly string[];
  readonly omittedCount: number;
  /** The requested labels that have no block. */
  readonly missingLabels: readonly string[];
}

/** A block in a text for a prompt. */
export interface RenderedBlock {
  readonly label: string;
  readonly version: number;
  /** Tokens of the text that the block takes. */
  readonly tokens: number;
  /** Whether the text has only the first lines. */
  readonly cut: boolean;
}

export interface RestoreBlockInput extends Idempotent {
  readonly userId: string;
  readonly label: string;
  readonly version: number;
  /** The version that the block must have. Absent: any version. */
  readonly expectedVersion?: number;
  readonly writtenBy: string;
}

/** A block after a write. */
export interface WrittenBlock {
  readonly block: Block;
  /**
   * Present for a repetition: the version that the first call made. `block` is the block as it is
   * now, which may be a later version.
   */
  readonly replayedVersion?: number;
}

/**
 * The use cases of blocks. Requires: inputs obey the rules of the proto files. A label that does
 * not exist and a label of another user give the same result.
 */
export interface BlockService {
  /** Lists a user's blocks, ordered by the UTF-8 bytes of their labels. */
  list(query: ListBlocksQuery, call: Call): Promise<Page<Block>>;
  /**
   * Returns a block.
   *
   * @throws NOT_FOUND (BLOCK_NOT_FOUND) when the user has no such block.
   */
  get(userId: string, label: string): Promise<Block>;
  /**
   * Creates or changes a block.
   *
   * @throws ABORTED (VERSION_MISMATCH) when the block is not at `expectedVersion`.
   */
  put(input: PutBlockInput, allowance?: Allowance): Promise<WrittenBlock>;
  /**
   * Deletes a block with all its versions and the texts of all proposals about it. `deleted` tells
   * whether the block existed.
   *
   * @throws ABORTED (VERSION_MISMATCH) when the block is not at `expectedVersion`.
   */
  delete(input: DeleteBlockInput, allowance?: Allowance): Promise<{ readonly deleted: boolean }>;
  /**
   * Deletes all blocks whose labels begin with a prefix, as `delete` does, or none.
   *
   * @throws FAILED_PRECONDITION (TOO_MANY_MATCHES) when more than 1,000 blocks have the prefix.
   */
  deleteAll(input: DeleteBlocksInput, allowance?: Allowance): Promise<DeletedBlocks>;
  /**
   * Gives a block another label. Keeps its versions and proposals.
   *
   * @throws INVALID_ARGUMENT (INVALID_FIELD) when the labels are equal.
   * @throws NOT_FOUND (BLOCK_NOT_FOUND) when the user has no such block.
   * @throws ABORTED (VERSION_MISMATCH) when the block is not at `expectedVersion`.
   * @throws FAILED_PRECONDITION (BLOCK_EXISTS) when the new label is in use.
   * @throws FAILED_PRECONDITION (BLOCK_TOO_LARGE) when versions and proposals exceed 64 MiB.
   */
  rename(input: RenameBlockInput, allowance?: Allowance): Promise<Block>;
  /** Writes blocks into one text for a prompt. */
  render(query: RenderBlocksQuery, call: Call): Promise<RenderedBlocks>;
  /**
   * Lists a block's versions, newest first.
   *
   * @throws NOT_FOUND (BLOCK_NOT_FOUND) when the user has no such block.
   */
  listVersions(query: ListBlockVersionsQuery, call: Call): Promise<Page<BlockVersion>>;
  /**
   * Writes the content of an earlier version as the next version.
   *
   * @throws NOT_FOUND (BLOCK_NOT_FOUND) when the user has no such block.
   * @throws ABORTED (VERSION_MISMATCH) when the block is not at `expectedVersion`.
   * @throws NOT_FOUND (BLOCK_VERSION_NOT_FOUND) when the block has no such version.
   */
  restore(input: RestoreBlockInput, allowance?: Allowance): Promise<WrittenBlock>;
}

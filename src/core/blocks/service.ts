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
   */
  delete(input: DeleteBlockInput, allowance?: Allowance): Promise<{ readonly deleted: boolean }>;
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

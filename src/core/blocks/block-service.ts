import type { Block, BlockVersion } from "../model/block.js";
import type { Call } from "../ports/call.js";
import type { Idempotent } from "../requests/idempotency.js";
import type { Page } from "../requests/page.js";

/** A block to write. */
export interface PutBlockInput extends Idempotent {
  readonly userId: string;
  readonly label: string;
  /** Empty: none. Absent: as it is. */
  readonly title?: string;
  readonly body: string;
  /** Empty: none. Absent: as it is. */
  readonly schemaRef?: string;
  /** 0: there must be no such block. Absent: whatever there is. */
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
  readonly writtenBy: string;
}

/** One page of a listing. */
export interface PageQuery {
  /** 1 to 1,000. */
  readonly limit: number;
  /** Token of the page before; empty: from the beginning. */
  readonly pageToken: string;
}

/**
 * The use cases of blocks. Inputs are within the limits of the proto rules; what rules cannot say is checked here.
 * Labels that do not exist and labels of other users are the same to all of them.
 */
export interface BlockService {
  /** A user's blocks, ordered by the UTF-8 bytes of their labels. */
  list(query: PageQuery & { readonly userId: string }, call: Call): Promise<Page<Block>>;
  /** @throws NOT_FOUND (BLOCK_NOT_FOUND) */
  get(userId: string, label: string): Promise<Block>;
  /** @throws ABORTED (VERSION_MISMATCH) */
  put(input: PutBlockInput): Promise<Block>;
  delete(input: DeleteBlockInput): Promise<{ readonly deleted: boolean }>;
  /** A block's versions, newest first. @throws NOT_FOUND (BLOCK_NOT_FOUND) */
  listVersions(
    query: PageQuery & { readonly userId: string; readonly label: string },
    call: Call,
  ): Promise<Page<BlockVersion>>;
  /** @throws NOT_FOUND (BLOCK_NOT_FOUND, BLOCK_VERSION_NOT_FOUND) */
  restore(input: RestoreBlockInput): Promise<Block>;
}

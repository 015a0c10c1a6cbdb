import type { Instant } from "./instant.js";

/** The content of a version of a block. */
export interface BlockContent {
  /** Title. Absent: the label in title case (`blockTitle`). */
  readonly title?: string;
  /** The text. May be empty. */
  readonly body: string;
  /** Reference to the schema of the body. The service stores it and does not interpret it. */
  readonly schemaRef?: string;
}

/** A text of a user that people and agents edit, in its newest version. */
export interface Block extends BlockContent {
  /** Name of the block, unique among the user's blocks. */
  readonly label: string;
  /** Starts at 1 and increases by 1 with each change. */
  readonly version: number;
  /** Exact number of tokens of `body`. */
  readonly tokenCount: number;
  readonly updateTime: Instant;
  /**
   * Commit sequence number of the write that created the block. Tells the block from an earlier,
   * deleted block with the same label.
   */
  readonly createSeq: number;
}

/** A stored version of a block. */
export interface BlockVersion extends BlockContent {
  readonly version: number;
  /** Exact number of tokens of `body`. */
  readonly tokenCount: number;
  /**
   * Who wrote the version: the approver of the edit, or the caller. `anonymous` when no credentials
   * are in use.
   */
  readonly writtenBy: string;
  readonly writeTime: Instant;
  /** The proposal that led to this version. */
  readonly proposalId?: string;
  /** The older version that this version restores. */
  readonly restoredFrom?: number;
  /** See `Block.createSeq`. */
  readonly createSeq: number;
}

/** Returns the title of a block: its own, or its label in title case. */
export function blockTitle(label: string, { title }: BlockContent): string {
  return title ?? label.replaceAll("_", " ").replace(/[\p{L}\p{M}\p{N}]+/gu, inTitleCase);
}

function inTitleCase(word: string): string {
  const [first = "", ...rest] = word;
  return first.toUpperCase() + rest.join("").toLowerCase();
}

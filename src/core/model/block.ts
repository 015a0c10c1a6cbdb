import type { Instant } from "./instant.js";

/** What a version of a block says. */
export interface BlockContent {
  /** Absent: the label in title case (`blockTitle`). */
  readonly title?: string;
  /** May be empty. */
  readonly body: string;
  /** Where the shape of the body is described; the service only keeps it. */
  readonly schemaRef?: string;
}

/** A text that belongs to a user and that people and agents edit: the newest of its versions. */
export interface Block extends BlockContent {
  /** Its name among the user's blocks. */
  readonly label: string;
  /** 1 when written, one more with each change. */
  readonly version: number;
  /** Exact tokens of `body`. */
  readonly tokenCount: number;
  readonly updateTime: Instant;
}

/** A version of a block, as it was written. */
export interface BlockVersion extends BlockContent {
  readonly version: number;
  /** Exact tokens of `body`. */
  readonly tokenCount: number;
  /** Who wrote it: who approved the edit, or who called; `anonymous` where no credentials are in use. */
  readonly writtenBy: string;
  readonly writeTime: Instant;
  /** The proposal that it comes from. */
  readonly proposalId?: string;
  /** The version that was restored with it. */
  readonly restoredFrom?: number;
}

/** What to call a block: its title, or its label in title case. */
export function blockTitle(label: string, { title }: BlockContent): string {
  return title ?? label.replaceAll("_", " ").replace(/[\p{L}\p{M}\p{N}]+/gu, inTitleCase);
}

function inTitleCase(word: string): string {
  const [first = "", ...rest] = word;
  return first.toUpperCase() + rest.join("").toLowerCase();
}

import type { Memory } from "../model/memory.js";

/**
 * Maximum number of memories in one message of a stream. A separate message for each memory would
 * raise its cost by half.
 */
export const messageItemsMax = 32;

/** Maximum bytes of text in one message of a stream. A larger memory gets a message of its own. */
export const messageTextMaxBytes = 64 * 1024;

/** Bytes of content and metadata, the parts of a memory that can be large. */
export function textBytesOf({ content, metadata }: Pick<Memory, "content" | "metadata">): number {
  return (
    Buffer.byteLength(content) +
    (metadata === undefined ? 0 : Buffer.byteLength(JSON.stringify(metadata)))
  );
}

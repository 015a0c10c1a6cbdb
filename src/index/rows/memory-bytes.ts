import type { Memory } from "../../core/model/memory.js";

/**
 * Bytes of a memory object with its id, times and enums, and its entries in an index's list and
 * map. Measured on Node 20, rounded up.
 */
const fixedBytes = 450;
/**
 * Upper bound of the bytes of a character in a string: V8 takes one byte if the whole string is
 * Latin-1, else two bytes.
 */
const bytesPerCharacter = 2;
/** Bytes of a parsed metadata object per character of its JSON text. Measured on Node 20. */
const bytesPerMetadataCharacter = 5;

/** Returns the approximate resident bytes of a memory in a row. */
export function memoryBytes(memory: Memory): number {
  const { content, kind, source, author, threadId, tags, metadata } = memory;
  let characters = content.length;
  for (const text of [kind, source, author, threadId, ...tags]) characters += text?.length ?? 0;
  const metadataLength = metadata === undefined ? 0 : JSON.stringify(metadata).length;
  return fixedBytes + characters * bytesPerCharacter + metadataLength * bytesPerMetadataCharacter;
}

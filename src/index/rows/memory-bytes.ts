import type { Memory } from "../../core/model/memory.js";

/** A memory object with its id, times and enums, and its places in an index's list and map. Measured on Node 20, rounded up. */
const fixedBytes = 450;
/** A character of a string: one byte within Latin-1, two beyond. */
const bytesPerCharacter = 2;
/** A character of metadata as JSON text, once it is an object. Measured likewise. */
const bytesPerMetadataCharacter = 5;

/** About how many bytes of memory a memory takes that is kept as a row. */
export function memoryBytes(memory: Memory): number {
  const { content, kind, source, author, threadId, tags, metadata } = memory;
  let characters = content.length;
  for (const text of [kind, source, author, threadId, ...tags]) characters += text?.length ?? 0;
  const metadataLength = metadata === undefined ? 0 : JSON.stringify(metadata).length;
  return fixedBytes + characters * bytesPerCharacter + metadataLength * bytesPerMetadataCharacter;
}

import type { EnvelopedMessage } from "@connectrpc/connect/protocol";
import type { Slot } from "../admit/slot.js";
import { refusedMaxBytes } from "../limits.js";
import { prefixBytes } from "./message-sizes.js";
import { malformedRequest } from "./request-errors.js";

/** The limit of a message. */
export interface BodyLimit {
  readonly maxBytes: number;
  /** Returns the error of a larger message. */
  readonly tooLarge: () => Error;
}

/** The limits of the messages of a body. */
export interface EnvelopeLimits extends BodyLimit {
  /** Opens a slot for a message before the rest of it is read. `undefined`: it needs none. */
  readonly openSlot: (bytes: number) => Slot | Promise<Slot> | undefined;
}

/**
 * Splits a body into the messages of a gRPC, gRPC-Web or Connect stream. Chunks may end anywhere.
 *
 * Splitting takes time linear in the body. Connect's own splitter rescans all chunks for each new
 * chunk, so 20,000 chunks of one byte take seconds.
 *
 * @throws RESOURCE_EXHAUSTED (REQUEST_TOO_LARGE) when a message is larger than `maxBytes`, after
 *   reading the rest of it, up to `refusedMaxBytes`
 * @throws INVALID_ARGUMENT (MALFORMED_REQUEST) when the body ends inside a message
 */
export async function* splitEnvelopes(
  body: AsyncIterable<Uint8Array>,
  { maxBytes, tooLarge, openSlot }: EnvelopeLimits,
): AsyncGenerator<EnvelopedMessage> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  let bytesNeeded = prefixBytes;
  let bytesToDrop = 0;
  let slot: Slot | undefined;
  try {
    for await (const chunk of body) {
      if (bytesToDrop > 0) {
        bytesToDrop -= chunk.byteLength;
        if (bytesToDrop > 0) continue;
        throw tooLarge();
      }
      chunks.push(chunk);
      bytes += chunk.byteLength;
      while (bytes >= bytesNeeded) {
        const buffer = join(chunks);
        const end = prefixBytes + buffer.readUInt32BE(1);
        if (end - prefixBytes > maxBytes) {
          bytesToDrop = Math.min(end, refusedMaxBytes) - bytes;
          if (bytesToDrop <= 0) throw tooLarge();
          break;
        }
        if (bytesNeeded < end) slot = await openSlot(end - prefixBytes);
        bytesNeeded = end;
        if (bytes < end) break;
        yield { flags: buffer.readUInt8(0), data: buffer.subarray(prefixBytes, end) };
        slot?.release();
        chunks[0] = buffer.subarray(end);
        bytes -= end;
        bytesNeeded = prefixBytes;
      }
    }
  } finally {
    slot?.release();
  }
  if (bytesToDrop > 0) throw tooLarge();
  if (bytes > 0) throw malformedRequest("it ends inside a message");
}

/**
 * Reads a body that is one message.
 *
 * @throws RESOURCE_EXHAUSTED (REQUEST_TOO_LARGE) when it is larger than `maxBytes`, after reading
 *   the rest of it, up to `refusedMaxBytes`
 */
export async function readBody(
  body: AsyncIterable<Uint8Array>,
  { maxBytes, tooLarge }: BodyLimit,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.byteLength;
    if (bytes <= maxBytes) chunks.push(chunk);
    else if (bytes > refusedMaxBytes) throw tooLarge();
  }
  if (bytes > maxBytes) throw tooLarge();
  return join(chunks);
}

/** Joins the chunks and leaves the result as the only chunk in the list. */
function join(chunks: Uint8Array[]): Buffer {
  const [first] = chunks;
  const buffer =
    first !== undefined && chunks.length === 1
      ? Buffer.from(first.buffer, first.byteOffset, first.byteLength)
      : Buffer.concat(chunks);
  chunks.splice(0, chunks.length, buffer);
  return buffer;
}

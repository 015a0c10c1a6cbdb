import type { EnvelopedMessage } from "@connectrpc/connect/protocol";
import { VademecumError } from "../../core/model/errors.js";
import { requestMaxBytes } from "../limits.js";
import { malformedRequest } from "./decode.js";

/** Flags and length before each message, in bytes. */
const prefixBytes = 5;

/**
 * Splits a body into the messages of gRPC, gRPC-Web and Connect streams, however it was cut into chunks. Takes time linear in the body: Connect's
 * own splitter looks at all chunks again whenever one comes, so that 20,000 of one byte each keep it busy for seconds.
 * @throws RESOURCE_EXHAUSTED for a message that is too large; INVALID_ARGUMENT for a body that ends within one
 */
export async function* splitEnvelopes(
  body: AsyncIterable<Uint8Array>,
): AsyncGenerator<EnvelopedMessage> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  let wanted = prefixBytes;
  for await (const chunk of body) {
    chunks.push(chunk);
    bytes += chunk.byteLength;
    while (bytes >= wanted) {
      const joined = join(chunks);
      const end = prefixBytes + joined.readUInt32BE(1);
      if (end - prefixBytes > requestMaxBytes) throw requestTooLarge();
      wanted = end;
      if (bytes < end) break;
      yield { flags: joined.readUInt8(0), data: joined.subarray(prefixBytes, end) };
      chunks[0] = joined.subarray(end);
      bytes -= end;
      wanted = prefixBytes;
    }
  }
  if (bytes > 0) throw malformedRequest("it ends within a message");
}

/** RESOURCE_EXHAUSTED for a message beyond the limit. */
export function requestTooLarge(): VademecumError {
  const limit = requestMaxBytes.toLocaleString("en");
  return new VademecumError(
    "RESOURCE_EXHAUSTED",
    "REQUEST_TOO_LARGE",
    `a message of a request may have at most ${limit} bytes; send it in parts`,
  );
}

/** The chunks as one, which then is the only one in the list. */
function join(chunks: Uint8Array[]): Buffer {
  const [first] = chunks;
  const joined =
    first !== undefined && chunks.length === 1
      ? Buffer.from(first.buffer, first.byteOffset, first.byteLength)
      : Buffer.concat(chunks);
  chunks.splice(0, chunks.length, joined);
  return joined;
}

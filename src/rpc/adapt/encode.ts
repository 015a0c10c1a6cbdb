import { type DescMessage, type Message, toBinary } from "@bufbuild/protobuf";
import { VademecumError } from "../../core/model/errors.js";
import { responseMaxBytes } from "../limits.js";

/**
 * Encodes a response.
 *
 * @throws RESOURCE_EXHAUSTED (RESPONSE_TOO_LARGE) when it is larger than `responseMaxBytes`
 */
export function encodeBinary(schema: DescMessage, message: Message): Buffer {
  const bytes = toBinary(schema, message);
  if (bytes.byteLength > responseMaxBytes) {
    const size = bytes.byteLength.toLocaleString("en");
    const limit = responseMaxBytes.toLocaleString("en");
    throw new VademecumError(
      "RESOURCE_EXHAUSTED",
      "RESPONSE_TOO_LARGE",
      `the response is ${size} bytes; the limit is ${limit}. ` +
        "Ask for less with limit, budget_tokens or a narrower filter",
    );
  }
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

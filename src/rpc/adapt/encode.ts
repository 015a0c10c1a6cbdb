import { type DescMessage, type Message, toBinary } from "@bufbuild/protobuf";
import { VademecumError } from "../../core/model/errors.js";
import { responseMaxBytes } from "../limits.js";

/** Writes a response in binary. @throws RESOURCE_EXHAUSTED if it is larger than a response may be. */
export function encodeBinary(schema: DescMessage, message: Message): Buffer {
  const bytes = toBinary(schema, message);
  if (bytes.byteLength > responseMaxBytes) {
    throw new VademecumError(
      "RESOURCE_EXHAUSTED",
      "RESPONSE_TOO_LARGE",
      `the response has ${bytes.byteLength.toLocaleString("en")} bytes, and a message may have ${responseMaxBytes.toLocaleString("en")}; ask for less (limit, budget_tokens, a narrower filter)`,
    );
  }
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

import type { UniversalServerResponse } from "@connectrpc/connect/protocol";
import type { StreamedRequest } from "./connect-requests.js";

const textType = /^application\/grpc-web-text(?=\+proto$|$)/i;

/**
 * Converts a call of gRPC-Web in text form, whose bodies are base64, into one in binary form.
 * Returns `undefined` if the request is of another protocol.
 */
export function fromWebText(request: StreamedRequest): StreamedRequest | undefined {
  const { header, body } = request;
  const contentType = header.get("content-type") ?? "";
  if (!textType.test(contentType)) return undefined;
  header.set("content-type", contentType.replace(textType, "application/grpc-web"));
  return { ...request, body: decodeBase64(body) };
}

/** Converts the response of the binary form into that of the text form. */
export function toWebText(response: UniversalServerResponse): UniversalServerResponse {
  const { header, body } = response;
  if (header !== undefined) setWebTextType(header);
  return body === undefined ? response : { ...response, body: encodeBase64(body) };
}

/** Names the text form in the headers of a response. Does nothing if they name it already. */
export function setWebTextType(header: Headers): void {
  const contentType = header.get("content-type") ?? "";
  header.set(
    "content-type",
    contentType.replace(/^application\/grpc-web(?!-text)/, "application/grpc-web-text"),
  );
}

/** Decodes base64 that was split anywhere. Padding may stand inside, at the end of each frame. */
async function* decodeBase64(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let rest = "";
  for await (const chunk of chunks) {
    const text = rest + Buffer.from(chunk).toString("latin1");
    const whole = text.length - (text.length % 4);
    rest = text.slice(whole);
    for (const part of text.slice(0, whole).split(/(?<==)(?!=)/)) {
      if (part !== "") yield Buffer.from(part, "base64");
    }
  }
  if (rest !== "") yield Buffer.from(rest, "base64");
}

/** Encodes each chunk by itself, with padding, so that no chunk waits for the next. */
async function* encodeBase64(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) yield Buffer.from(Buffer.from(chunk).toString("base64"));
}

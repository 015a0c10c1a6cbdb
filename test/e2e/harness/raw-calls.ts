import { connect, type IncomingHttpHeaders } from "node:http2";
import { finished } from "node:stream/promises";
import { Code, ConnectError } from "@connectrpc/connect";
import { errorFromJsonBytes } from "@connectrpc/connect/protocol-connect";
import { describeFailure, type Failure } from "./failure.js";
import { errorOfStatus } from "./status-error.js";

/** The reply to bytes that no client library would send. */
export interface RawReply {
  readonly httpStatus: number;
  /** The error; `undefined` after success, or if the HTTP status alone reports the error. */
  readonly failure: Failure | undefined;
  /** The unchanged body of the reply. */
  readonly body: Buffer;
}

/** Puts the prefix of gRPC and of Connect's streams before a message: flags and length. */
export function framed(
  message: Uint8Array,
  { flags = 0, length = message.length }: { flags?: number; length?: number } = {},
): Buffer {
  const prefix = Buffer.alloc(5);
  prefix.writeUInt8(flags, 0);
  prefix.writeUInt32BE(length, 1);
  return Buffer.concat([prefix, message]);
}

/** Sends bytes as the body of a gRPC call over HTTP/2. With `keepOpen`, the body does not end. */
export async function rawGrpcCall(
  url: string,
  path: string,
  body: Uint8Array,
  headers: Readonly<Record<string, string>> = {},
  { keepOpen = false }: { readonly keepOpen?: boolean } = {},
): Promise<RawReply> {
  const { received, body: reply } = await http2Request(
    url,
    path,
    body,
    { "content-type": "application/grpc", te: "trailers", ...headers },
    keepOpen,
  );
  const status = received["grpc-status"];
  const packed = received["grpc-status-details-bin"];
  const message = decodeURIComponent(String(received["grpc-message"] ?? ""));
  const failed = status !== undefined && status !== "0";
  const details = typeof packed === "string" ? Buffer.from(packed, "base64") : undefined;
  return {
    httpStatus: Number(received[":status"] ?? 0),
    failure: failed ? describeFailure(errorOfStatus(Number(status), message, details)) : undefined,
    body: reply,
  };
}

/** Posts bytes as the body of a unary call with Connect's JSON, over HTTP/1.1. */
export async function rawJsonCall(
  url: string,
  path: string,
  body: string | Uint8Array<ArrayBuffer>,
  headers: Readonly<Record<string, string>> = {},
): Promise<RawReply> {
  const response = await fetch(url + path, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body,
  });
  const reply = Buffer.from(await response.arrayBuffer());
  const isError = !response.ok && response.headers.get("content-type") === "application/json";
  return {
    httpStatus: response.status,
    failure: isError ? failureInJson(reply) : undefined,
    body: reply,
  };
}

/** Posts one message of a streaming call with Connect's JSON, over HTTP/1.1. */
export async function rawJsonStream(
  url: string,
  path: string,
  message: string | Uint8Array,
): Promise<RawReply> {
  const headers = { "content-type": "application/connect+json" };
  const response = await fetch(url + path, {
    method: "POST",
    headers,
    body: framed(Buffer.from(message)),
  });
  const reply = Buffer.from(await response.arrayBuffer());
  const last = endOfStream(reply);
  const failed = last !== undefined && (JSON.parse(last.toString()) as { error?: unknown }).error;
  return {
    httpStatus: response.status,
    failure: failed ? failureInJson(Buffer.from(JSON.stringify(failed))) : undefined,
    body: reply,
  };
}

function failureInJson(bytes: Buffer): Failure {
  return describeFailure(
    errorFromJsonBytes(
      bytes,
      undefined,
      new ConnectError("the error cannot be read", Code.Unknown),
    ),
  );
}

/** Finds the last message of a stream of Connect: the message with the flag 2. */
function endOfStream(bytes: Buffer): Buffer | undefined {
  for (let at = 0; at + 5 <= bytes.length; ) {
    const end = at + 5 + bytes.readUInt32BE(at + 1);
    if ((bytes.readUInt8(at) & 2) !== 0) return bytes.subarray(at + 5, end);
    at = end;
  }
  return undefined;
}

/**
 * Sends one request over a new connection. Returns headers and trailers of the reply together; both
 * are empty if the server resets the stream.
 */
async function http2Request(
  url: string,
  path: string,
  body: Uint8Array,
  headers: Readonly<Record<string, string>>,
  keepOpen: boolean,
): Promise<{ received: IncomingHttpHeaders; body: Buffer }> {
  const session = connect(url);
  const stream = session.request({ ":method": "POST", ":path": path, ...headers });
  const received: IncomingHttpHeaders = {};
  for (const event of ["response", "trailers"])
    stream.on(event, (some: IncomingHttpHeaders) => Object.assign(received, some));
  const chunks: Buffer[] = [];
  stream.on("data", (chunk: Buffer) => chunks.push(chunk));
  if (keepOpen) stream.write(body);
  else stream.end(body);
  // The reply may end before the whole body could be sent.
  await finished(stream, { writable: false }).catch(() => undefined);
  session.destroy();
  return { received, body: Buffer.concat(chunks) };
}

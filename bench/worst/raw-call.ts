import { connect, type IncomingHttpHeaders } from "node:http2";
import { finished } from "node:stream/promises";
import type { DescMethod } from "@bufbuild/protobuf";
import { Code } from "@connectrpc/connect";
import { methodPath } from "./served-methods.js";

/** Time after which a call is cancelled, in milliseconds. */
const timeoutMs = 40_000;

/** Time after which a watch is cancelled, in milliseconds. A watch does not end by itself. */
const watchMs = 200;

/** Addresses of a server, as `host:port`. */
export interface Addresses {
  readonly grpcAddress: string;
  readonly httpAddress: string;
}

/** A call with messages that are already encoded. */
export interface RawCall {
  readonly encoding: "binary" | "json";
  readonly messages: readonly Uint8Array[];
}

/** Sends binary messages over gRPC and JSON over Connect. Returns the code of the answer. */
export async function sendRawCall(
  { grpcAddress, httpAddress }: Addresses,
  method: DescMethod,
  { encoding, messages }: RawCall,
): Promise<string> {
  const isUnary = method.methodKind === "unary";
  const isJson = encoding === "json";
  const contentType = isJson
    ? isUnary
      ? "application/json"
      : "application/connect+json"
    : "application/grpc";
  const body = isJson && isUnary ? messages : messages.map(framed);
  const waitMs = method.name.startsWith("Watch") ? watchMs : timeoutMs;
  const address = isJson ? httpAddress : grpcAddress;
  const { headers, reply } = await post(address, methodPath(method), contentType, body, waitMs);
  if (!isJson) return grpcCode(headers);
  return isUnary ? jsonCode(headers, reply) : streamCode(reply);
}

/** Puts the prefix of gRPC and of Connect's streams before a message. */
function framed(message: Uint8Array): Uint8Array {
  const prefix = Buffer.alloc(5);
  prefix.writeUInt32BE(message.byteLength, 1);
  return Buffer.concat([prefix, message]);
}

/** Returns headers and trailers of the reply together. Both may be absent. */
async function post(
  address: string,
  path: string,
  contentType: string,
  body: readonly Uint8Array[],
  waitMs: number,
): Promise<{ readonly headers: IncomingHttpHeaders; readonly reply: Buffer }> {
  const session = connect(`http://${address}`);
  session.on("error", () => undefined);
  const stream = session.request({
    ":method": "POST",
    ":path": path,
    "content-type": contentType,
    te: "trailers",
  });
  const headers: IncomingHttpHeaders = {};
  for (const event of ["response", "trailers"])
    stream.on(event, (some: IncomingHttpHeaders) => Object.assign(headers, some));
  const chunks: Buffer[] = [];
  stream.on("data", (chunk: Buffer) => chunks.push(chunk));
  stream.end(Buffer.concat(body));
  const timeout = setTimeout(() => stream.close(), waitMs);
  await finished(stream, { writable: false }).catch(() => undefined);
  clearTimeout(timeout);
  session.destroy();
  return { headers, reply: Buffer.concat(chunks) };
}

function grpcCode({ "grpc-status": status }: IncomingHttpHeaders): string {
  if (status === undefined) return "none";
  return status === "0" ? "OK" : codeName(Number(status));
}

function codeName(code: number): string {
  return (Code[code] ?? "Unknown").replace(/(?<=[a-z])(?=[A-Z])/g, "_").toUpperCase();
}

function jsonCode({ ":status": status }: IncomingHttpHeaders, reply: Buffer): string {
  if (status === undefined) return "none";
  return Number(status) === 200 ? "OK" : codeIn(reply);
}

/** Returns the code in the envelope that ends a stream of Connect. This envelope has the flag 2. */
function streamCode(reply: Buffer): string {
  for (let at = 0; at + 5 <= reply.length; ) {
    const end = at + 5 + reply.readUInt32BE(at + 1);
    if ((reply.readUInt8(at) & 2) !== 0) return codeIn(reply.subarray(at + 5, end));
    at = end;
  }
  return "none";
}

function codeIn(json: Buffer): string {
  try {
    const body = JSON.parse(json.toString()) as { code?: string; error?: { code?: string } };
    return (body.code ?? body.error?.code ?? "ok").toUpperCase();
  } catch {
    return "none";
  }
}

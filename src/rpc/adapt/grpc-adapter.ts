import { once } from "node:events";
import { PassThrough } from "node:stream";
import type { Message } from "@bufbuild/protobuf";
import {
  type handleBidiStreamingCall,
  type handleServerStreamingCall,
  type handleUnaryCall,
  Metadata,
  type MethodDefinition,
  type Server,
  type ServerDuplexStream,
  type ServerUnaryCall,
  type ServerWritableStream,
  type UntypedHandleCall,
} from "@grpc/grpc-js";
import type { VademecumError } from "../../core/model/errors.js";
import { defaultTimeoutMs } from "../limits.js";
import type { AdapterParts } from "./adapter-parts.js";
import { AdmittedCall } from "./admitted-call.js";
import { beginCall, countsMessages, withSlot } from "./begin-call.js";
import { decodeBinary } from "./decode.js";
import { encodeBinary } from "./encode.js";
import { admissionOf } from "./grpc-admission.js";
import { requestMessageOf } from "./grpc-requests.js";
import { toGrpcStatus } from "./grpc-status.js";
import type { Implementation, RpcCall, RpcMethod } from "./handler.js";
import { answersEachRequest } from "./held-messages.js";
import { withWaits } from "./request-waits.js";

type MethodOf<Kind extends RpcMethod["kind"]> = Extract<RpcMethod, { kind: Kind }>;

/**
 * Adds a service to a grpc-js server. Messages pass through grpc-js as bytes and are decoded here,
 * because grpc-js answers INTERNAL to a message that it cannot decode.
 */
export function addToGrpcServer(
  server: Server,
  { service, methods }: Implementation,
  parts: AdapterParts,
): void {
  const definition: Record<string, MethodDefinition<Buffer, Buffer>> = {};
  const handlers: Record<string, UntypedHandleCall> = {};
  for (const method of methods) {
    const { name } = method.descriptor;
    definition[name] = {
      path: `/${service.typeName}/${name}`,
      requestStream: method.kind === "bidi_streaming",
      responseStream: method.kind !== "unary",
      requestSerialize: keepBytes,
      requestDeserialize: keepBytes,
      responseSerialize: keepBytes,
      responseDeserialize: keepBytes,
    };
    handlers[name] = createHandler(method, parts);
  }
  server.addService(definition, handlers);
}

function keepBytes(bytes: Buffer): Buffer {
  return bytes;
}

function createHandler(method: RpcMethod, parts: AdapterParts): UntypedHandleCall {
  switch (method.kind) {
    case "unary":
      return createUnaryHandler(method, parts);
    case "server_streaming":
      return createServerStreamHandler(method, parts);
    case "bidi_streaming":
      return createBidiStreamHandler(method, parts);
  }
}

/** The members that calls of all kinds have in grpc-js. */
interface GrpcJsCall
  extends Pick<ServerUnaryCall<Buffer, Buffer>, "metadata" | "getDeadline" | "getPeer"> {
  on(event: "cancelled", listener: () => void): unknown;
}

class GrpcCall extends AdmittedCall implements RpcCall {
  readonly #call: GrpcJsCall;
  readonly deadlineMs: number;

  constructor(
    call: GrpcJsCall,
    method: RpcMethod,
    parts: AdapterParts,
    onCancel: (error: VademecumError) => void,
  ) {
    const clientDeadlineMs = Number(call.getDeadline());
    // grpc-js itself enforces a deadline that the client set. So only the default deadline is timed
    // here.
    const isTimed = !method.openEnded && method.kind !== "bidi_streaming";
    const timeoutMs = clientDeadlineMs === Infinity && isTimed ? defaultTimeoutMs : Infinity;
    super(method, parts, admissionOf(call.metadata), timeoutMs, onCancel);
    this.#call = call;
    this.deadlineMs = clientDeadlineMs === Infinity ? Date.now() + timeoutMs : clientDeadlineMs;
    this.reply.setTimeout(this.deadlineMs - Date.now());
    call.on("cancelled", () => this.cancel(Date.now() >= clientDeadlineMs));
  }

  get peer(): string {
    return this.#call.getPeer();
  }

  metadata(name: string): string | undefined {
    return this.#call.metadata.get(name)[0]?.toString();
  }
}

function createUnaryHandler(
  method: MethodOf<"unary">,
  parts: AdapterParts,
): handleUnaryCall<Buffer, Buffer> {
  const { input, output } = method.descriptor;
  const answer = async (bytes: Buffer, rpc: GrpcCall) => {
    parts.access.countBytes(rpc.principal, bytes.byteLength);
    const request = decodeBinary(input, bytes);
    rpc.check(request);
    const wait = beginCall(rpc, method, request);
    if (wait !== undefined) await wait;
    rpc.held.add(requestMessageOf(bytes));
    try {
      return encodeBinary(output, await method.handle(request, rpc));
    } finally {
      rpc.slot.release();
      rpc.held.end();
    }
  };
  return (call, respond) => {
    const rpc = new GrpcCall(call, method, parts, (error) => respond(toGrpcStatus(error)));
    answer(call.request, rpc).then(
      (bytes) => {
        if (!rpc.finish()) return;
        rpc.reply.complete(bytes.byteLength);
        respond(null, bytes);
      },
      (error: unknown) => {
        rpc.reply.complete(0);
        if (rpc.finish()) respond(toGrpcStatus(parts.report(error, call.getPath())));
      },
    );
  };
}

function createServerStreamHandler(
  method: MethodOf<"server_streaming">,
  parts: AdapterParts,
): handleServerStreamingCall<Buffer, Buffer> {
  const { input } = method.descriptor;
  return (call) => {
    const rpc = new GrpcCall(call, method, parts, (error) =>
      call.emit("error", toGrpcStatus(error)),
    );
    void sendAll(call, rpc, method, parts, async () => {
      parts.access.countBytes(rpc.principal, call.request.byteLength);
      const request = decodeBinary(input, call.request);
      rpc.check(request);
      await beginCall(rpc, method, request);
      // Some clients wait for the headers, which would otherwise come with the first message.
      if (method.openEnded) call.sendMetadata(new Metadata());
      rpc.held.add(requestMessageOf(call.request));
      if (method.openEnded) rpc.held.release();
      return method.handle(request, rpc);
    });
  };
}

function createBidiStreamHandler(
  method: MethodOf<"bidi_streaming">,
  parts: AdapterParts,
): handleBidiStreamingCall<Buffer, Buffer> {
  return (call) => {
    // An iterator over the call itself would destroy the call when an error is emitted, before the
    // status is sent.
    const requests = call.pipe(new PassThrough({ objectMode: true, highWaterMark: 1 }));
    const rpc = new GrpcCall(call, method, parts, (error) => {
      requests.destroy();
      call.emit("error", toGrpcStatus(error));
    });
    const arriving = withWaits<Buffer>(requests, parts.requestWaits);
    const decoded = decodeAll(method, arriving, parts, rpc);
    const counted = withSlot(rpc.slot, decoded);
    void sendAll(call, rpc, method, parts, async () => {
      rpc.countStream();
      return method.handle(counted, rpc);
    });
  };
}

async function* decodeAll(
  method: RpcMethod,
  requests: AsyncIterable<Buffer>,
  { access }: AdapterParts,
  rpc: GrpcCall,
): AsyncGenerator<Message> {
  for await (const bytes of requests) {
    rpc.held.add(requestMessageOf(bytes));
    access.countBytes(rpc.principal, bytes.byteLength);
    const request = decodeBinary(method.descriptor.input, bytes);
    rpc.checkStreamed(request);
    yield request;
    if (method.openEnded) rpc.held.release();
  }
}

/** Sends the responses of a handler as fast as the client reads, then the status. Never rejects. */
async function sendAll(
  call: ServerWritableStream<Buffer, Buffer> | ServerDuplexStream<Buffer, Buffer>,
  rpc: GrpcCall,
  method: RpcMethod,
  { report }: AdapterParts,
  start: () => Promise<AsyncIterable<Message>>,
): Promise<void> {
  try {
    for await (const response of await start()) {
      if (rpc.ended) return;
      if (answersEachRequest(method)) rpc.held.release();
      await write(call, rpc, method, encodeBinary(method.descriptor.output, response));
      if (call.writableNeedDrain) await drained(call, rpc, method);
    }
    if (rpc.finish()) call.end();
  } catch (error) {
    if (rpc.finish()) call.emit("error", toGrpcStatus(report(error, call.getPath())));
  } finally {
    rpc.slot.release();
    rpc.held.end();
  }
}

/**
 * Resolves when the client has read enough. A server stream has no slot while it waits for this.
 */
async function drained(
  call: ServerWritableStream<Buffer, Buffer> | ServerDuplexStream<Buffer, Buffer>,
  { slot, signal }: GrpcCall,
  { kind }: RpcMethod,
): Promise<void> {
  const ownsSlot = kind === "server_streaming";
  if (ownsSlot) slot.release();
  await once(call, "drain", { signal });
  if (ownsSlot) await slot.take();
}

/** Writes one response. If each message reserves its own bytes, waits until they are reserved. */
async function write(
  call: ServerWritableStream<Buffer, Buffer> | ServerDuplexStream<Buffer, Buffer>,
  rpc: GrpcCall,
  method: RpcMethod,
  bytes: Buffer,
): Promise<void> {
  if (countsMessages(method)) {
    await rpc.reply.reserve(bytes.byteLength, rpc);
    call.write(bytes, () => rpc.reply.release(bytes.byteLength));
  } else {
    call.write(bytes);
  }
}

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
import type { Principal } from "../../core/model/principal.js";
import type { Quota } from "../../core/model/quota.js";
import { defaultTimeoutMs } from "../limits.js";
import type { AdapterParts } from "./adapter-parts.js";
import { CallLifetime } from "./call-lifetime.js";
import { checkRequest, checkStreamed } from "./checked-request.js";
import { decodeBinary } from "./decode.js";
import { encodeBinary } from "./encode.js";
import { principalOf } from "./grpc-admission.js";
import { toGrpcStatus } from "./grpc-status.js";
import type { Implementation, RpcCall, RpcMethod } from "./handler.js";
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

class GrpcCall extends CallLifetime implements RpcCall {
  readonly #call: GrpcJsCall;
  readonly deadlineMs: number;

  constructor(call: GrpcJsCall, openEnded: boolean, onCancel: (error: VademecumError) => void) {
    const clientDeadlineMs = Number(call.getDeadline());
    // grpc-js enforces the deadline that the client set.
    const timeoutMs = clientDeadlineMs === Infinity && !openEnded ? defaultTimeoutMs : Infinity;
    super(timeoutMs, onCancel);
    this.#call = call;
    this.deadlineMs = clientDeadlineMs === Infinity ? Date.now() + timeoutMs : clientDeadlineMs;
    call.on("cancelled", () => this.cancel(Date.now() >= clientDeadlineMs));
  }

  get principal(): Principal {
    return principalOf(this.#call.metadata);
  }

  get quota(): Quota | undefined {
    return this.principal.limits?.quota;
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
  const answer = async (bytes: Buffer, rpc: RpcCall) => {
    parts.access.countBytes(rpc.principal, bytes.byteLength);
    const request = decodeBinary(input, bytes);
    checkRequest(parts, method, rpc.principal, request);
    return encodeBinary(output, await method.handle(request, rpc));
  };
  return (call, respond) => {
    const rpc = new GrpcCall(call, method.openEnded, (error) => respond(toGrpcStatus(error)));
    answer(call.request, rpc).then(
      (bytes) => {
        if (rpc.finish()) respond(null, bytes);
      },
      (error: unknown) => {
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
    const rpc = new GrpcCall(call, method.openEnded, (error) =>
      call.emit("error", toGrpcStatus(error)),
    );
    void sendAll(call, rpc, method, parts, () => {
      parts.access.countBytes(rpc.principal, call.request.byteLength);
      const request = decodeBinary(input, call.request);
      checkRequest(parts, method, rpc.principal, request);
      // Some clients wait for the headers. They would otherwise come with the first message.
      if (method.openEnded) call.sendMetadata(new Metadata());
      return method.handle(request, rpc);
    });
  };
}

function createBidiStreamHandler(
  method: MethodOf<"bidi_streaming">,
  parts: AdapterParts,
): handleBidiStreamingCall<Buffer, Buffer> {
  return (call) => {
    // An iterator of the call itself would destroy it when an error is emitted, before its status
    // is sent.
    const requests = call.pipe(new PassThrough({ objectMode: true, highWaterMark: 1 }));
    const rpc = new GrpcCall(call, true, () => requests.destroy());
    const arriving = withWaits<Buffer>(requests, parts.requestWaits);
    const decoded = decodeAll(method, arriving, parts, rpc);
    void sendAll(call, rpc, method, parts, () => method.handle(decoded, rpc));
  };
}

async function* decodeAll(
  method: RpcMethod,
  requests: AsyncIterable<Buffer>,
  parts: AdapterParts,
  { principal }: RpcCall,
): AsyncGenerator<Message> {
  for await (const bytes of requests) {
    parts.access.countBytes(principal, bytes.byteLength);
    const request = decodeBinary(method.descriptor.input, bytes);
    checkStreamed(parts, method, principal, request);
    yield request;
  }
}

/** Sends the responses of a handler as fast as the client reads, then the status. Never rejects. */
async function sendAll(
  call: ServerWritableStream<Buffer, Buffer> | ServerDuplexStream<Buffer, Buffer>,
  rpc: GrpcCall,
  { descriptor }: RpcMethod,
  { report }: AdapterParts,
  start: () => AsyncIterable<Message>,
): Promise<void> {
  try {
    for await (const response of start()) {
      if (rpc.ended) return;
      if (!call.write(encodeBinary(descriptor.output, response)))
        await once(call, "drain", { signal: rpc.signal });
    }
    if (rpc.finish()) call.end();
  } catch (error) {
    if (rpc.finish()) call.emit("error", toGrpcStatus(report(error, call.getPath())));
  }
}

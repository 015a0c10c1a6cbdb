import { once } from "node:events";
import type { OutgoingHttpHeaders } from "node:http2";
import { type Message, toBinary } from "@bufbuild/protobuf";
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
  type StatusObject,
  type UntypedHandleCall,
} from "@grpc/grpc-js";
import { StatusSchema } from "#gen/google/rpc/status_pb.js";
import type { VademecumError } from "../../core/model/errors.js";
import { defaultTimeoutMs } from "../limits.js";
import type { AdapterParts } from "./adapter-parts.js";
import { CallLifetime } from "./call-lifetime.js";
import { decodeBinary } from "./decode.js";
import { encodeBinary } from "./encode.js";
import type { Implementation, RpcCall, RpcMethod } from "./handler.js";
import { toStatus } from "./status.js";

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

  get peer(): string {
    return this.#call.getPeer();
  }

  metadata(name: string): string | undefined {
    return this.#call.metadata.get(name)[0]?.toString();
  }
}

function createUnaryHandler(
  method: MethodOf<"unary">,
  { validator, report }: AdapterParts,
): handleUnaryCall<Buffer, Buffer> {
  const { input, output } = method.descriptor;
  const answer = async (bytes: Buffer, rpc: RpcCall) => {
    const request = decodeBinary(input, bytes);
    validator.validate(input, request);
    return encodeBinary(output, await method.handle(request, rpc));
  };
  return (call, respond) => {
    const rpc = new GrpcCall(call, method.openEnded, (error) => respond(statusResponse(error)));
    answer(call.request, rpc).then(
      (bytes) => {
        if (rpc.finish()) respond(null, bytes);
      },
      (error: unknown) => {
        if (rpc.finish()) respond(statusResponse(report(error, call.getPath())));
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
      call.emit("error", statusResponse(error)),
    );
    void sendAll(call, rpc, method, parts, () => {
      const request = decodeBinary(input, call.request);
      parts.validator.validate(input, request);
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
    const rpc = new GrpcCall(call, method.openEnded, (error) =>
      call.emit("error", statusResponse(error)),
    );
    // A plain `for await` would destroy the call after the last request, before its status is sent.
    const requests = call.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;
    void sendAll(call, rpc, method, parts, () => method.handle(decodeAll(method, requests), rpc));
  };
}

async function* decodeAll(
  method: RpcMethod,
  requests: AsyncIterable<Buffer>,
): AsyncGenerator<Message> {
  for await (const bytes of requests) yield decodeBinary(method.descriptor.input, bytes);
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
    if (rpc.finish()) call.emit("error", statusResponse(report(error, call.getPath())));
  }
}

/** Metadata with binary values in base64 without padding, as gRPC requires. grpc-js pads them. */
class UnpaddedMetadata extends Metadata {
  /** grpc-js sends a clone of the metadata. */
  override clone(): Metadata {
    const copy = new UnpaddedMetadata(this.getOptions());
    copy.merge(this);
    return copy;
  }

  override toHttp2Headers(): OutgoingHttpHeaders {
    const headers = super.toHttp2Headers();
    const withoutPadding = (value: unknown) => String(value).replace(/=+$/, "");
    for (const name of Object.keys(headers).filter((it) => it.endsWith("-bin")))
      headers[name] = [headers[name]].flat().map(withoutPadding);
    return headers;
  }
}

function statusResponse(error: VademecumError): Partial<StatusObject> {
  const status = toStatus(error);
  const metadata = new UnpaddedMetadata();
  metadata.set("grpc-status-details-bin", Buffer.from(toBinary(StatusSchema, status)));
  return { code: status.code, details: status.message, metadata };
}

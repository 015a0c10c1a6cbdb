import { type EventEmitter, once } from "node:events";
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
import { decodeBinary } from "./decode.js";
import { sendHeadersEarly } from "./early-headers.js";
import { encodeBinary } from "./encode.js";
import { admissionOf } from "./grpc-calls.js";
import { toGrpcStatus } from "./grpc-status.js";
import {
  answersEachRequest,
  type Implementation,
  type RpcCall,
  type RpcMethod,
} from "./handler.js";
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
interface GrpcJsCall extends Pick<ServerUnaryCall<Buffer, Buffer>, "metadata" | "getDeadline"> {
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
    const wait = rpc.begin(request, bytes);
    if (wait !== undefined) await wait;
    return encodeBinary(output, await method.handle(request, rpc));
  };
  return (call, respond) => {
    const rpc = new GrpcCall(call, method, parts, (error) => respond(toGrpcStatus(error)));
    answer(call.request, rpc).then(
      (bytes) => {
        rpc.complete(rpc.ended ? 0 : bytes.byteLength);
        rpc.endWork();
        if (rpc.finish()) respond(null, bytes);
      },
      (error: unknown) => {
        rpc.complete(0);
        rpc.endWork();
        const failure = parts.report(error, rpc);
        if (rpc.finish(failure)) respond(toGrpcStatus(failure));
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
      await rpc.begin(request, call.request);
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
    void sendAll(call, rpc, method, parts, async () => {
      rpc.countStream();
      return method.handle(decoded, rpc);
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
    await rpc.startRequest(bytes.byteLength);
    access.countBytes(rpc.principal, bytes.byteLength);
    const request = decodeBinary(method.descriptor.input, bytes);
    rpc.checkStreamed(request);
    yield request;
    if (!answersEachRequest(method)) rpc.endRequest();
  }
}

/**
 * Waits until a call takes more of its reply.
 *
 * @throws the error of the ended call when the call ends meanwhile
 */
async function drained(call: EventEmitter, rpc: GrpcCall): Promise<void> {
  await once(call, "drain", { signal: rpc.signal }).catch((error: unknown) => {
    rpc.throwIfEnded();
    throw error;
  });
}

/** Sends the responses of a handler as fast as the client reads, then the status. Never rejects. */
async function sendAll(
  call: ServerWritableStream<Buffer, Buffer> | ServerDuplexStream<Buffer, Buffer>,
  rpc: GrpcCall,
  method: RpcMethod,
  { report }: AdapterParts,
  start: () => Promise<AsyncIterable<Message>>,
): Promise<void> {
  let cancelHeaders: () => void = () => undefined;
  try {
    const responses = await start();
    cancelHeaders = sendHeadersEarly(method, () => call.sendMetadata(new Metadata()));
    for await (const response of responses) {
      if (rpc.ended) return;
      if (answersEachRequest(method)) rpc.endRequest();
      const bytes = encodeBinary(method.descriptor.output, response);
      await rpc.startReply(bytes.byteLength);
      call.write(bytes, () => rpc.endReply());
      if (call.writableNeedDrain) await drained(call, rpc);
      rpc.resumeWork();
    }
    if (rpc.finish()) call.end();
  } catch (error) {
    const failure = report(error, rpc);
    if (rpc.finish(failure)) call.emit("error", toGrpcStatus(failure));
  } finally {
    cancelHeaders();
    rpc.endWork();
  }
}

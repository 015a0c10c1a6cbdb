import { createRegistry, type JsonWriteOptions, type Message } from "@bufbuild/protobuf";
import {
  ConnectError,
  createConnectRouter,
  createContextKey,
  createContextValues,
  type HandlerContext,
  type Interceptor,
} from "@connectrpc/connect";
import type {
  UniversalHandler,
  UniversalServerRequest,
  UniversalServerResponse,
} from "@connectrpc/connect/protocol";
import { compressionGzip, universalRequestFromNodeRequest } from "@connectrpc/connect-node";
import { file_google_rpc_error_details } from "#gen/google/rpc/error_details_pb.js";
import type { Principal } from "../../core/model/principal.js";
import type { Credentials } from "../../core/ports/authenticator.js";
import { pathOf } from "../access/access.js";
import { largestMessageBytes } from "../admit/largest-reply.js";
import type { HttpRequest, HttpResponse } from "../http-messages.js";
import { clientTimeoutMaxMs, messageMaxBytes } from "../limits.js";
import type { AdapterParts } from "./adapter-parts.js";
import { beginCall, countsMessages, withSlot } from "./begin-call.js";
import { certificateNames } from "./certificate-names.js";
import { admissionKey, ConnectCall, nodeRequestKey } from "./connect-call.js";
import {
  type DecodedMessage,
  decodeRequest,
  isJsonRequest,
  type RequestFormats,
} from "./connect-requests.js";
import { requireEncodable } from "./encode.js";
import type { Implementation, RpcMethod } from "./handler.js";
import { answersEachRequest, type HeldMessages } from "./held-messages.js";
import { replyOf } from "./open-replies.js";
import { withTimeLimit, withWaits } from "./request-waits.js";
import { toConnectError } from "./status.js";

/**
 * Answers a request over Connect, gRPC or gRPC-Web. A response without a body means that the
 * request is not a call of one of these protocols; its HTTP status says why.
 */
export type ConnectHandler = (
  request: HttpRequest,
  response: HttpResponse,
) => Promise<UniversalServerResponse>;

/**
 * Creates a Connect handler for each method of the services, by its path. This adapter decodes the
 * requests itself, so interceptors see empty messages in their place.
 */
export function createConnectHandlers(
  implementations: readonly Implementation[],
  parts: AdapterParts,
  interceptors: readonly Interceptor[] = [],
): ReadonlyMap<string, ConnectHandler> {
  const compressions = [compressionGzip];
  // The types that an Any in JSON may hold.
  const registry = createRegistry(
    file_google_rpc_error_details,
    ...implementations.map(({ service }) => service.file),
  );
  const json = { ignoreUnknownFields: false, alwaysEmitImplicit: true, registry };
  const router = createConnectRouter({
    acceptCompression: compressions,
    jsonOptions: json,
    readMaxBytes: messageMaxBytes,
    writeMaxBytes: messageMaxBytes,
    maxTimeoutMs: clientTimeoutMaxMs,
    interceptors: [...interceptors],
  });
  for (const { methods } of implementations) {
    for (const method of methods) addMethod(router, method, json, parts);
  }
  return new Map(
    router.handlers.map((handler) => [
      handler.requestPath,
      connectHandler(handler, { json, compressions }, parts),
    ]),
  );
}

/** Copies of a reply in memory while Connect makes the reply: the message and its encoded form. */
const replyCopies = 2;

/** The decoded messages of a request, in their order. */
const messagesKey = createContextKey<DecodedMessage[]>([]);
/** The error of a call that was refused before its request was read. */
const refusalKey = createContextKey<ConnectError | undefined>(undefined);

function connectHandler(
  handler: UniversalHandler,
  formats: RequestFormats,
  { access, report, requestWaits: { firstMs } }: AdapterParts,
): ConnectHandler {
  const { methodKind } = handler.method;
  const hasOneRequest = methodKind !== "bidi_streaming";
  return async (request, response) => {
    const given = universalRequest(request, response);
    if (given === undefined) return { status: 400 };
    const credentials = credentialsOf(request);
    const reply = replyOf("stream" in response ? response.stream : response);
    let principal: Principal;
    try {
      principal = await access.admit(handler.requestPath, credentials);
      given.contextValues?.set(admissionKey, { principal, credentials, reply });
    } catch (error) {
      const refusal = toConnectError(report(error, handler.requestPath));
      given.contextValues?.set(refusalKey, refusal);
      // Connect answers with the error that the body throws, in the form of the call's protocol.
      return handler({ ...given, body: failingBody(refusal) });
    }
    const universal = hasOneRequest
      ? { ...given, body: withTimeLimit(given.body, firstMs) }
      : given;
    const decoded = decodeRequest(
      universal,
      handler.method.input,
      formats,
      reply.request,
      (bytes) => access.countBytes(principal, bytes.byteLength),
    );
    universal.contextValues?.set(messagesKey, decoded.messages);
    return handler(decoded.request);
  };
}

function credentialsOf({ headers: { authorization }, socket }: HttpRequest): Credentials {
  return {
    certificateNames: certificateNames(socket),
    ...(authorization === undefined ? {} : { authorization }),
  };
}

function failingBody(error: ConnectError): AsyncIterable<Uint8Array> {
  return { [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(error) }) };
}

/** A request with the chunks of its body. */
type StreamedRequest = UniversalServerRequest & { readonly body: AsyncIterable<Uint8Array> };

/**
 * Converts a request of Node for Connect. Returns `undefined` if the Host header is missing or
 * cannot be part of a URL.
 */
function universalRequest(
  request: HttpRequest,
  response: HttpResponse,
): StreamedRequest | undefined {
  const values = createContextValues().set(nodeRequestKey, request);
  // Connect's own iterator destroys a request that is not read to its end. The connection would
  // then hang under HTTP/1.1.
  const body: AsyncIterable<Uint8Array> = request.iterator({ destroyOnReturn: false });
  try {
    return { ...universalRequestFromNodeRequest(request, response, undefined, values), body };
  } catch {
    return undefined;
  }
}

function addMethod(
  router: ReturnType<typeof createConnectRouter>,
  method: RpcMethod,
  json: Partial<JsonWriteOptions>,
  parts: AdapterParts,
): void {
  const { report, requestWaits } = parts;
  const path = pathOf(method.descriptor);
  const errorOf = (error: unknown, rpc: ConnectCall) =>
    error instanceof ConnectError ? error : toConnectError(rpc.cancelError ?? report(error, path));
  const requireSmall = ({ requestHeader }: HandlerContext, response: Message) =>
    requireEncodable(
      method.descriptor.output,
      response,
      isJsonRequest(requestHeader) ? json : undefined,
    );
  switch (method.kind) {
    case "unary":
      router.rpc(method.descriptor, async (_, context) => {
        const rpc = new ConnectCall(context, method, parts);
        try {
          const request = nextMessage(context);
          rpc.check(request.message);
          await beginCall(rpc, method, request.message, replyCopies);
          const response = await rpc.untilEnd(handleUnary(method, rpc, request));
          requireSmall(context, response);
          rpc.reply.complete();
          return response;
        } catch (error) {
          rpc.reply.complete(0);
          throw errorOf(error, rpc);
        } finally {
          rpc.finish();
        }
      });
      break;
    case "server_streaming":
      router.rpc(method.descriptor, (_, context) => {
        const rpc = new ConnectCall(context, method, parts);
        return forward(rpc, method, errorOf, requireSmall.bind(null, context), async () => {
          const { message, counted } = nextMessage(context);
          rpc.check(message);
          await beginCall(rpc, method, message, replyCopies);
          rpc.held.add(counted);
          if (method.openEnded) rpc.held.release();
          return method.handle(message, rpc);
        });
      });
      break;
    case "bidi_streaming":
      router.rpc(method.descriptor, (requests, context) => {
        // Connect starts the handler of a stream before it reads the body that would throw the
        // refusal.
        const refusal = context.values.get(refusalKey);
        if (refusal !== undefined) throw refusal;
        const rpc = new ConnectCall(context, method, parts);
        const arriving = withWaits(requests, requestWaits);
        const decoded = decodedMessages(method, arriving, context, rpc.held, (request) =>
          rpc.checkStreamed(request),
        );
        const counted = withSlot(rpc.slot, decoded);
        const start = async () => {
          rpc.countStream();
          return method.handle(counted, rpc);
        };
        return forward(rpc, method, errorOf, requireSmall.bind(null, context), start);
      });
  }
}

/**
 * Runs the handler of a unary call, then gives back the slot of the call and the bytes of the
 * request.
 */
async function handleUnary(
  method: Extract<RpcMethod, { kind: "unary" }>,
  rpc: ConnectCall,
  { message, counted }: DecodedMessage,
): Promise<Message> {
  rpc.held.add(counted);
  try {
    return await method.handle(message, rpc);
  } finally {
    rpc.slot.release();
    rpc.held.end();
  }
}

/** Returns the decoded message that replaces the empty message from Connect. */
function nextMessage({ values }: HandlerContext): DecodedMessage {
  const message = values.get(messagesKey).shift();
  if (message === undefined) throw new Error("Connect passed on more messages than were decoded");
  return message;
}

async function* decodedMessages(
  { openEnded }: RpcMethod,
  requests: AsyncIterable<Message>,
  context: HandlerContext,
  held: HeldMessages,
  check: (request: Message) => void,
): AsyncGenerator<Message> {
  for await (const _ of requests) {
    const { message, counted } = nextMessage(context);
    held.add(counted);
    check(message);
    yield message;
    if (openEnded) held.release();
  }
}

/**
 * Yields the responses of a handler until the call ends. `requireSmall` throws if a response is too
 * large.
 */
async function* forward(
  rpc: ConnectCall,
  method: RpcMethod,
  errorOf: (error: unknown, rpc: ConnectCall) => ConnectError,
  requireSmall: (response: Message) => void,
  start: () => Promise<AsyncIterable<Message>>,
): AsyncGenerator<Message> {
  let responses: AsyncIterator<Message> | undefined;
  const ownsSlot = method.kind === "server_streaming";
  const messageBytes = countsMessages(method) ? largestMessageBytes(method.descriptor) : 0;
  try {
    responses = (await start())[Symbol.asyncIterator]();
    for (;;) {
      const next = await rpc.untilEnd(responses.next());
      if (next.done === true) return;
      // The call needs no slot while the client reads this message.
      if (ownsSlot) rpc.slot.release();
      if (answersEachRequest(method)) rpc.held.release();
      if (messageBytes > 0) await rpc.reply.reserve(messageBytes, rpc);
      requireSmall(next.value);
      yield next.value;
      rpc.reply.release(messageBytes);
      if (ownsSlot) await rpc.slot.take();
    }
  } catch (error) {
    throw errorOf(error, rpc);
  } finally {
    rpc.finish();
    rpc.slot.release();
    rpc.held.end();
    // Not awaited: a handler that ignores its signal would delay the answer.
    responses?.return?.().catch(() => undefined);
  }
}

import { createRegistry, type JsonWriteOptions, type Message } from "@bufbuild/protobuf";
import {
  ConnectError,
  createConnectRouter,
  createContextKey,
  createContextValues,
  type HandlerContext,
  type Interceptor,
} from "@connectrpc/connect";
import type { UniversalHandler, UniversalServerResponse } from "@connectrpc/connect/protocol";
import { compressionGzip, universalRequestFromNodeRequest } from "@connectrpc/connect-node";
import { file_google_rpc_error_details } from "#gen/google/rpc/error_details_pb.js";
import type { Credentials } from "../../core/ports/authenticator.js";
import { callEnded } from "../admit/call-end.js";
import type { HttpRequest, HttpResponse } from "../http-messages.js";
import { clientTimeoutMaxMs, messageMaxBytes } from "../limits.js";
import type { AdapterParts } from "./adapter-parts.js";
import { deadlineExceeded } from "./call-lifetime.js";
import { CallRecord, requestIdHeader } from "./call-record.js";
import { acceptCharset } from "./charset.js";
import { certificateOf } from "./client-certificate.js";
import { limitTimeout } from "./client-timeout.js";
import { admissionKey, ConnectCall, isDeadline, nodeRequestKey } from "./connect-call.js";
import { IncomingRequest, type RequestFormats, type StreamedRequest } from "./connect-requests.js";
import { flushHeaders, sendHeadersEarly } from "./early-headers.js";
import { approximateBytes, requireEncodable } from "./encode.js";
import { fromWebText, setWebTextType, toWebText } from "./grpc-web-text.js";
import { answersEachRequest, type Implementation, type RpcMethod } from "./handler.js";
import { replyOf } from "./open-replies.js";
import { withWaits } from "./request-waits.js";
import { outcomeOf, toConnectError } from "./status.js";

/**
 * Answers a request over Connect, gRPC or gRPC-Web. A response without a body means that the
 * request is not a call of one of these protocols; its HTTP status says why.
 */
export type ConnectHandler = (
  request: HttpRequest,
  response: HttpResponse,
) => Promise<UniversalServerResponse>;

/**
 * Creates a Connect handler for each method of the services, by its path. This adapter reads and
 * decodes the requests itself.
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
    interceptors: [readRequests(parts), ...interceptors],
  });
  const handlers = new Map<string, ConnectHandler>();
  for (const method of implementations.flatMap(({ methods }) => methods)) {
    addMethod(router, method, json, parts);
    const handler = router.handlers.at(-1) as UniversalHandler;
    const formats = { json, compressions };
    handlers.set(handler.requestPath, connectHandler(handler, method, formats, parts));
  }
  return handlers;
}

function isJson(values: HandlerContext["values"]): boolean {
  const incoming = values.get(incomingKey);
  return incoming instanceof IncomingRequest && incoming.isJson;
}

/** The record of a call. */
const recordKey = createContextKey<CallRecord | undefined>(undefined);
/** The request of a call, or the error with which the server refuses the call. */
const incomingKey = createContextKey<IncomingRequest | ConnectError | undefined>(undefined);
/**
 * Sends the headers of a stream before its first message. An interceptor that adds headers later
 * replaces this by a function that does nothing.
 */
export const headersKey = createContextKey<(headers: Headers) => void>(() => undefined);
/** The bytes of a request that is one message. */
const bytesKey = createContextKey<Uint8Array>(new Uint8Array());

function connectHandler(
  handler: UniversalHandler,
  method: RpcMethod,
  formats: RequestFormats,
  { access, report, observe, tracer }: AdapterParts,
): ConnectHandler {
  return async (request, response) => {
    const received = universalRequest(request, response);
    if (received === undefined) return { status: 400 };
    acceptCharset(received.header);
    limitTimeout(received.header);
    const binary = fromWebText(received);
    const given = binary ?? received;
    const reply = replyOf("stream" in response ? response.stream : response);
    const record = new CallRecord(method, reply, observe);
    record.takeRequestId(received.header.get(requestIdHeader) ?? undefined);
    if (tracer) record.trace(tracer, received.header.get("traceparent") ?? undefined);
    response.setHeader(requestIdHeader, record.requestId);
    const credentials = credentialsOf(request);
    const incoming = new IncomingRequest(given, method, formats, reply, (bytes) => {
      const principal = given.contextValues?.get(admissionKey)?.principal;
      if (principal !== undefined) access.countBytes(principal, bytes.byteLength);
    });
    given.contextValues
      ?.set(recordKey, record)
      .set(incomingKey, incoming)
      .set(headersKey, (headers) => {
        if (binary !== undefined) setWebTextType(headers);
        flushHeaders(response, headers);
      });
    try {
      const principal = await access.admit(record.path, credentials, record);
      record.admit(principal);
      given.contextValues?.set(admissionKey, { principal, credentials, reply, record });
    } catch (error) {
      const refusal = report(error, record);
      record.end(refusal);
      given.contextValues?.set(incomingKey, toConnectError(refusal));
    }
    const answer = await handler(incoming.request);
    if (answer.body === undefined) record.discard();
    // Connect refuses unknown compressions and timeouts before it calls an interceptor.
    else if (method.kind === "unary") record.end(incoming.libraryRefusal);
    return binary === undefined ? answer : toWebText(answer);
  };
}

/**
 * Puts the messages that this server reads and decodes into the calls of Connect. For a refused
 * call, fails with its refusal.
 */
function readRequests({ report, requestWaits }: AdapterParts): Interceptor {
  return (next) => async (request) => {
    const { contextValues, method, signal } = request;
    const incoming = contextValues.get(incomingKey);
    const record = contextValues.get(recordKey);
    if (incoming === undefined || record === undefined) throw new Error("the call has no request");
    if (incoming instanceof ConnectError) throw incoming;
    const refuse = (error: unknown): never => {
      // A lost request ends too early, and would look malformed.
      const cause = isLost(contextValues.get(nodeRequestKey)) ? callEnded : error;
      const refusal = cause instanceof ConnectError ? cause : toConnectError(report(cause, record));
      record.end(outcomeOf(refusal));
      throw refusal;
    };
    const readOne = async (): Promise<Message> => {
      const read = incoming.readOne(requestWaits.firstMs);
      const { message, bytes } = await unlessAborted(signal, read);
      contextValues.set(bytesKey, bytes);
      return message;
    };
    if (!request.stream) return next({ ...request, message: await readOne().catch(refuse) });
    const { message: given } = request;
    const messages = async function* (): AsyncGenerator<Message> {
      try {
        // Connect refuses an unknown compression or timeout here.
        for await (const _ of given);
        if (method.methodKind !== "bidi_streaming") yield await readOne();
        else for await (const { message } of incoming.readAll()) yield message;
      } catch (error) {
        refuse(error);
      }
    };
    return next({ ...request, message: messages() });
  };
}

/** Whether the client has ended a request before it was complete. */
function isLost(request: HttpRequest | undefined): boolean {
  if (request === undefined) return false;
  return "stream" in request ? request.stream.aborted : request.destroyed && !request.complete;
}

/** Settles as the promise does, or rejects earlier with the reason why the call has ended. */
function unlessAborted<T>(signal: AbortSignal, promise: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(isDeadline(signal.reason) ? deadlineExceeded() : callEnded);
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
    if (signal.aborted) abort();
    else signal.addEventListener("abort", abort, { once: true });
  });
}

function credentialsOf({ headers: { authorization }, socket }: HttpRequest): Credentials {
  return {
    ...certificateOf(socket),
    ...(authorization === undefined ? {} : { authorization }),
  };
}

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
  const errorOf = (error: unknown, rpc: ConnectCall) =>
    error instanceof ConnectError ? error : toConnectError(rpc.cancelError ?? report(error, rpc));
  const requireSmall = ({ values }: HandlerContext, response: Message) =>
    requireEncodable(method.descriptor.output, response, isJson(values) ? json : undefined);
  const sendingOf = (context: HandlerContext): Sending => ({
    errorOf,
    requireSmall: (response) => requireSmall(context, response),
    sendHeaders: () => context.values.get(headersKey)(context.responseHeader),
  });
  switch (method.kind) {
    case "unary":
      router.rpc(method.descriptor, async (request, context) => {
        const rpc = new ConnectCall(context, method, parts);
        try {
          const bytes = context.values.get(bytesKey);
          const response = await rpc.untilEnd(handleUnary(method, rpc, request, bytes));
          requireSmall(context, response);
          rpc.complete(approximateBytes(response));
          rpc.finish();
          return response;
        } catch (error) {
          rpc.complete(0);
          const failure = errorOf(error, rpc);
          rpc.finish(outcomeOf(failure));
          throw failure;
        }
      });
      break;
    case "server_streaming":
      router.rpc(method.descriptor, (request, context) => {
        const rpc = new ConnectCall(context, method, parts);
        return forward(rpc, method, sendingOf(context), async () => {
          await rpc.begin(request, context.values.get(bytesKey));
          return method.handle(request, rpc);
        });
      });
      break;
    case "bidi_streaming":
      router.rpc(method.descriptor, (requests, context) => {
        const rpc = new ConnectCall(context, method, parts);
        const arriving = withWaits(requests, requestWaits);
        const checked = checkedMessages(method, arriving, rpc);
        const start = async () => {
          rpc.countStream();
          return method.handle(checked, rpc);
        };
        return forward(rpc, method, sendingOf(context), start);
      });
  }
}

/** Lets a unary call begin, and runs its handler, even if the call ends before. */
async function handleUnary(
  method: Extract<RpcMethod, { kind: "unary" }>,
  rpc: ConnectCall,
  request: Message,
  bytes: Uint8Array,
): Promise<Message> {
  try {
    await rpc.begin(request, bytes);
    return await method.handle(request, rpc);
  } finally {
    rpc.endWork();
  }
}

async function* checkedMessages(
  method: RpcMethod,
  requests: AsyncIterable<Message>,
  rpc: ConnectCall,
): AsyncGenerator<Message> {
  for await (const request of requests) {
    await rpc.startRequest(approximateBytes(request));
    rpc.checkStreamed(request);
    yield request;
    if (!answersEachRequest(method)) rpc.endRequest();
  }
}

/** How the responses of a stream are sent. */
interface Sending {
  readonly errorOf: (error: unknown, rpc: ConnectCall) => ConnectError;
  /** Throws if a response is too large. */
  readonly requireSmall: (response: Message) => void;
  /** Sends the headers, unless they are sent. */
  readonly sendHeaders: () => void;
}

/** Yields the responses of a handler until the call ends. */
async function* forward(
  rpc: ConnectCall,
  method: RpcMethod,
  { errorOf, requireSmall, sendHeaders }: Sending,
  start: () => Promise<AsyncIterable<Message>>,
): AsyncGenerator<Message> {
  let responses: AsyncIterator<Message> | undefined;
  let cancelHeaders: () => void = () => undefined;
  try {
    responses = (await start())[Symbol.asyncIterator]();
    cancelHeaders = sendHeadersEarly(method, sendHeaders);
    for (;;) {
      const next = await rpc.untilEnd(responses.next());
      if (next.done === true) return;
      if (answersEachRequest(method)) rpc.endRequest();
      requireSmall(next.value);
      await rpc.startReply(approximateBytes(next.value));
      yield next.value;
      rpc.endReply();
      rpc.resumeWork();
    }
  } catch (error) {
    const failure = errorOf(error, rpc);
    rpc.finish(outcomeOf(failure));
    throw failure;
  } finally {
    cancelHeaders();
    rpc.finish();
    rpc.endWork();
    // Not awaited: a handler that ignores its signal would delay the answer.
    responses?.return?.().catch(() => undefined);
  }
}

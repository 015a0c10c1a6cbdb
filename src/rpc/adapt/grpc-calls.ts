import type { Http2Stream, ServerHttp2Stream } from "node:http2";
import {
  Metadata,
  type ServerInterceptingCall,
  type ServerInterceptor,
  status as statusCode,
} from "@grpc/grpc-js";
import type { VademecumError } from "../../core/model/errors.js";
import type { Principal } from "../../core/model/principal.js";
import type { Credentials } from "../../core/ports/authenticator.js";
import type { Outcome } from "../../core/ports/ended-call.js";
import type { OpenReply } from "../admit/open-reply.js";
import type { Slot } from "../admit/slot.js";
import { refusedMaxBytes } from "../limits.js";
import type { AdapterParts } from "./adapter-parts.js";
import type { Admission } from "./admitted-call.js";
import { createAttachedValues } from "./attached-values.js";
import { deadlineExceeded } from "./call-lifetime.js";
import { CallRecord, requestIdHeader } from "./call-record.js";
import { certificateOf } from "./client-certificate.js";
import { messageTooLarge } from "./decode.js";
import { statusDetailsName, toGrpcStatus } from "./grpc-status.js";
import type { RpcMethod } from "./handler.js";
import { MessageSizes } from "./message-sizes.js";
import { replyOf } from "./open-replies.js";
import { malformedRequest, requestTooLarge } from "./request-errors.js";
import { largeMessageBytes, wireLimitBytes } from "./request-limits.js";
import { requestIncomplete } from "./request-waits.js";
import { codeOf } from "./status.js";

type Call = Parameters<ServerInterceptor>[1];
type Listener = Parameters<Call["start"]>[0];
type GrpcJsStatus = Parameters<Call["sendStatus"]>[0];

/** The admitted calls, by the metadata that grpc-js hands to interceptors and handlers. */
const admitted = createAttachedValues<Metadata, Admission>("admission");

/** Returns the admission of a call that `interceptCalls` has let pass. */
export function admissionOf(metadata: Metadata): Admission {
  const admission = admitted.of(metadata);
  if (admission === undefined) throw new Error("the call was not admitted");
  return admission;
}

/**
 * Does for each call what grpc-js does not do:
 *
 * - Admits the caller, and opens the slot of the call, before the message is read. A refused call
 *   ends immediately, so that its message is never decoded.
 * - Refuses a message that is larger than the limit of its type when it begins.
 * - Ends a call whose request does not arrive in time after that, or ends inside a message. A
 *   stream of requests has time limits of its own (see `withWaits`).
 * - Restates the refusals that grpc-js makes itself, with the codes and reasons of other protocols.
 *
 * grpc-js reads a message below the interceptors. So this interceptor replaces two public methods
 * of the call, reads its private member `stream`, and returns the same call.
 *
 * @param methods the methods of all services, by path
 */
export function interceptCalls(
  methods: ReadonlyMap<string, RpcMethod>,
  parts: AdapterParts,
): ServerInterceptor {
  return ({ path }, call) => {
    const method = methods.get(path);
    if (method !== undefined) new GuardedCall(method, call, parts);
    return call as ServerInterceptingCall;
  };
}

/** One call, from its headers until a handler gets its request. */
class GuardedCall {
  readonly #call: Call;
  readonly #method: RpcMethod;
  readonly #parts: AdapterParts;
  readonly #stream: Http2Stream;
  readonly #reply: OpenReply;
  readonly #record: CallRecord;
  readonly #sizes = new MessageSizes();
  /** Sends a status, and nothing else. */
  readonly #sendStatus: Call["sendStatus"];
  #timer: NodeJS.Timeout | undefined;
  #isAdmitted = false;
  #isRefused = false;
  /** The slot of a large message of a stream of requests, while it arrives. */
  #slot: Slot | undefined;

  constructor(method: RpcMethod, call: Call, parts: AdapterParts) {
    this.#call = call;
    this.#method = method;
    this.#parts = parts;
    this.#stream = streamOf(call);
    this.#reply = replyOf(this.#stream);
    this.#record = new CallRecord(method, this.#reply, parts.observe);
    respondWith(this.#stream, this.#record);
    this.#sendStatus = replaceMethod(call, "sendStatus", (status) => this.#end(status));
    const start = replaceMethod(call, "start", (listener) => start(this.#guarded(listener)));
    // Runs before the listener of grpc-js.
    this.#stream.prependListener("data", (chunk: Buffer) => this.#note(chunk));
    if (this.#isStream) this.#stream.once("close", () => this.#slot?.release());
  }

  get #isStream(): boolean {
    return this.#method.kind === "bidi_streaming";
  }

  #guarded(listener: Listener): Listener {
    return {
      onReceiveMetadata: (metadata) => {
        const pass = () => listener.onReceiveMetadata(metadata);
        try {
          this.#admit(metadata, pass)?.catch((error: unknown) => this.#fail(error));
        } catch (error) {
          this.#fail(error);
        }
      },
      onReceiveMessage: (message) => listener.onReceiveMessage(message),
      onReceiveHalfClose: () => {
        clearTimeout(this.#timer);
        if (!this.#sizes.isInside) listener.onReceiveHalfClose();
        // A client that resets its call ends the request too, and `onCancel` follows.
        else if (!this.#stream.closed) this.#fail(malformedRequest("it ends inside a message"));
      },
      onCancel: () => {
        clearTimeout(this.#timer);
        listener.onCancel();
      },
    };
  }

  /** Admits the caller and opens the slot. Returns a promise only if this takes time. */
  #admit(metadata: Metadata, pass: () => void): Promise<void> | undefined {
    const record = this.#record;
    record.takeRequestId(metadata.get(requestIdHeader)[0]?.toString());
    const { tracer } = this.#parts;
    if (tracer) record.trace(tracer, metadata.get("traceparent")[0]?.toString());
    const credentials = credentialsOf(metadata, this.#stream);
    const enter = (principal: Principal): Promise<void> | undefined => {
      this.#isAdmitted = true;
      record.admit(principal);
      admitted.attach(metadata, { principal, credentials, reply: this.#reply, record });
      const begin = (): void => {
        if (!this.#isStream) this.#limitTime();
        pass();
      };
      const needsSlot = this.#method.needsSlot && !this.#isStream;
      const wait = needsSlot
        ? this.#reply.openSlot(wireLimitBytes(this.#method), this.#method.isRead)
        : undefined;
      if (wait !== undefined) return wait.then(begin);
      begin();
      return undefined;
    };
    const principal = this.#parts.access.admit(record.path, credentials, record);
    return principal instanceof Promise ? principal.then(enter) : enter(principal);
  }

  /** Ends the call if its request is late. */
  #limitTime(): void {
    const { firstMs } = this.#parts.requestWaits;
    this.#timer = setTimeout(() => this.#fail(requestIncomplete(firstMs)), firstMs);
  }

  /**
   * Notes a chunk of a request. Refuses a message that is larger than its limit. A large message of
   * a stream of requests waits for a slot before the rest of it is read; the only message of any
   * other call has the slot of the call.
   */
  #note(chunk: Buffer): void {
    const size = this.#sizes.read(chunk);
    if (size > 0 || !this.#sizes.isInside) this.#slot?.release();
    if (size === 0 || !this.#isAdmitted) return;
    const { unreadBytes } = this.#sizes;
    if (size > wireLimitBytes(this.#method)) this.#refuseMessage();
    else if (this.#isStream && unreadBytes > largeMessageBytes) this.#openMessage(unreadBytes);
  }

  #openMessage(bytes: number): void {
    const keep = (slot: Slot): void => {
      this.#slot = slot;
    };
    const opened = this.#reply.openMessageSlot(bytes, this.#reply);
    if (!(opened instanceof Promise)) {
      keep(opened);
      return;
    }
    this.#stream.pause();
    const go = (): unknown => this.#stream.resume();
    opened.then(keep, () => undefined).finally(go);
  }

  #refuseMessage(): void {
    clearTimeout(this.#timer);
    this.#isRefused = true;
    const refusal = messageTooLarge(this.#method.descriptor.input, false);
    this.#record.end(refusal);
    const status = toGrpcStatus(refusal);
    discardRest(this.#stream, this.#sizes.unreadBytes, () => this.#sendStatus(status));
  }

  /** Ends the call through the interceptors that follow, which may change the status. */
  #fail(error: unknown): void {
    const refusal = this.#parts.report(error, this.#record);
    this.#record.end(refusal);
    this.#call.sendStatus(toGrpcStatus(refusal));
  }

  #end(status: GrpcJsStatus): void {
    clearTimeout(this.#timer);
    // The status of a refused message follows once the rest of it is read. No other may come first.
    if (this.#isRefused) return;
    const error = restatedError(status);
    this.#record.end(error ?? outcomeOf(status));
    this.#sendStatus(error === undefined ? status : toGrpcStatus(error));
  }
}

function credentialsOf(metadata: Metadata, { session }: Http2Stream): Credentials {
  const [authorization] = metadata.get("authorization");
  return {
    ...certificateOf(session?.socket),
    authorization: authorization?.toString(),
  };
}

/** Adds the request id to the headers of a response, also to those that hold its status. */
function respondWith(stream: Http2Stream, record: CallRecord): void {
  const respond = replaceMethod(stream as ServerHttp2Stream, "respond", (headers, options) => {
    respond({ ...headers, [requestIdHeader]: record.requestId }, options);
  });
}

/** Returns the stream of a call, a private member in grpc-js. */
function streamOf(call: object): Http2Stream {
  const stream = Reflect.get(call, "stream") as Http2Stream | undefined;
  if (stream === undefined) throw new Error("this version of grpc-js has no stream in its calls");
  return stream;
}

/**
 * Replaces a method of one call or stream. Returns the replaced method, bound to its owner.
 *
 * Do not write `call.start = (listener) => ...` instead. V8 expects a function that is assigned to
 * a property right where it is written to be a method of a class, which lives long. So V8 puts it
 * among the old objects. Everything that the function refers to, here the whole call, then stays in
 * memory until V8 collects old objects, and each collection of young objects copies it.
 */
function replaceMethod<Owner extends object, Name extends keyof Owner>(
  owner: Owner,
  name: Name,
  method: Owner[Name] & ((...given: never[]) => unknown),
): Owner[Name] {
  const replaced = (owner[name] as typeof method).bind(owner) as Owner[Name];
  owner[name] = method;
  return replaced;
}

/** Returns the outcome of a status that grpc-js itself sends, such as at a deadline. */
function outcomeOf({ code }: GrpcJsStatus): Outcome {
  return code === statusCode.DEADLINE_EXCEEDED ? deadlineExceeded() : { code: codeOf(code) };
}

/** Returns the error that a status of grpc-js stands for; `undefined` if the status can stay. */
function restatedError({ code, details, metadata }: GrpcJsStatus): VademecumError | undefined {
  if (metadata instanceof Metadata && metadata.get(statusDetailsName).length > 0) return undefined;
  if (code === statusCode.RESOURCE_EXHAUSTED && details?.startsWith("Received message"))
    return requestTooLarge();
  if (code !== statusCode.INTERNAL) return undefined;
  if (details?.startsWith("Failed to decompress"))
    return malformedRequest("it cannot be decompressed");
  if (details?.startsWith("Invalid grpc-timeout"))
    return malformedRequest(
      "its grpc-timeout must have 1 to 8 digits and a unit of H, M, S, m, u or n, such as 30S",
    );
  return undefined;
}

/** Maximum number of unread bytes of a message when its refusal is sent. */
const unreadMaxBytes = 1024 * 1024;

/**
 * Reads the rest of a refused message without keeping it, then calls `respond`. A Node client that
 * still holds a large message in its buffers has no space for the status, and reports
 * ENHANCE_YOUR_CALM instead.
 */
function discardRest(stream: Http2Stream, unreadBytes: number, respond: () => void): void {
  // Without its listener, grpc-js collects no more of the message.
  stream.removeAllListeners("data");
  let bytes = Math.min(unreadBytes, refusedMaxBytes) - unreadMaxBytes;
  if (stream.readableEnded || bytes <= 0) {
    stream.resume();
    respond();
    return;
  }
  const end = (): void => {
    stream.off("data", count).off("end", end).off("close", end).resume();
    respond();
  };
  const count = (chunk: Buffer): void => {
    bytes -= chunk.byteLength;
    if (bytes <= 0) end();
  };
  stream.on("data", count).once("end", end).once("close", end).resume();
}

import { randomUUID } from "node:crypto";
import type { DescMessage, Message } from "@bufbuild/protobuf";
import type { Principal } from "../../core/model/principal.js";
import {
  answered,
  type CallKind,
  type CallObserver,
  type EndedCall,
  type Outcome,
} from "../../core/ports/ended-call.js";
import type { CallSpan, Tracer } from "../../core/ports/tracer.js";
import { pathOf } from "../access/access.js";
import { type NamedId, namedIds } from "../access/named-ids.js";
import { callEnded } from "../admit/call-end.js";
import type { OpenReply } from "../admit/open-reply.js";
import type { RpcMethod } from "./handler.js";

/** The header with the id of a request, in requests and in responses. */
export const requestIdHeader = "x-request-id";

/** Printable ASCII without spaces, up to 128 characters. */
const requestIdPattern = /^[!-~]{1,128}$/;

/**
 * What is noted of one call, from its headers to its end. The record ends with the first outcome
 * that any part of the server notes, and at the latest with the stream of the call. Then its
 * observer is called, once.
 */
export class CallRecord implements EndedCall {
  readonly path: string;
  readonly kind: CallKind;
  readonly mayLast: boolean;
  readonly peer: string;
  principal: Principal | undefined;
  /** The only request of the call, once it is checked. */
  request: Message | undefined;
  requestBytes = 0;
  replyBytes = 0;
  durationMs = 0;
  waitedMs = 0;
  workedMs = 0;
  rows = 0;
  readonly #input: DescMessage;
  readonly #reply: OpenReply;
  readonly #observe: CallObserver;
  /** The span of the call. `undefined`: the call is not traced. */
  span: CallSpan | undefined;
  #outcome = answered;
  #hasEnded = false;
  #requestId: string | undefined;

  constructor(
    { descriptor, kind, streamKind }: RpcMethod,
    reply: OpenReply,
    observe: CallObserver,
  ) {
    this.path = pathOf(descriptor);
    this.#input = descriptor.input;
    this.kind = kind;
    this.mayLast = streamKind !== undefined;
    this.peer = reply.connection.peer;
    this.#reply = reply;
    this.#observe = observe;
    reply.noteCall(this);
  }

  get code(): Outcome["code"] {
    return this.#outcome.code;
  }

  get reason(): string | undefined {
    return this.#outcome.reason;
  }

  get names(): readonly NamedId[] {
    return this.request === undefined ? [] : namedIds(this.#input, this.request);
  }

  get requestId(): string {
    this.#requestId ??= randomUUID();
    return this.#requestId;
  }

  /**
   * Takes the id that the client gave, in the header `x-request-id`. If it is absent, or not up to
   * 128 printable characters of ASCII without spaces, the call gets an id of its own.
   */
  takeRequestId(given: string | undefined): void {
    if (given !== undefined && requestIdPattern.test(given)) this.#requestId = given;
  }

  /** Begins the span of the call, unless it is not traced. */
  trace(tracer: Tracer, traceparent: string | undefined): void {
    if (!this.#hasEnded) this.span = tracer.begin(traceparent);
  }

  /** Notes who calls. */
  admit(principal: Principal): void {
    this.principal = principal;
    this.#reply.admit(principal);
  }

  /** Ends the record, unless it has ended. */
  end(outcome: Outcome): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#outcome = outcome;
    this.durationMs = this.#reply.ageMs;
    this.waitedMs = this.#reply.waitedMs;
    this.workedMs = this.#reply.workedMs;
    this.span?.end(this);
    this.#observe(this);
  }

  /** Notes that the stream of the call is closed. */
  close(): void {
    this.end(callEnded);
  }

  /** Forgets the record: the request is no call. */
  discard(): void {
    this.#hasEnded = true;
  }
}

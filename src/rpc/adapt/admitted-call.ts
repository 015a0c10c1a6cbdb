import type { Message } from "@bufbuild/protobuf";
import { type Allowance, storageAccountOf } from "../../core/model/allowance.js";
import type { VademecumError } from "../../core/model/errors.js";
import type { Principal } from "../../core/model/principal.js";
import type { Credentials } from "../../core/ports/authenticator.js";
import type { Outcome } from "../../core/ports/ended-call.js";
import type { CallSpan } from "../../core/ports/tracer.js";
import type { OpenCall } from "../access/open-calls.js";
import type { OpenReply } from "../admit/open-reply.js";
import type { Slot } from "../admit/slot.js";
import type { AdapterParts } from "./adapter-parts.js";
import { CallLifetime } from "./call-lifetime.js";
import type { CallRecord } from "./call-record.js";
import { checkRequest, checkStreamedRequest } from "./check-request.js";
import type { RpcMethod } from "./handler.js";
import { expectedReplyBytes } from "./reply-size.js";

/** What the server knows of a call when it admits the call, before it reads the request. */
export interface Admission {
  readonly principal: Principal;
  readonly credentials: Credentials;
  readonly reply: OpenReply;
  readonly record: CallRecord;
}

/** Copies of a request in RAM while a handler works on it: its bytes and its message. */
const requestCopies = 2;

/** A call from its admission to its end: the parts that are the same for all protocols. */
export abstract class AdmittedCall extends CallLifetime implements OpenCall {
  readonly credentials: Credentials;
  readonly reply: OpenReply;
  readonly #record: CallRecord;
  readonly #method: RpcMethod;
  readonly #parts: AdapterParts;
  /** The slots of the messages of a stream of requests that the handler uses, the oldest first. */
  readonly #requestSlots: Slot[] = [];
  /** The slots of the messages of an open-ended reply that are not yet sent, the oldest first. */
  readonly #replySlots: Slot[] = [];
  #principal: Principal;
  #onNewRights: (() => void) | undefined;
  /** The only request of the call, once it is checked. */
  #request: Message | undefined;

  /**
   * @param timeoutMs time until a deadline that the library of the protocol does not enforce;
   *   `Infinity` for none
   * @param onCancel called once when the call ends before its answer
   */
  constructor(
    method: RpcMethod,
    parts: AdapterParts,
    { principal, credentials, reply, record }: Admission,
    timeoutMs: number,
    onCancel: (error: VademecumError) => void,
  ) {
    super(timeoutMs, onCancel);
    this.#method = method;
    this.#parts = parts;
    this.credentials = credentials;
    this.reply = reply;
    this.#record = record;
    this.#principal = principal;
    reply.startWork();
    // Other calls end soon, so they keep the rights with which they began.
    if (method.kind !== "unary" || method.openEnded) this.onEnd(parts.access.follow(this));
  }

  get path(): string {
    return this.#record.path;
  }

  get requestId(): string {
    return this.#record.requestId;
  }

  get span(): CallSpan | undefined {
    return this.#record.span;
  }

  get peer(): string {
    return this.#record.peer;
  }

  /** The caller. A stream may continue with changed rights. */
  get principal(): Principal {
    return this.#principal;
  }

  get connection(): object {
    return this.reply.connection;
  }

  get allowance(): Allowance {
    const { quota, totalBytes, tenantBytes } = this.#principal.limits ?? {};
    return { account: storageAccountOf(this.#principal), quota, totalBytes, tenantBytes };
  }

  /**
   * Lets a call with one request begin: checks the request, as `checkRequest` does, and makes room
   * for the reply. Returns a promise only if the call has to wait for that.
   *
   * @param bytes the request as it was received
   * @throws RESOURCE_EXHAUSTED (OVERLOADED) when too many calls of its kind are open
   * @throws the error of the ended call, as a rejection, when the call ends while it waits
   */
  begin(request: Message, bytes: Uint8Array): Promise<void> | undefined {
    this.#record.requestBytes = bytes.byteLength;
    checkRequest(this.#parts, this.#method, this, request);
    this.#request = request;
    this.#record.request = request;
    this.countStream();
    if (!this.#method.needsSlot) return undefined;
    const replyBytes = expectedReplyBytes(this.#method, request);
    return this.reply.growSlot(requestCopies * bytes.byteLength, replyBytes, this);
  }

  /** Checks a message of a stream of requests, as `checkStreamedRequest` does. */
  checkStreamed(request: Message): void {
    checkStreamedRequest(this.#parts, this.#method, this, request);
  }

  /**
   * Notes that the call begins. Counts it until its end if it may stay open for long.
   *
   * @throws RESOURCE_EXHAUSTED (OVERLOADED) when too many such calls are open
   */
  countStream(): void {
    const { streamKind } = this.#method;
    if (streamKind !== undefined) this.#parts.traffic.streams.open(streamKind, this);
  }

  /**
   * Waits until a message of a stream of requests may be used, and keeps its slot until
   * `endRequest`.
   */
  async startRequest(bytes: number): Promise<void> {
    this.#record.requestBytes += bytes;
    this.#requestSlots.push(await this.reply.openMessageSlot(requestCopies * bytes, this));
  }

  /** Notes that the handler no longer uses the oldest message of the stream of requests. */
  endRequest(): void {
    this.#requestSlots.shift()?.release();
  }

  /**
   * Waits until a message of the reply may be sent, and keeps its slot until `endReply`. Does
   * nothing for a call whose own slot covers its reply.
   */
  async startReply(bytes: number): Promise<void> {
    this.#record.replyBytes += bytes;
    this.reply.pauseWork();
    if (!this.#method.openEnded) return;
    this.#replySlots.push(await this.reply.openMessageSlot(bytes, this));
  }

  /** Notes that the oldest message of the reply is sent. */
  endReply(): void {
    this.#replySlots.shift()?.release();
  }

  /** Notes that the handler goes on after a message of the reply. */
  resumeWork(): void {
    this.reply.resumeWork();
  }

  /** Notes that the call has read records of the store, or rows of an index. */
  noteRows(rows: number): void {
    this.#record.rows += rows;
  }

  /** Notes that the whole reply has been made and is `bytes` long. */
  complete(bytes: number): void {
    this.#record.replyBytes = bytes;
    this.reply.complete(bytes);
  }

  protected override noteEnd(outcome: Outcome): void {
    this.#record.end(outcome);
  }

  /** Notes that the handler is done. */
  endWork(): void {
    for (const slot of [...this.#requestSlots, ...this.#replySlots]) slot.release();
    this.reply.endWork();
  }

  continueAs(principal: Principal): void {
    if (this.#request !== undefined)
      this.#parts.access.authorize(principal, this.#method.descriptor, this.#request, this);
    this.#principal = principal;
    this.#record.principal = principal;
    this.#onNewRights?.();
  }

  /**
   * Calls `listener` whenever the rights of the caller change. Requires: this is the only such
   * listener of the call.
   */
  onNewRights(listener: () => void): void {
    this.#onNewRights = listener;
  }

  fail(error: unknown): void {
    // A deadline of now still leaves the client `replyMs` to read what was sent before.
    this.reply.setTimeout(0);
    this.end(this.#parts.report(error, this));
  }
}

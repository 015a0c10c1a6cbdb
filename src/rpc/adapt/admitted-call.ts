import type { Message } from "@bufbuild/protobuf";
import type { VademecumError } from "../../core/model/errors.js";
import type { Principal } from "../../core/model/principal.js";
import type { Quota } from "../../core/model/quota.js";
import type { Credentials } from "../../core/ports/authenticator.js";
import { pathOf } from "../access/access.js";
import type { OpenCall } from "../access/open-calls.js";
import { CallSlot } from "../admit/call-slots.js";
import type { OpenReply } from "../admit/open-reply.js";
import type { AdapterParts } from "./adapter-parts.js";
import { CallLifetime } from "./call-lifetime.js";
import { checkRequest, checkStreamedRequest } from "./check-request.js";
import type { RpcMethod } from "./handler.js";
import { HeldMessages } from "./held-messages.js";

/** What the server knows of a call when it admits the call, before it reads the request. */
export interface Admission {
  readonly principal: Principal;
  readonly credentials: Credentials;
  readonly reply: OpenReply;
}

/** A call from its admission to its end: the parts that are the same for all protocols. */
export class AdmittedCall extends CallLifetime implements OpenCall {
  readonly path: string;
  readonly credentials: Credentials;
  readonly reply: OpenReply;
  readonly slot: CallSlot;
  readonly held = new HeldMessages();
  readonly #method: RpcMethod;
  readonly #parts: AdapterParts;
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
    { principal, credentials, reply }: Admission,
    timeoutMs: number,
    onCancel: (error: VademecumError) => void,
  ) {
    super(timeoutMs, onCancel);
    this.#method = method;
    this.#parts = parts;
    this.path = pathOf(method.descriptor);
    this.credentials = credentials;
    this.reply = reply;
    this.slot = new CallSlot(method.needsSlot ? parts.traffic.slots : undefined, this);
    this.#principal = principal;
    // Other calls end soon, so they keep the rights with which they began.
    if (method.kind !== "unary" || method.openEnded) this.onEnd(parts.access.follow(this));
  }

  /** The caller. A stream may continue with changed rights. */
  get principal(): Principal {
    return this.#principal;
  }

  get connection(): object {
    return this.reply.connection;
  }

  get quota(): Quota | undefined {
    return this.principal.limits?.quota;
  }

  /** Checks the only request of the call, as `checkRequest` does. */
  check(request: Message): void {
    checkRequest(this.#parts, this.#method, this.principal, request);
    this.#request = request;
  }

  /** Checks a message of a stream of requests, as `checkStreamedRequest` does. */
  checkStreamed(request: Message): void {
    checkStreamedRequest(this.#parts, this.#method, this.principal, request);
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

  continueAs(principal: Principal): void {
    if (this.#request !== undefined)
      this.#parts.access.authorize(principal, this.#method.descriptor, this.#request);
    this.#principal = principal;
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
    // A deadline of now still leaves the client `unreadMs` to read what was sent before.
    this.reply.setTimeout(0);
    this.end(this.#parts.report(error, this.path));
  }
}

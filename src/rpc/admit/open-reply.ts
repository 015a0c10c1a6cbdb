import { accountOf, hasCredentials, type Principal } from "../../core/model/principal.js";
import { defaultTimeoutMs } from "../limits.js";
import type { EndingCall } from "./call-end.js";
import { callEnded } from "./call-end.js";
import type { CallQueue } from "./call-queue.js";
import { Slot } from "./slot.js";
import type { SwapItem } from "./swap-list.js";
import type { TrafficLimits } from "./traffic-limits.js";

/** The transport of a response: an HTTP/2 stream, or the whole HTTP/1.1 connection. */
export interface ReplyStream {
  /** Bytes that were written but not yet sent. */
  pendingBytes(): number;
  /** Ends the stream and drops the unsent data. */
  reset(): void;
}

/** The connection of a reply. */
export interface ReplyConnection {
  /** Address and port of the client, or of the proxy in front of it. */
  readonly peer: string;
  /** Notes that a call with valid credentials came over the connection. */
  noteCredentials(): void;
}

/** The parts that all open replies share. */
export interface ReplyParts {
  readonly limits: TrafficLimits;
  readonly queue: CallQueue;
  /** Milliseconds of a clock that never jumps. */
  readonly nowMs: () => number;
}

/** A client gives up a call if it closes its connection in this time after the call began. */
const givenUpMs = 1_000;

/**
 * How many copies of a reply are in RAM while it is made or waits to be sent: the message, whose
 * texts are decoded for this call, its encoded form, and the frame into which the HTTP listener
 * copies that.
 */
const replyCopies = 3;

/** Assumed bytes of a call in RAM, apart from large messages. */
const callBaseBytes = 128 * 1024;

/** The reply of one request, from its headers until its stream is closed. */
export class OpenReply implements SwapItem, EndingCall {
  /** See `SwapItem`. */
  listIndex = -1;
  /** Identifies the connection: the same object for all its replies. */
  readonly connection: ReplyConnection;
  readonly #parts: ReplyParts;
  readonly #stream: ReplyStream;
  readonly #beganAtMs: number;
  #deadlineAtMs: number;
  #principal: Principal | undefined;
  #slot: Slot | undefined;
  #call: { close(): void } | undefined;
  #closeListeners: Set<(reason: Error) => void> | undefined;
  #isWorking = false;
  /** When the handler last went on; `undefined` while it waits or is done. */
  #workingSinceMs: number | undefined;
  #workedMs = 0;
  #waitedMs = 0;
  #isComplete = false;
  #isClosed = false;
  #lastPendingBytes = 0;
  #checkedAtMs: number;
  /** Time in which the client has read nothing although data waits for it. */
  #stalledForMs = 0;

  constructor(parts: ReplyParts, connection: ReplyConnection, stream: ReplyStream) {
    this.connection = connection;
    this.#parts = parts;
    this.#stream = stream;
    this.#beganAtMs = parts.nowMs();
    this.#checkedAtMs = this.#beganAtMs;
    this.#deadlineAtMs = this.#beganAtMs + defaultTimeoutMs;
  }

  /**
   * Whether the call counts as given up if its connection is lost now: it has no credentials, it
   * began a short time ago, and its reply is not complete. A caller with credentials may give up
   * calls freely, because it has limits of its own.
   */
  get isYoung(): boolean {
    const isKnown = this.#principal !== undefined && hasCredentials(this.#principal);
    return !isKnown && !this.#isComplete && this.#parts.nowMs() - this.#beganAtMs < givenUpMs;
  }

  /** Milliseconds since the headers of the request. */
  get ageMs(): number {
    return this.#parts.nowMs() - this.#beganAtMs;
  }

  /** Milliseconds for which the call, or its messages, waited for slots. */
  get waitedMs(): number {
    return this.#waitedMs;
  }

  /** Milliseconds for which the handler worked, without waits for slots and for the client. */
  get workedMs(): number {
    const since = this.#workingSinceMs;
    return this.#workedMs + (since === undefined ? 0 : this.#parts.nowMs() - since);
  }

  /** Sets the deadline of the call, `timeoutMs` from now; `Infinity` for none. */
  setTimeout(timeoutMs: number): void {
    this.#deadlineAtMs = this.#parts.nowMs() + timeoutMs;
  }

  /** Sets what is closed together with the stream, before all listeners. */
  noteCall(call: { close(): void }): void {
    this.#call = call;
  }

  /** Notes who calls. */
  admit(principal: Principal): void {
    this.#principal = principal;
    if (hasCredentials(principal)) this.connection.noteCredentials();
  }

  /**
   * Opens the slot of the call, before its request is read. Returns a promise only if the call has
   * to wait. The slot stays until the handler is done and the stream is closed.
   *
   * @param requestBytes largest size of the request
   * @param isRead whether the call only reads
   * @throws RESOURCE_EXHAUSTED (OVERLOADED) when too many calls wait, or when the principal has too
   *   many calls
   * @throws CANCELLED (CALL_ENDED), as a rejection, when the stream closes while the call waits
   */
  openSlot(requestBytes: number, isRead: boolean): Promise<void> | undefined {
    if (this.#isClosed) throw callEnded;
    const { queue } = this.#parts;
    this.#slot = new Slot(queue, queue.laneOfCall(this.#caller()), true, isRead);
    const wait = this.#slot.open(callBaseBytes + requestBytes, this);
    return wait && this.#noteWait(wait);
  }

  /**
   * Grows the slot to the bytes that the call needs: its request, and the largest reply to it.
   * Returns a promise only if the call has to wait. Does nothing without a slot.
   *
   * @throws the error of the ended call, as a rejection, when the call ends while it waits
   */
  growSlot(requestBytes: number, replyBytes: number, call: EndingCall): Promise<void> | undefined {
    const wait = this.#slot?.grow(callBaseBytes + requestBytes + replyCopies * replyBytes, call);
    return wait && this.#noteWait(wait);
  }

  /**
   * Opens a slot for one message of a stream, which the caller of this method releases. Returns a
   * promise only if the message has to wait. The message is never refused.
   *
   * @throws the error of the ended call, as a rejection, when the call ends while it waits
   */
  openMessageSlot(bytes: number, call: EndingCall): Slot | Promise<Slot> {
    const { queue } = this.#parts;
    const slot = new Slot(queue, queue.laneOf(this.#caller()), false);
    const wait = slot.open(bytes, call);
    if (wait === undefined) return slot;
    return this.#noteWait(wait).then(
      () => slot,
      (error: unknown) => {
        slot.release();
        throw error;
      },
    );
  }

  /** Notes that a handler works on the call. */
  startWork(): void {
    this.#isWorking = true;
    this.resumeWork();
  }

  /** Notes that the handler waits for a slot, or until the client has read. */
  pauseWork(): void {
    this.#workedMs = this.workedMs;
    this.#workingSinceMs = undefined;
  }

  /** Notes that the handler goes on. */
  resumeWork(): void {
    if (this.#isWorking) this.#workingSinceMs ??= this.#parts.nowMs();
  }

  /** Notes that the handler is done. */
  endWork(): void {
    this.pauseWork();
    this.#isWorking = false;
    if (this.#isClosed) this.#slot?.release();
  }

  /** Notes that the whole reply has been made and is `bytes` long. */
  complete(bytes: number): void {
    this.#isComplete = true;
    this.#slot?.resize(callBaseBytes + replyCopies * bytes);
    this.#deadlineAtMs = Math.min(this.#deadlineAtMs, this.#parts.nowMs());
  }

  /** Notes that the stream is closed. */
  close(): void {
    this.#isClosed = true;
    this.#call?.close();
    for (const listener of this.#closeListeners ?? []) listener(callEnded);
    if (!this.#isWorking) this.#slot?.release();
  }

  /** Ends the reply without an answer. */
  reset(): void {
    this.#stream.reset();
  }

  /** Calls `listener` when the stream closes. Requires: it is not closed. */
  onEnd(listener: (reason: Error) => void): () => void {
    this.#closeListeners ??= new Set();
    const listeners = this.#closeListeners.add(listener);
    return () => listeners.delete(listener);
  }

  /**
   * Notes what has been sent since the last check, and resets the reply if it is overdue: its
   * client has read nothing for `stalledMs`, or has not read all of it `replyMs` after the reply of
   * a unary call was made, or after the deadline of a stream.
   */
  check(): void {
    const now = this.#parts.nowMs();
    const { replyMs, stalledMs, sweepMs } = this.#parts.limits;
    // A process that was suspended or blocked has sent nothing meanwhile.
    const elapsedMs = Math.min(now - this.#checkedAtMs, 2 * sweepMs);
    this.#checkedAtMs = now;
    const pendingBytes = this.#stream.pendingBytes();
    if (pendingBytes === 0 || pendingBytes !== this.#lastPendingBytes) {
      this.#lastPendingBytes = pendingBytes;
      this.#stalledForMs = 0;
    } else {
      this.#stalledForMs += elapsedMs;
    }
    if (now >= this.#deadlineAtMs + replyMs || this.#stalledForMs >= stalledMs) this.reset();
  }

  /** Counts the time of a wait for a slot, in which no handler works. */
  #noteWait<T>(wait: Promise<T>): Promise<T> {
    const beganAtMs = this.#parts.nowMs();
    const wasWorking = this.#workingSinceMs !== undefined;
    this.pauseWork();
    return wait.finally(() => {
      this.#waitedMs += this.#parts.nowMs() - beganAtMs;
      if (wasWorking) this.resumeWork();
    });
  }

  /** Identifies the caller for the queue. */
  #caller(): unknown {
    const principal = this.#principal;
    return principal !== undefined && hasCredentials(principal)
      ? accountOf(principal)
      : this.connection;
  }
}

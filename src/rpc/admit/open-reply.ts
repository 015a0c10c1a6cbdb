import { hasCredentials, type Principal } from "../../core/model/principal.js";
import type { ByteBudget, Room } from "./byte-budget.js";
import type { SlotCall } from "./call-slots.js";
import type { PrincipalRooms } from "./principal-rooms.js";
import type { RequestBody } from "./request-body.js";
import type { RequestBuffer } from "./request-buffer.js";
import type { SwapItem } from "./swap-list.js";
import type { TrafficLimits } from "./traffic-limits.js";

/** The transport of a response: an HTTP/2 stream, or the whole HTTP/1.1 connection. */
export interface ReplyStream {
  /** Bytes of RAM that hold data that was written but not yet sent. */
  pendingBytes(): number;
  /** Ends the stream and drops the unsent data. */
  reset(): void;
}

/** The parts that all open replies share. */
export interface ReplyParts {
  readonly limits: TrafficLimits;
  /** The byte budget of all replies. */
  readonly buffer: ByteBudget;
  /** Counts the bytes of each principal in `buffer`. */
  readonly rooms: PrincipalRooms;
  /** The byte budget of all requests. */
  readonly requests: RequestBuffer;
  /** Milliseconds of a clock that never jumps. */
  readonly nowMs: () => number;
}

/** The reply of one request, from its headers until its stream is closed. */
export class OpenReply implements SwapItem {
  /** The body of the request. */
  readonly request: RequestBody;
  /** See `SwapItem`. */
  listIndex = -1;
  readonly #parts: ReplyParts;
  readonly #connection: Room;
  /**
   * Where the bytes of this reply are counted: first for the connection; once the caller is known,
   * in the `Room` that `PrincipalRooms.open` returns.
   */
  #room: Room;
  #principal: Principal | undefined;
  readonly #stream: ReplyStream;
  readonly #beganAtMs: number;
  #deadlineAtMs: number;
  #bytes = 0;
  #isComplete = false;
  #isClosed = false;
  #lastPendingBytes = 0;
  #lastReadAtMs: number;

  constructor(parts: ReplyParts, room: Room, request: RequestBody, stream: ReplyStream) {
    this.request = request;
    this.#parts = parts;
    this.#connection = room;
    this.#room = room;
    this.#stream = stream;
    this.#beganAtMs = parts.nowMs();
    this.#lastReadAtMs = this.#beganAtMs;
    this.#deadlineAtMs = this.#beganAtMs + parts.limits.timeoutMs;
  }

  /** Identifies the connection: the same object for all its replies. */
  get connection(): object {
    return this.#connection;
  }

  /**
   * Whether the call counts as given up if its connection is lost now: it has no credentials, it
   * began less than `givenUpMs` ago, and its reply is not complete. A caller with credentials may
   * give up calls freely, because it has limits of its own.
   */
  get isYoung(): boolean {
    const { limits, nowMs } = this.#parts;
    const isKnown = this.#principal !== undefined && hasCredentials(this.#principal);
    return !isKnown && !this.#isComplete && nowMs() - this.#beganAtMs < limits.givenUpMs;
  }

  /** Bytes that are reserved for this reply or wait for its reader. */
  get bytes(): number {
    return this.#bytes;
  }

  /**
   * Whether the bytes of this reply count for a principal. `room`: the count of the principal on
   * all connections.
   */
  isIn(room: Room): boolean {
    return this.#room.principal === room;
  }

  /** Sets the deadline of the call, `timeoutMs` from now; `Infinity` for none. */
  setTimeout(timeoutMs: number): void {
    this.#deadlineAtMs = this.#parts.nowMs() + timeoutMs;
  }

  /**
   * Reserves bytes for the reply of a call that has not begun. Returns a promise only if the call
   * has to wait.
   *
   * @throws RESOURCE_EXHAUSTED (OVERLOADED) when too many calls wait for bytes
   * @throws the error of the ended call, as a rejection, when the call ends while it waits
   */
  admit(bytes: number, call: SlotCall): Promise<void> | undefined {
    this.#enterRoom(call.principal);
    return this.#holdWith(this.#parts.buffer.admit(this.#room, bytes, call), bytes);
  }

  /**
   * Reserves bytes for more of the reply. Returns a promise only if the call has to wait.
   *
   * @throws the error of the ended call, as a rejection, when the call ends while it waits
   */
  reserve(bytes: number, call: SlotCall): Promise<void> | undefined {
    this.#enterRoom(call.principal);
    return this.#holdWith(this.#parts.buffer.reserve(this.#room, bytes, call), bytes);
  }

  /** Notes that the whole reply has been made. `bytes`: the size of the reply, if known. */
  complete(bytes = this.#bytes): void {
    this.#keep(bytes);
    this.#isComplete = true;
  }

  /** Gives back the bytes of a part that has been sent. */
  release(bytes: number): void {
    this.#keep(this.#bytes - bytes);
  }

  /** Notes that the stream is closed. */
  close(): void {
    this.#keep(0);
    this.#isClosed = true;
    if (this.#principal !== undefined) this.#parts.rooms.close(this.#principal);
    this.request.close();
  }

  /** Ends the reply without an answer. */
  reset(): void {
    this.#stream.reset();
  }

  /**
   * Notes what has been sent since the last check, and resets the reply if it is overdue: still
   * unread some time after its deadline, or stalled for too long.
   *
   * @returns milliseconds for which the client has read nothing although data waits for it; 0 if no
   *   data waits
   */
  check(): number {
    const now = this.#parts.nowMs();
    const { unreadMs, stalledMs } = this.#parts.limits;
    const pendingBytes = this.#stream.pendingBytes();
    if (this.#isComplete && pendingBytes > 0) this.#keep(pendingBytes);
    if (pendingBytes === 0 || pendingBytes !== this.#lastPendingBytes) {
      this.#lastPendingBytes = pendingBytes;
      this.#lastReadAtMs = now;
    }
    const stalledForMs = now - this.#lastReadAtMs;
    if (now >= this.#deadlineAtMs + unreadMs || stalledForMs >= stalledMs) {
      this.reset();
      return 0;
    }
    return stalledForMs;
  }

  /** Counts the reply for its caller from now on. */
  #enterRoom(principal: Principal): void {
    if (this.#principal !== undefined || this.#isClosed) return;
    this.#principal = principal;
    this.#room = this.#parts.rooms.open(principal, this.#room);
  }

  /**
   * Counts bytes for this reply once they are reserved. `room`: the wait for them; `undefined` if
   * they are reserved already.
   */
  #holdWith(room: Promise<void> | undefined, bytes: number): Promise<void> | undefined {
    if (room !== undefined) return room.then(() => this.#hold(bytes));
    this.#hold(bytes);
    return undefined;
  }

  #hold(bytes: number): void {
    if (this.#isClosed) this.#parts.buffer.change(this.#room, -bytes);
    else this.#bytes += bytes;
  }

  #keep(bytes: number): void {
    if (this.#isClosed || bytes === this.#bytes) return;
    const change = bytes - this.#bytes;
    this.#bytes = bytes;
    this.#parts.buffer.change(this.#room, change);
  }
}

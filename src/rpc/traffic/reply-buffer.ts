import type { EndingCall } from "./call-end.js";
import { overloaded } from "./overloaded.js";
import type { TrafficLimits } from "./traffic-limits.js";

/** The bytes of the replies of one connection. */
export interface ReplyRoom {
  /** Bytes that are reserved or wait for their reader. */
  bytes: number;
}

/** A reply that waits for room. */
interface Waiter {
  readonly room: ReplyRoom;
  readonly bytes: number;
  readonly start: () => void;
}

/**
 * Counts the bytes of replies that wait for their reader, for each connection and for all together.
 * A reply reserves its largest size before it is made. Afterwards it keeps only the bytes that it
 * needs, until it is read. Calls that wait for room take up to a quarter of all room themselves.
 */
export class ReplyBuffer {
  readonly #limits: TrafficLimits;
  /** The waiting replies, in the order of their calls. */
  readonly #waiters = new Set<Waiter>();
  /** Number of waiting replies of each connection that has any. */
  readonly #waitingOf = new Map<ReplyRoom, number>();
  #bytes = 0;

  constructor(limits: TrafficLimits) {
    this.#limits = limits;
  }

  /** Bytes of all connections. */
  get bytes(): number {
    return this.#bytes;
  }

  /**
   * Bytes that other connections must free so that the first waiting reply can start; 0 if no reply
   * waits for the room of others. A connection that uses more than half of its own limit has no
   * claim to the room of others.
   */
  get neededBytes(): number {
    for (const { room, bytes } of this.#waiters)
      if (room.bytes <= this.#limits.connectionReplyBytes / 2 && this.#fitsConnection(room, bytes))
        return this.#bytes + bytes - this.#roomBesides(this.#waiters.size - 1);
    return 0;
  }

  /**
   * Reserves room for a call that has not begun, as `reserve` does.
   *
   * While `waitingCalls` calls wait, no more calls of a connection may wait if it has its share of
   * them. Those of other connections still may, so that no connection takes all places.
   *
   * @throws RESOURCE_EXHAUSTED (OVERLOADED) when the call would have to wait and may not
   * @throws the error of the ended call, as a rejection, when the call ends while it waits
   */
  admit(room: ReplyRoom, bytes: number, call: EndingCall): Promise<void> | undefined {
    if (this.#mustWait(room, bytes) && this.#hasItsShare(room)) {
      const { waitingCalls, retryAfterMs } = this.#limits;
      throw overloaded(`${waitingCalls} calls wait for room for their replies`, retryAfterMs);
    }
    return this.reserve(room, bytes, call);
  }

  /**
   * Reserves room. Returns a promise only if there is no room yet.
   *
   * @throws the error of the ended call, as a rejection, when the call ends while it waits
   */
  reserve(room: ReplyRoom, bytes: number, call: EndingCall): Promise<void> | undefined {
    if (this.#mustWait(room, bytes)) return this.#wait(room, bytes, call);
    this.change(room, bytes);
    return undefined;
  }

  /** Changes a reservation, even if there is no room for the change. */
  change(room: ReplyRoom, bytes: number): void {
    room.bytes += bytes;
    this.#bytes += bytes;
    if (bytes < 0) this.#startWaiters();
  }

  #mustWait(room: ReplyRoom, bytes: number): boolean {
    const { smallReplyBytes } = this.#limits;
    return bytes > smallReplyBytes && !this.#fits(room, bytes, this.#waiters.size);
  }

  /** Whether so many calls wait that this connection may have no more of them. */
  #hasItsShare(room: ReplyRoom): boolean {
    const { waitingCalls } = this.#limits;
    if (this.#waiters.size < waitingCalls) return false;
    return (this.#waitingOf.get(room) ?? 0) >= waitingCalls / this.#waitingOf.size;
  }

  /**
   * Whether a reply fits in addition to the reserved replies and `waiting` calls that wait for
   * room.
   */
  #fits(room: ReplyRoom, bytes: number, waiting: number): boolean {
    const fitsAll = this.#bytes === 0 || this.#bytes + bytes <= this.#roomBesides(waiting);
    return fitsAll && this.#fitsConnection(room, bytes);
  }

  /** Returns the room that is left for replies, in bytes, while `waiting` calls wait. */
  #roomBesides(waiting: number): number {
    const { replyBytes, waitingCallBytes } = this.#limits;
    return replyBytes - Math.min(waiting * waitingCallBytes, replyBytes / 4);
  }

  #fitsConnection(room: ReplyRoom, bytes: number): boolean {
    // A reply that is larger than the room of its connection gets that room alone.
    return room.bytes === 0 || room.bytes + bytes <= this.#limits.connectionReplyBytes;
  }

  #wait(room: ReplyRoom, bytes: number, call: EndingCall): Promise<void> {
    return new Promise((resolve, reject) => {
      const start = (): void => {
        stopListening();
        this.#remove(waiter);
        this.change(room, bytes);
        resolve();
      };
      const stopListening = call.onEnd((reason) => {
        this.#remove(waiter);
        reject(reason);
      });
      const waiter: Waiter = { room, bytes, start };
      this.#waiters.add(waiter);
      this.#countWaiting(room, 1);
    });
  }

  #remove(waiter: Waiter): void {
    if (this.#waiters.delete(waiter)) this.#countWaiting(waiter.room, -1);
  }

  #countWaiting(room: ReplyRoom, change: 1 | -1): void {
    const count = (this.#waitingOf.get(room) ?? 0) + change;
    if (count === 0) this.#waitingOf.delete(room);
    else this.#waitingOf.set(room, count);
  }

  #startWaiters(): void {
    for (const waiter of this.#waiters)
      if (this.#fits(waiter.room, waiter.bytes, this.#waiters.size - 1)) waiter.start();
  }
}

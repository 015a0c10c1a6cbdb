import type { EndingCall } from "./call-end.js";
import type { Refusals } from "./refusals.js";

/** The bytes of one connection. */
export interface Room {
  /** Bytes that are reserved or in use. */
  bytes: number;
}

/** The limits of a budget. */
export interface BudgetLimits {
  /** Maximum number of bytes of all connections. */
  readonly bytes: number;
  /** Maximum number of bytes of one connection. */
  readonly connectionBytes: number;
  /** Largest reservation that never waits for room. */
  readonly smallBytes: number;
  /** Maximum number of calls that may wait. A connection with few such calls may exceed it. */
  readonly waitingCalls: number;
  /** Maximum number of bytes for which the calls of one connection wait. One call always may. */
  readonly connectionWaitingBytes: number;
  /** RAM that a call takes while it waits. */
  readonly waitingCallBytes: number;
  /** What the waiting calls do, for the error of a refused call. */
  readonly wait: string;
}

/** A call that waits for room. */
interface Waiter {
  readonly room: Room;
  readonly bytes: number;
  readonly start: () => void;
}

/**
 * Counts the bytes that calls reserve or use, for each connection and for all together. Each call
 * reserves its largest size first. Afterwards it keeps only the bytes that it needs. Calls that
 * wait for room take up to a quarter of all room themselves.
 */
export class ByteBudget {
  readonly #limits: BudgetLimits;
  readonly #refusals: Refusals;
  /** The waiting calls, in their order. */
  readonly #waiters = new Set<Waiter>();
  /** The waiting calls of each connection that has any: their number, and the bytes they need. */
  readonly #waitingOf = new Map<Room, { readonly count: number; readonly bytes: number }>();
  #bytes = 0;

  constructor(limits: BudgetLimits, refusals: Refusals) {
    this.#limits = limits;
    this.#refusals = refusals;
  }

  /** Bytes of all connections. */
  get bytes(): number {
    return this.#bytes;
  }

  /**
   * Bytes that other connections must free so that the first waiting call with a claim (see
   * `#hasClaim`) can start; 0 if no call with a claim waits.
   */
  get neededBytes(): number {
    for (const waiter of this.#waiters)
      if (this.#hasClaim(waiter))
        return this.#bytes + waiter.bytes - this.#roomBesides(this.#waiters.size - 1);
    return 0;
  }

  /**
   * Reserves room for a call that has not begun, as `reserve` does.
   *
   * When `waitingCalls` calls wait, a further call may wait only if its connection has less than
   * its share of the waiting calls. So no connection takes all places. A connection also has a
   * limit of the bytes for which its calls wait.
   *
   * @throws RESOURCE_EXHAUSTED (OVERLOADED) when the call would have to wait and may not
   * @throws the error of the ended call, as a rejection, when the call ends while it waits
   */
  admit(room: Room, bytes: number, call: EndingCall): Promise<void> | undefined {
    if (this.#mustWait(room, bytes) && this.#hasItsShare(room, bytes))
      throw this.#refusals.refusalOf(`too many calls ${this.#limits.wait}`);
    return this.reserve(room, bytes, call);
  }

  /**
   * Reserves room. Returns a promise only if there is no room yet.
   *
   * @throws the error of the ended call, as a rejection, when the call ends while it waits
   */
  reserve(room: Room, bytes: number, call: EndingCall): Promise<void> | undefined {
    if (this.#mustWait(room, bytes)) return this.#wait(room, bytes, call);
    this.change(room, bytes);
    return undefined;
  }

  /** Changes a reservation, even if there is no room for the change. */
  change(room: Room, bytes: number): void {
    room.bytes += bytes;
    this.#bytes += bytes;
    if (bytes < 0) this.#startWaiters();
  }

  #mustWait(room: Room, bytes: number): boolean {
    if (bytes <= this.#limits.smallBytes) return false;
    return this.#isQueued() || !this.#fits(room, bytes, this.#waiters.size);
  }

  /** Whether any waiting call holds up later calls. */
  #isQueued(): boolean {
    for (const waiter of this.#waiters) if (this.#keepsItsPlace(waiter)) return true;
    return false;
  }

  /**
   * Whether later calls wait until this waiting call starts. Otherwise small calls could keep a
   * large call waiting for ever. A call that needs more than half of all room does not hold up
   * later calls: they would wait until nearly all room is free.
   */
  #keepsItsPlace(waiter: Waiter): boolean {
    return this.#hasClaim(waiter) && waiter.bytes <= this.#limits.bytes / 2;
  }

  /**
   * Whether a waiting call has a claim to the room of other connections. A connection that uses
   * more than half of its own limit has none.
   */
  #hasClaim({ room, bytes }: Waiter): boolean {
    return room.bytes <= this.#limits.connectionBytes / 2 && this.#fitsConnection(room, bytes);
  }

  /** Whether the calls of the connection that wait already leave no place for this call. */
  #hasItsShare(room: Room, bytes: number): boolean {
    const { waitingCalls, connectionWaitingBytes } = this.#limits;
    const waiting = this.#waitingOf.get(room) ?? { count: 0, bytes: 0 };
    if (waiting.count > 0 && waiting.bytes + bytes > connectionWaitingBytes) return true;
    if (this.#waiters.size < waitingCalls) return false;
    return waiting.count >= waitingCalls / this.#waitingOf.size;
  }

  /**
   * Whether bytes fit in addition to the reserved bytes and `waiting` calls that wait for room.
   */
  #fits(room: Room, bytes: number, waiting: number): boolean {
    const fitsAll = this.#bytes === 0 || this.#bytes + bytes <= this.#roomBesides(waiting);
    return fitsAll && this.#fitsConnection(room, bytes);
  }

  /** Returns the room that calls can reserve, in bytes, while `waiting` calls wait. */
  #roomBesides(waiting: number): number {
    const { bytes, waitingCallBytes } = this.#limits;
    return bytes - Math.min(waiting * waitingCallBytes, bytes / 4);
  }

  #fitsConnection(room: Room, bytes: number): boolean {
    // A call that needs more than the room of its connection gets that room alone.
    return room.bytes === 0 || room.bytes + bytes <= this.#limits.connectionBytes;
  }

  #wait(room: Room, bytes: number, call: EndingCall): Promise<void> {
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
        this.#startWaiters();
      });
      const waiter: Waiter = { room, bytes, start };
      this.#waiters.add(waiter);
      this.#countWaiting(waiter, 1);
    });
  }

  #remove(waiter: Waiter): void {
    if (this.#waiters.delete(waiter)) this.#countWaiting(waiter, -1);
  }

  #countWaiting({ room, bytes: needed }: Waiter, change: 1 | -1): void {
    const waiting = this.#waitingOf.get(room) ?? { count: 0, bytes: 0 };
    const count = waiting.count + change;
    if (count === 0) this.#waitingOf.delete(room);
    else this.#waitingOf.set(room, { count, bytes: waiting.bytes + change * needed });
  }

  /** Starts waiting calls in their order. */
  #startWaiters(): void {
    for (const waiter of this.#waiters) {
      if (this.#fits(waiter.room, waiter.bytes, this.#waiters.size - 1)) waiter.start();
      else if (this.#keepsItsPlace(waiter)) return;
    }
  }
}

import type { EndingCall } from "./call-end.js";
import type { Refusals } from "./refusals.js";

/**
 * A count of bytes: those of one connection or, with credentials, those of one principal on one
 * connection.
 */
export interface Room {
  /** Bytes that are reserved or in use. */
  bytes: number;
  /** The count of the principal's bytes on all connections; `undefined` without credentials. */
  readonly principal?: Room;
}

/** The limits of a budget. */
export interface BudgetLimits {
  /** Maximum number of bytes of all connections. */
  readonly bytes: number;
  /** Maximum number of bytes of one connection. */
  readonly connectionBytes: number;
  /** Maximum number of bytes of one principal, on all of its connections. */
  readonly principalBytes: number;
  /**
   * Largest reservation that counts as small. A small reservation waits only if its principal would
   * otherwise use more than twice `principalBytes`.
   */
  readonly smallBytes: number;
  /**
   * Maximum number of calls that may wait. A principal or, without credentials, a connection with
   * few waiting calls may exceed it; see `ByteBudget.admit`.
   */
  readonly waitingCalls: number;
  /**
   * Maximum number of bytes that the waiting calls of one connection or, with credentials, of one
   * principal may request together. The first waiting call may request more.
   */
  readonly connectionWaitingBytes: number;
  /** RAM that a call takes while it waits, in bytes. */
  readonly waitingCallBytes: number;
  /**
   * What the waiting calls do. The error of a refused call is `too many calls`, followed by this
   * text.
   */
  readonly wait: string;
}

/** A call that waits until its bytes can be reserved. */
interface Waiter {
  readonly room: Room;
  readonly bytes: number;
  readonly start: () => void;
}

/**
 * Counts the bytes that calls reserve or use: for each connection, for each principal, and for all
 * calls together. A call first reserves the largest size that it can need, and later gives back
 * what it does not need. A call whose bytes would exceed a limit waits. A waiting call takes RAM
 * too. This RAM counts, but never as more than a quarter of the limit for all calls.
 *
 * The waiting calls of a principal start in order of arrival. Later calls may overtake a call that
 * does not fit yet, unless the call keeps its place (see `#keepsItsPlace`). The principals take
 * turns. Calls without credentials count as those of one principal that has no limit of its own.
 *
 * A waiting call has a claim if its connection uses few bytes (see `#hasClaim`). A call with a
 * claim may hold up later calls. To let it start, `Connections` may reset stalled calls.
 */
export class ByteBudget {
  readonly #limits: BudgetLimits;
  readonly #refusals: Refusals;
  /**
   * The waiting calls of each principal, in order of arrival. The principals are in the order of
   * their turns.
   */
  readonly #queues = new Map<Room | undefined, Set<Waiter>>();
  /**
   * Number of waiting calls, and the bytes that they request: for each principal or, without
   * credentials, for each connection.
   */
  readonly #waitingOf = new Map<Room, { readonly count: number; readonly bytes: number }>();
  #waiting = 0;
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
   * Bytes that calls must free so that a waiting call can start: the first call with a claim to the
   * bytes of all principals (see `#hasClaimToAll`). 0 if no such call waits.
   */
  get neededBytes(): number {
    for (const queue of this.#queues.values())
      for (const waiter of queue)
        if (this.#hasClaimToAll(waiter))
          return this.#bytes + waiter.bytes - this.#roomBesides(this.#waiting - 1);
    return 0;
  }

  /**
   * Finds the first waiting call with a claim (see `#hasClaim`) of each principal. If the limit of
   * the principal keeps this call from starting, yields the principal, and the number of bytes that
   * its other calls must free first.
   */
  *fullPrincipals(): Generator<readonly [Room, number]> {
    for (const [principal, queue] of this.#queues) {
      if (principal === undefined) continue;
      const waiter = [...queue].find((each) => this.#hasClaim(each));
      if (waiter !== undefined && !this.#fitsPrincipal(waiter.room, waiter.bytes))
        yield [principal, principal.bytes + waiter.bytes - this.#limits.principalBytes];
    }
  }

  /**
   * Reserves bytes for a call that has not begun, as `reserve` does, but refuses the call if it may
   * not wait.
   *
   * When `waitingCalls` calls wait, a further call may wait only if its principal, or without
   * credentials its connection, has less than an equal share of the waiting calls. So no caller can
   * fill the queue alone. The bytes that waiting calls request have a limit too:
   * `connectionWaitingBytes`.
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
   * Reserves bytes. Returns a promise only if the call has to wait.
   *
   * @throws the error of the ended call, as a rejection, when the call ends while it waits
   */
  reserve(room: Room, bytes: number, call: EndingCall): Promise<void> | undefined {
    if (this.#mustWait(room, bytes)) return this.#wait(room, bytes, call);
    this.change(room, bytes);
    return undefined;
  }

  /** Changes the number of reserved bytes, even if it then exceeds a limit. */
  change(room: Room, bytes: number): void {
    room.bytes += bytes;
    if (room.principal !== undefined) room.principal.bytes += bytes;
    this.#bytes += bytes;
    if (bytes < 0) this.#startWaiters();
  }

  #mustWait(room: Room, bytes: number): boolean {
    const isSmall = bytes <= this.#limits.smallBytes;
    return (!isSmall && this.#isHeldUp(room)) || !this.#fits(room, bytes, this.#waiting);
  }

  /** Whether a call that already waits holds up a new call with this `Room`. */
  #isHeldUp({ principal }: Room): boolean {
    for (const [waiting, queue] of this.#queues)
      for (const waiter of queue)
        if (waiting === principal ? this.#keepsItsPlace(waiter) : this.#holdsUpAll(waiter))
          return true;
    return false;
  }

  /**
   * Whether later calls of the same principal wait until this waiting call starts. If they never
   * waited, small calls could keep a large call waiting for ever. But a call that requests more
   * than half of the bytes that its principal may use does not hold up later calls: they would have
   * to wait until nearly all of these bytes are free.
   */
  #keepsItsPlace(waiter: Waiter): boolean {
    const { bytes, principalBytes } = this.#limits;
    const limit = waiter.room.principal === undefined ? bytes : Math.min(bytes, principalBytes);
    return this.#hasClaim(waiter) && waiter.bytes <= limit / 2;
  }

  /** Whether later calls of all principals wait until this waiting call starts. */
  #holdsUpAll(waiter: Waiter): boolean {
    return this.#keepsItsPlace(waiter) && this.#hasClaimToAll(waiter);
  }

  /**
   * Whether a waiting call has a claim to bytes that other connections of its principal use. It has
   * none if its own connection uses more than half of the limit of a connection, or has no bytes
   * left for it.
   */
  #hasClaim({ room, bytes }: Waiter): boolean {
    return room.bytes <= this.#limits.connectionBytes / 2 && this.#fitsConnection(room, bytes);
  }

  /**
   * Whether a waiting call has a claim to bytes that other principals use, too. It has none if its
   * own principal uses more than half of the limit of a principal, or has no bytes left for it.
   */
  #hasClaimToAll(waiter: Waiter): boolean {
    const { principal } = waiter.room;
    const isModest =
      principal === undefined ||
      (principal.bytes <= this.#limits.principalBytes / 2 &&
        this.#fitsPrincipal(waiter.room, waiter.bytes));
    return isModest && this.#hasClaim(waiter);
  }

  /**
   * Whether a further call may not wait. Then its principal, or without credentials its connection,
   * already has its share of the waiting calls or of the bytes that waiting calls may request.
   */
  #hasItsShare(room: Room, bytes: number): boolean {
    const { waitingCalls, connectionWaitingBytes } = this.#limits;
    const waiting = this.#waitingOf.get(room.principal ?? room) ?? { count: 0, bytes: 0 };
    if (waiting.count > 0 && waiting.bytes + bytes > connectionWaitingBytes) return true;
    if (this.#waiting < waitingCalls) return false;
    return waiting.count >= waitingCalls / this.#waitingOf.size;
  }

  /**
   * Whether further bytes fit into the limits while `waiting` calls wait. A small reservation fits
   * unless its principal would use more than twice its limit.
   */
  #fits(room: Room, bytes: number, waiting: number): boolean {
    const { smallBytes, principalBytes } = this.#limits;
    if (bytes <= smallBytes) return this.#fitsPrincipal(room, bytes, 2 * principalBytes);
    const fitsAll = this.#bytes === 0 || this.#bytes + bytes <= this.#roomBesides(waiting);
    return fitsAll && this.#fitsPrincipal(room, bytes) && this.#fitsConnection(room, bytes);
  }

  /** Returns the number of bytes that all calls together may reserve while `waiting` calls wait. */
  #roomBesides(waiting: number): number {
    const { bytes, waitingCallBytes } = this.#limits;
    return bytes - Math.min(waiting * waitingCallBytes, bytes / 4);
  }

  #fitsPrincipal({ principal }: Room, bytes: number, limit = this.#limits.principalBytes): boolean {
    // A call that requests more than this limit may start when its principal uses no bytes.
    return principal === undefined || principal.bytes === 0 || principal.bytes + bytes <= limit;
  }

  #fitsConnection(room: Room, bytes: number): boolean {
    // A call that requests more than this limit may start when its connection uses no bytes.
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
      const queue = this.#queues.get(room.principal);
      if (queue === undefined) this.#queues.set(room.principal, new Set([waiter]));
      else queue.add(waiter);
      this.#countWaiting(waiter, 1);
    });
  }

  #remove(waiter: Waiter): void {
    const queue = this.#queues.get(waiter.room.principal);
    if (!queue?.delete(waiter)) return;
    if (queue.size === 0) this.#queues.delete(waiter.room.principal);
    this.#countWaiting(waiter, -1);
  }

  #countWaiting({ room, bytes: needed }: Waiter, change: 1 | -1): void {
    this.#waiting += change;
    const holder = room.principal ?? room;
    const waiting = this.#waitingOf.get(holder) ?? { count: 0, bytes: 0 };
    const count = waiting.count + change;
    if (count === 0) this.#waitingOf.delete(holder);
    else this.#waitingOf.set(holder, { count, bytes: waiting.bytes + change * needed });
  }

  /**
   * Starts the waiting calls that fit. Principals take turns: after each start, the next principal
   * follows.
   */
  #startWaiters(): void {
    // The loop reaches a queue again after moving it to the end of the map.
    for (const [principal, queue] of this.#queues) {
      const next = this.#nextOf(queue);
      if (next === "later") continue;
      if (next === "holdsUpAll") return;
      next.start();
      if (queue.size === 0) continue;
      this.#queues.delete(principal);
      this.#queues.set(principal, queue);
    }
  }

  /**
   * Returns the first waiting call of a queue that can start. Otherwise returns `holdsUpAll` if all
   * other queues have to wait too, and `later` if not.
   */
  #nextOf(queue: Iterable<Waiter>): Waiter | "later" | "holdsUpAll" {
    for (const waiter of queue) {
      if (this.#fits(waiter.room, waiter.bytes, this.#waiting - 1)) return waiter;
      if (this.#holdsUpAll(waiter)) return "holdsUpAll";
      if (this.#keepsItsPlace(waiter)) return "later";
    }
    return "later";
  }
}

import type { EndingCall } from "./call-end.js";
import type { Refusals } from "./refusals.js";

/**
 * Bytes that are counted together: those of one connection or, with credentials, those of one
 * principal on one connection.
 */
export interface Room {
  /** Bytes that are reserved or in use. */
  bytes: number;
  /** The room of the principal on all connections; `undefined` without credentials. */
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
   * Largest reservation that never waits for room, unless its principal would have more than twice
   * its limit.
   */
  readonly smallBytes: number;
  /**
   * Maximum number of calls that may wait. A principal or, without credentials, a connection with
   * few such calls may exceed it.
   */
  readonly waitingCalls: number;
  /**
   * Maximum number of bytes for which the calls of one connection wait; with credentials, those of
   * one principal. One call may always wait.
   */
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
 * Counts the bytes that calls reserve or use, for each connection, for each principal and for all
 * together. Each call reserves its largest size first. Afterwards it keeps only the bytes that it
 * needs. Calls that wait for room take RAM too. This RAM counts, up to a quarter of all room.
 *
 * The waiting calls of a principal start in order of arrival, unless a call lets later calls pass
 * (`#keepsItsPlace`). The principals take turns. Calls without credentials count as those of one
 * principal, without a limit of its own. A waiting call with a claim (`#hasClaim`) may hold up
 * later calls, and stalled calls may be reset to make room for it.
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
   * Number of waiting calls, and the bytes they need: for each principal or, without credentials,
   * for each connection.
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
   * Bytes that other connections must free so that the first waiting call with a claim to them (see
   * `#hasClaimToAll`) can start; 0 if no such call waits.
   */
  get neededBytes(): number {
    for (const queue of this.#queues.values())
      for (const waiter of queue)
        if (this.#hasClaimToAll(waiter))
          return this.#bytes + waiter.bytes - this.#roomBesides(this.#waiting - 1);
    return 0;
  }

  /**
   * Yields each principal whose limit keeps its first waiting call with a claim (see `#hasClaim`)
   * from starting. With it, yields the bytes that the other calls of the principal must free first.
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
   * Reserves room for a call that has not begun, as `reserve` does.
   *
   * When `waitingCalls` calls wait, a further call may wait only if its principal, or without
   * credentials its connection, has less than its share of the waiting calls. So no caller takes
   * all places. A connection also has a limit of the bytes for which its calls wait.
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
    if (room.principal !== undefined) room.principal.bytes += bytes;
    this.#bytes += bytes;
    if (bytes < 0) this.#startWaiters();
  }

  #mustWait(room: Room, bytes: number): boolean {
    const isSmall = bytes <= this.#limits.smallBytes;
    return (!isSmall && this.#isHeldUp(room)) || !this.#fits(room, bytes, this.#waiting);
  }

  /**
   * Whether a waiting call of the same principal, or of another principal, holds up a later call.
   */
  #isHeldUp({ principal }: Room): boolean {
    for (const [waiting, queue] of this.#queues)
      for (const waiter of queue)
        if (waiting === principal ? this.#keepsItsPlace(waiter) : this.#holdsUpAll(waiter))
          return true;
    return false;
  }

  /**
   * Whether later calls of the same principal wait until this waiting call starts. Otherwise small
   * calls could keep a large call waiting for ever. A call that needs more than half of all room of
   * its principal does not hold up later calls: they would wait until nearly all room is free.
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
   * Whether a waiting call has a claim to the room of other connections of its principal. A
   * connection that uses more than half of its own limit has no claim.
   */
  #hasClaim({ room, bytes }: Waiter): boolean {
    return room.bytes <= this.#limits.connectionBytes / 2 && this.#fitsConnection(room, bytes);
  }

  /**
   * Whether a waiting call has a claim to the room of other principals too. A principal that uses
   * more than half of its own limit has no claim.
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
   * Whether the principal, or without credentials the connection, has its share of the waiting
   * calls, or too few waiting bytes left for this call.
   */
  #hasItsShare(room: Room, bytes: number): boolean {
    const { waitingCalls, connectionWaitingBytes } = this.#limits;
    const waiting = this.#waitingOf.get(room.principal ?? room) ?? { count: 0, bytes: 0 };
    if (waiting.count > 0 && waiting.bytes + bytes > connectionWaitingBytes) return true;
    if (this.#waiting < waitingCalls) return false;
    return waiting.count >= waitingCalls / this.#waitingOf.size;
  }

  /**
   * Whether bytes fit beside the reserved bytes and the RAM of `waiting` waiting calls. A small
   * reservation fits unless its principal would have more than twice its limit.
   */
  #fits(room: Room, bytes: number, waiting: number): boolean {
    const { smallBytes, principalBytes } = this.#limits;
    if (bytes <= smallBytes) return this.#fitsPrincipal(room, bytes, 2 * principalBytes);
    const fitsAll = this.#bytes === 0 || this.#bytes + bytes <= this.#roomBesides(waiting);
    return fitsAll && this.#fitsPrincipal(room, bytes) && this.#fitsConnection(room, bytes);
  }

  /** Returns the room that calls can reserve, in bytes, while `waiting` calls wait. */
  #roomBesides(waiting: number): number {
    const { bytes, waitingCallBytes } = this.#limits;
    return bytes - Math.min(waiting * waitingCallBytes, bytes / 4);
  }

  #fitsPrincipal({ principal }: Room, bytes: number, limit = this.#limits.principalBytes): boolean {
    // A call that needs more than the room of its principal gets that room alone.
    return principal === undefined || principal.bytes === 0 || principal.bytes + bytes <= limit;
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

  /** Starts waiting calls. Principals take turns: after each start, the next principal follows. */
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

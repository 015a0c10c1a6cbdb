import type { EndingCall } from "./call-end.js";
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
 * Counts the bytes of replies that wait for their reader, of each connection and of all. A reply
 * reserves its largest size before it is made. It keeps what it turns out to need until it is read.
 */
export class ReplyBuffer {
  readonly #limits: TrafficLimits;
  /** In the order of their calls. */
  readonly #waiters = new Set<Waiter>();
  #bytes = 0;

  constructor(limits: TrafficLimits) {
    this.#limits = limits;
  }

  /** Bytes of all connections. */
  get bytes(): number {
    return this.#bytes;
  }

  /**
   * Bytes that a reply waits for because of other connections; 0 if none does. A connection that
   * holds more than half of what it may hold has no claim to the room of others.
   */
  get neededBytes(): number {
    for (const { room, bytes } of this.#waiters)
      if (room.bytes <= this.#limits.connectionReplyBytes / 2 && this.#fitsConnection(room, bytes))
        return this.#bytes + bytes - this.#limits.replyBytes;
    return 0;
  }

  /**
   * Reserves room. Returns a promise only if there is none yet.
   *
   * @throws the reason of its end when the call ends while it waits, as a rejection
   */
  reserve(room: ReplyRoom, bytes: number, call: EndingCall): Promise<void> | undefined {
    if (bytes > this.#limits.smallReplyBytes && !this.#fits(room, bytes))
      return this.#wait(room, bytes, call);
    this.change(room, bytes);
    return undefined;
  }

  /** Counts a change of a reservation. More than there is room for is counted too. */
  change(room: ReplyRoom, bytes: number): void {
    room.bytes += bytes;
    this.#bytes += bytes;
    if (bytes < 0) this.#startWaiters();
  }

  #fits(room: ReplyRoom, bytes: number): boolean {
    return this.#fitsConnection(room, bytes) && this.#bytes + bytes <= this.#limits.replyBytes;
  }

  #fitsConnection(room: ReplyRoom, bytes: number): boolean {
    // A reply larger than all of the room gets it alone.
    return room.bytes === 0 || room.bytes + bytes <= this.#limits.connectionReplyBytes;
  }

  #wait(room: ReplyRoom, bytes: number, call: EndingCall): Promise<void> {
    return new Promise((resolve, reject) => {
      const start = (): void => {
        stopListening();
        this.#waiters.delete(waiter);
        this.change(room, bytes);
        resolve();
      };
      const stopListening = call.onEnd((reason) => {
        this.#waiters.delete(waiter);
        reject(reason);
      });
      const waiter: Waiter = { room, bytes, start };
      this.#waiters.add(waiter);
    });
  }

  #startWaiters(): void {
    for (const waiter of this.#waiters) if (this.#fits(waiter.room, waiter.bytes)) waiter.start();
  }
}

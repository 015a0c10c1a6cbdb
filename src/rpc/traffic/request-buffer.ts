import { ByteBudget, type Room } from "./byte-budget.js";
import type { Refusals } from "./refusals.js";
import type { TrafficLimits } from "./traffic-limits.js";

/** The bytes of the requests of one connection. */
export interface RequestRoom {
  readonly small: Room;
  readonly large: Room;
}

/**
 * Counts the bytes of requests, for each connection and for all together.
 *
 * Three quarters of the room are for large messages. A large message waits for room for all of its
 * bytes before more of it is read. So no message holds a part of its room while it waits, and
 * waiting messages never block each other. The other quarter is for small messages, which are
 * counted as they arrive. So large messages leave room for small ones. A small message without room
 * counts as large.
 */
export class RequestBuffer {
  readonly limits: TrafficLimits;
  /** The room for large messages. */
  readonly large: ByteBudget;
  #smallBytes = 0;

  constructor(
    limits: TrafficLimits,
    /** Refuses the messages for which no room came in time. */
    readonly refusals: Refusals,
  ) {
    const { requestBytes, connectionRequestBytes, waitingRequestBytes, smallRequestBytes } = limits;
    this.limits = limits;
    const largeLimits = {
      bytes: (requestBytes * 3) / 4,
      connectionBytes: Math.min(connectionRequestBytes, requestBytes / 4),
      principalBytes: Infinity,
      smallBytes: 0,
      // The bytes that have arrived of waiting requests take at most half of the room for small
      // messages.
      waitingCalls: Math.max(1, Math.floor(requestBytes / 8 / smallRequestBytes)),
      connectionWaitingBytes: waitingRequestBytes,
      // For each waiting request, Node buffers up to a flow-control window of further data.
      waitingCallBytes: smallRequestBytes,
      wait: "wait for room for their requests",
    };
    this.large = new ByteBudget(largeLimits, refusals);
  }

  /** Bytes of all connections: received or reserved, and not yet released. */
  get bytes(): number {
    return this.#smallBytes + this.large.bytes;
  }

  /** Whether more bytes of small messages fit. One connection may take half of the room. */
  fitsSmall({ small }: RequestRoom, bytes: number): boolean {
    const limit = this.limits.requestBytes / 4;
    return this.#smallBytes + bytes <= limit && small.bytes + bytes <= limit / 2;
  }

  /** Changes the bytes of small messages, even if there is no room for the change. */
  changeSmall({ small }: RequestRoom, bytes: number): void {
    small.bytes += bytes;
    this.#smallBytes += bytes;
  }
}

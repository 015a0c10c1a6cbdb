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
 * Three quarters of `requestBytes` are for large messages. A large message reserves all of its
 * bytes at once, and is not read further until it has them. So no message holds a part of its bytes
 * while it waits for the rest, and waiting messages never block each other.
 *
 * The last quarter is for small messages, so that large ones cannot use up everything. Small
 * messages are counted as they arrive. A small message that does not fit into this quarter counts
 * as large.
 */
export class RequestBuffer {
  readonly limits: TrafficLimits;
  /** The byte budget of large messages. */
  readonly large: ByteBudget;
  #smallBytes = 0;

  constructor(
    limits: TrafficLimits,
    /** Makes the errors of messages that waited too long. */
    readonly refusals: Refusals,
  ) {
    const { requestBytes, connectionRequestBytes, waitingRequestBytes, smallRequestBytes } = limits;
    this.limits = limits;
    const largeLimits = {
      bytes: (requestBytes * 3) / 4,
      connectionBytes: Math.min(connectionRequestBytes, requestBytes / 4),
      principalBytes: Infinity,
      smallBytes: 0,
      // A part of each waiting request has arrived, up to `smallRequestBytes`, and counts as small.
      // These parts together take at most half of the bytes for small messages.
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

  /**
   * Whether more bytes of small messages fit. One connection may take half of the bytes for small
   * messages.
   */
  fitsSmall({ small }: RequestRoom, bytes: number): boolean {
    const limit = this.limits.requestBytes / 4;
    return this.#smallBytes + bytes <= limit && small.bytes + bytes <= limit / 2;
  }

  /** Changes the number of bytes of small messages, even if it then exceeds the limit. */
  changeSmall({ small }: RequestRoom, bytes: number): void {
    small.bytes += bytes;
    this.#smallBytes += bytes;
  }
}

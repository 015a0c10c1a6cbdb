import type { TrafficLimits } from "./traffic-limits.js";

/** Resets and given-up calls are counted within this time, in milliseconds. */
export const countedMs = 10_000;

/**
 * Time for which an address gets no connection after it or one of its connections exceeded
 * `givenUpCalls` or `resets`.
 */
const barredMs = 10_000;

/** Counts what all clients of one address use together, such as connections and open calls. */
export class ClientUse {
  /** Number of open connections. */
  connections = 0;
  /** Number of open calls. */
  openCalls = 0;
  readonly #isForwarder: boolean;
  #givenUp = 0;
  #windowEndsMs = 0;
  #waitsUntilMs = 0;

  /** @param isForwarder whether many clients call through the address, so that it has no limits */
  constructor(isForwarder: boolean) {
    this.#isForwarder = isForwarder;
  }

  /** Whether the limits of an address apply. */
  isLimited({ connectionsPerAddress }: TrafficLimits): boolean {
    return connectionsPerAddress > 0 && !this.#isForwarder;
  }

  /** Whether the address gets no connection for now. */
  isBarred(nowMs: number): boolean {
    return nowMs < this.#waitsUntilMs;
  }

  /** Refuses further connections of the address for a while. */
  bar(nowMs: number): void {
    this.#waitsUntilMs = nowMs + barredMs;
  }

  /**
   * Counts a call that the client gave up (see `Connections.countGivenUp`). Returns whether there
   * are too many such calls.
   */
  countGivenUp(givenUpCalls: number, nowMs: number): boolean {
    if (nowMs >= this.#windowEndsMs) {
      this.#windowEndsMs = nowMs + countedMs;
      this.#givenUp = 0;
    }
    this.#givenUp++;
    return this.#givenUp > givenUpCalls;
  }

  /** Whether the server can forget the address. */
  isIdle(nowMs: number): boolean {
    return this.connections === 0 && nowMs >= Math.max(this.#waitsUntilMs, this.#windowEndsMs);
  }
}

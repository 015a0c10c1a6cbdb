import type { TrafficLimits } from "./traffic-limits.js";

/** Resets and given-up calls are counted within this time, in milliseconds. */
export const countedMs = 10_000;

/** Time for which a barred address gets no connection. */
const barredMs = 10_000;

/** Offences are counted within this time, in milliseconds. */
const offencesMs = 60_000;

/** Counts what all clients of one address use together, such as connections and open calls. */
export class ClientUse {
  /** Number of open connections. */
  connections = 0;
  /** Number of open calls. */
  openCalls = 0;
  /** Number of open connections that have made a call with valid credentials. */
  known = 0;
  readonly #isForwarder: boolean;
  readonly #isLoopback: boolean;
  #offencesAtMs: number[] = [];
  #givenUp = 0;
  #windowEndsMs = 0;
  #waitsUntilMs = 0;

  /**
   * @param isForwarder whether many clients call through the address, so that it has no limits
   * @param isLoopback whether the address is this machine
   */
  constructor(isForwarder: boolean, isLoopback: boolean) {
    this.#isForwarder = isForwarder;
    this.#isLoopback = isLoopback;
  }

  /** Whether the limits of an address apply. */
  isLimited({ connectionsPerAddress }: TrafficLimits): boolean {
    return connectionsPerAddress > 0 && !this.#isForwarder;
  }

  /** Whether the address gets no connection for now. */
  isBarred(nowMs: number): boolean {
    return nowMs < this.#waitsUntilMs;
  }

  /**
   * Counts a connection that the server closes because its client, or its address, exceeded a
   * limit. After several of them, the address gets no connection for a while. This machine and
   * addresses with a known caller always get connections: one faulty client must not lock out the
   * others.
   */
  countOffence({ offences, barsLoopback }: TrafficLimits, nowMs: number): void {
    this.#offencesAtMs = this.#offencesAtMs.filter((atMs) => atMs > nowMs - offencesMs);
    this.#offencesAtMs.push(nowMs);
    const isSpared = this.known > 0 || (this.#isLoopback && !barsLoopback);
    if (this.#offencesAtMs.length >= offences && !isSpared) this.#waitsUntilMs = nowMs + barredMs;
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
    const countsUntilMs = (this.#offencesAtMs.at(-1) ?? -Infinity) + offencesMs;
    const untilMs = Math.max(this.#waitsUntilMs, this.#windowEndsMs, countsUntilMs);
    return this.connections === 0 && nowMs >= untilMs;
  }
}

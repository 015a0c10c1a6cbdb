import { VademecumError } from "../../../core/model/errors.js";
import type { Clock } from "../../../core/ports/clock.js";
import type { Log } from "../../../core/ports/log.js";

/** A greater difference is logged, in milliseconds. */
const warnedMs = 1_000;

/** With a greater difference, the server refuses calls, in milliseconds. */
const refusedMs = 30_000;

/**
 * Compares the machine's clock with that of PostgreSQL. All servers of a database have only this
 * clock in common.
 */
export class ClockDifference {
  #aheadMs = 0;
  #isLogged = false;

  /**
   * @param onChange called when calls begin to be refused, and when they are no longer refused
   */
  constructor(
    private readonly machine: Clock,
    private readonly log: Log,
    private readonly onChange: () => void,
  ) {}

  /**
   * Milliseconds by which the machine's clock was ahead of PostgreSQL's at the last comparison, at
   * least. Negative: the machine's clock was behind. 0: no difference was seen.
   */
  get aheadMs(): number {
    return this.#aheadMs;
  }

  /** Whether the clocks differ so much that calls are refused. */
  get isTooGreat(): boolean {
    return Math.abs(this.#aheadMs) > refusedMs;
  }

  /**
   * Compares the clocks.
   *
   * @param readDatabaseMs asks PostgreSQL for its time. The machine's clock is read before and
   *   after, so the time that the answer takes never counts as a difference
   */
  async compare<T extends { readonly now_ms: number }>(
    readDatabaseMs: () => Promise<T>,
  ): Promise<T> {
    const before = this.machine.nowMs();
    const answer = await readDatabaseMs();
    const after = this.machine.nowMs();
    const { now_ms } = answer;
    this.#note(Math.max(0, before - now_ms) - Math.max(0, now_ms - after));
    return answer;
  }

  /** @throws UNAVAILABLE (CLOCK_DIFFERS) when the clocks differ by more than 30 seconds */
  requireClose(): void {
    if (!this.isTooGreat) return;
    throw new VademecumError(
      "UNAVAILABLE",
      "CLOCK_DIFFERS",
      `the clock of this server is ${describe(this.#aheadMs)} that of PostgreSQL; at most ` +
        `${refusedMs / 1000} seconds are allowed, so the server refuses calls. Set both clocks ` +
        "right, with NTP; the server then serves again by itself",
      { retryAfterMs: 1_000 },
    );
  }

  #note(aheadMs: number): void {
    const wasTooGreat = this.isTooGreat;
    this.#aheadMs = aheadMs;
    const isGreat = Math.abs(aheadMs) > warnedMs;
    if (isGreat && (!this.#isLogged || this.isTooGreat !== wasTooGreat))
      this.log(
        this.isTooGreat ? "error" : "warn",
        `the machine's clock is ${describe(aheadMs)} that of PostgreSQL` +
          (this.isTooGreat ? "; calls are refused until the clocks agree" : ""),
        { aheadMs },
      );
    if (!isGreat && this.#isLogged) this.log("info", "the clocks agree again", { aheadMs });
    this.#isLogged = isGreat;
    if (this.isTooGreat !== wasTooGreat) this.onChange();
  }
}

function describe(aheadMs: number): string {
  const seconds = Math.abs(aheadMs / 1000).toFixed(1);
  return `${seconds} seconds ${aheadMs > 0 ? "ahead of" : "behind"}`;
}

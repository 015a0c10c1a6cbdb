import type { EndedCall } from "../ports/ended-call.js";
import { DurationCounts } from "./call-durations.js";

/** The calls of one method that ended with one code, since the server was started. */
export interface MethodCount {
  /** Path of the RPC. */
  readonly path: string;
  readonly code: string;
  readonly calls: number;
  /** Sum of their durations. */
  readonly durationMs: number;
}

/** The totals of all calls at one moment. Compact, because many are kept. */
export interface CallTotalsAt {
  readonly calls: Float64Array;
  readonly durationsMs: Float64Array;
  /** Number of calls by duration, see `durationBoundsMs`. Watches do not count. */
  readonly durationCounts: Float64Array;
}

interface Series {
  readonly path: string;
  readonly code: string;
  calls: number;
  durationMs: number;
}

/** Counts calls by method and code. The counts only grow. */
export class CallTotals {
  /** In the order of their first calls. A list at an earlier moment is the beginning of this. */
  readonly #all: Series[] = [];
  readonly #byName = new Map<string, Series>();
  readonly #durations = new DurationCounts();

  note({ path, code, durationMs, mayLast }: EndedCall): void {
    const name = `${path} ${code}`;
    const known = this.#byName.get(name);
    const series = known ?? { path, code, calls: 0, durationMs: 0 };
    if (known === undefined) {
      this.#byName.set(name, series);
      this.#all.push(series);
    }
    series.calls += 1;
    series.durationMs += durationMs;
    if (!mayLast) this.#durations.add(durationMs);
  }

  now(): CallTotalsAt {
    return {
      calls: Float64Array.from(this.#all, ({ calls }) => calls),
      durationsMs: Float64Array.from(this.#all, ({ durationMs }) => durationMs),
      durationCounts: this.#durations.counts.slice(),
    };
  }

  /** Returns the totals with the names of their methods. */
  methodsOf({ calls, durationsMs }: CallTotalsAt): readonly MethodCount[] {
    return this.#all.slice(0, calls.length).map(({ path, code }, at) => ({
      ...{ path, code, calls: calls[at] ?? 0, durationMs: durationsMs[at] ?? 0 },
    }));
  }
}

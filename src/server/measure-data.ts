import { millisOfInstant } from "../core/model/instant.js";
import { type Call, endlessCall } from "../core/ports/call.js";
import type { Clock } from "../core/ports/clock.js";
import type { Log } from "../core/ports/log.js";
import type { Meter } from "../core/ports/meter.js";
import type { Timer } from "../core/ports/timer.js";
import type { CountedProposals } from "../core/proposals/service.js";

/** The time between two measurements, in milliseconds. */
const intervalMs = 60_000;

/** What a measurement of the data needs. */
export interface DataMeasurement {
  /** Counts the pending proposals of each tenant that has data. */
  readonly countProposals: (
    call: Call,
  ) => AsyncIterable<Pick<CountedProposals, "total" | "oldestTime"> & { readonly tenant: string }>;
  /** Returns the size of the data folder; `undefined` if there is none. */
  readonly dataBytes: () => Promise<number | undefined>;
  /**
   * Returns when the last backup of the tenant ended for which this is longest ago, or when the
   * server was started.
   */
  readonly lastBackupMs: (tenants: readonly string[]) => number;
  readonly clock: Clock;
  readonly timer: Pick<Timer, "after">;
  readonly meter: Meter;
  readonly log: Log;
}

/** A measurement that repeats. */
export interface Measuring {
  /** Begins no further measurement. Resolves when none is running. */
  stop(): Promise<void>;
}

/**
 * Measures the size of the data folder, the age of its last backup, the number of pending proposals
 * and the age of the oldest, immediately and then every minute. A measurement reads all pending
 * proposals, in small steps.
 */
export function measureData(parts: DataMeasurement): Measuring {
  const { countProposals, dataBytes, lastBackupMs, clock, timer, meter, log } = parts;
  const stopping = new AbortController();
  const { signal } = stopping;
  const call: Call = { ...endlessCall, signal, throwIfEnded: () => signal.throwIfAborted() };
  let cancelNext: () => void = () => undefined;
  const measure = async (): Promise<void> => {
    try {
      const bytes = await dataBytes();
      if (bytes !== undefined) {
        meter("dataBytes", bytes);
      }
      const tenants: string[] = [];
      let pending = 0;
      let oldestMs = Number.POSITIVE_INFINITY;
      for await (const { tenant, total, oldestTime } of countProposals(call)) {
        tenants.push(tenant);
        pending += total;
        if (oldestTime !== undefined) oldestMs = Math.min(oldestMs, millisOfInstant(oldestTime));
      }
      const backupMs = lastBackupMs(tenants.length > 0 ? tenants : [""]);
      if (bytes !== undefined)
        meter("backupAgeSeconds", Math.max(0, (clock.nowMs() - backupMs) / 1000));
      meter("proposalsPending", pending);
      const ageMs = oldestMs === Number.POSITIVE_INFINITY ? 0 : clock.nowMs() - oldestMs;
      meter("oldestProposalSeconds", Math.max(0, ageMs / 1000));
    } catch (error) {
      if (!signal.aborted) log("warn", "cannot measure the data", { error });
    }
    if (!signal.aborted) cancelNext = timer.after(intervalMs, begin);
  };
  let current = measure();
  function begin(): void {
    current = measure();
  }
  return {
    stop() {
      stopping.abort();
      cancelNext();
      return current;
    },
  };
}

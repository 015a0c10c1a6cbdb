import { performance } from "node:perf_hooks";
import { withCallers } from "../harness/callers.js";
import { percentile } from "../harness/cost.js";
import type { Provider } from "./providers.js";

/** Concurrent callers. Each caller waits for its call to end before it makes the next call. */
export interface Load {
  readonly callers: number;
  /** The calls go to these users in turn. */
  readonly users: number;
  readonly calls: number;
}

/** Costs of the calls of a load. */
export interface Figures {
  readonly perSecond: number;
  readonly medianMs: number;
  /** CPU time of this process for each call, over all threads. */
  readonly cpuMicros: number;
  /** CPU time of PostgreSQL for each call; 0 with `level`. */
  readonly databaseMicros: number;
}

/** Runs the calls of a load. `call` gets the number of the call and of its user. */
export async function measure(
  provider: Provider,
  { callers, users, calls }: Load,
  call: (index: number, user: number) => Promise<unknown>,
): Promise<Figures> {
  globalThis.gc?.();
  const durations: number[] = [];
  // Reading the CPU time of the database costs CPU time, so it comes before the measurement.
  const databaseMicros = provider.databaseCpuMicros();
  const cpu = process.cpuUsage();
  const beganMs = performance.now();
  await withCallers(callers, Array(calls).keys(), async (index) => {
    const callMs = performance.now();
    await call(index, index % users);
    durations.push(performance.now() - callMs);
  });
  const seconds = (performance.now() - beganMs) / 1_000;
  const { user, system } = process.cpuUsage(cpu);
  return {
    perSecond: calls / seconds,
    medianMs: percentile(durations, 50),
    cpuMicros: (user + system) / calls,
    databaseMicros: (provider.databaseCpuMicros() - databaseMicros) / calls,
  };
}

/** Returns the median of each figure. */
export function medianOf(figures: readonly Figures[]): Figures {
  const median = (name: keyof Figures): number =>
    percentile(
      figures.map((figure) => figure[name]),
      50,
    );
  return {
    perSecond: median("perSecond"),
    medianMs: median("medianMs"),
    cpuMicros: median("cpuMicros"),
    databaseMicros: median("databaseMicros"),
  };
}

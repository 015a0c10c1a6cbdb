import type { Jobs } from "../jobs/jobs.js";
import type { Clock } from "../ports/clock.js";
import type { CallObserver } from "../ports/ended-call.js";
import type { Meter } from "../ports/meter.js";
import { CallTotals } from "./call-totals.js";
import type { ServerHistory, ServerSample } from "./server-history.js";
import type { ServerFacts, ServerGauges } from "./service.js";
import { SlowCalls } from "./slow-calls.js";

/** What learns of the calls and the figures of a server. */
interface Observation {
  readonly observe: CallObserver;
  readonly meter: Meter;
}

/** Notes what a server does, for its operators. One for all tenants. */
export class ServerMonitor {
  readonly slowCalls: SlowCalls;
  readonly totals = new CallTotals();
  #commits = 0;
  #syncMs = 0;
  #freeBytes: number | undefined;

  /** @param nowMs milliseconds since 1970 */
  constructor(nowMs: () => number) {
    this.slowCalls = new SlowCalls(nowMs);
  }

  /** Transactions that were written since the start, and the time for writing and syncing them. */
  get written(): { readonly commits: number; readonly syncMs: number } {
    return { commits: this.#commits, syncMs: this.#syncMs };
  }

  /** Free space for the data folder, as last measured. `undefined`: it is not measured. */
  get freeBytes(): number | undefined {
    return this.#freeBytes;
  }

  /** Returns an observer and a meter that note calls and figures here, and pass them on. */
  before({ observe, meter }: Observation): Observation {
    return {
      observe: (call) => {
        this.slowCalls.note(call);
        this.totals.note(call);
        observe(call);
      },
      meter: (figure, value, kind) => {
        if (figure === "diskFreeBytes") this.#freeBytes = value;
        else if (figure === "groupTransactions") this.#commits += value;
        else if (figure === "groupSeconds") this.#syncMs += 1000 * value;
        meter(figure, value, kind);
      },
    };
  }
}

/** A server with everything that is known of it. */
export interface MonitoredServer {
  readonly facts: ServerFacts;
  readonly monitor: ServerMonitor;
  readonly jobs: Jobs;
  readonly gauges: ServerGauges;
  readonly history: ServerHistory;
}

/** Takes a sample of a server. */
export async function takeSample(
  { monitor, gauges }: Pick<MonitoredServer, "monitor" | "gauges">,
  clock: Clock,
): Promise<ServerSample> {
  const dataBytes = await gauges.dataBytes();
  const { bytes: indexBytes, collections: hotCollections } = gauges.indexes();
  return {
    timeMs: clock.nowMs(),
    ...monitor.totals.now(),
    ...monitor.written,
    ...{ indexBytes, hotCollections, dataBytes, freeBytes: monitor.freeBytes },
    residentBytes: gauges.residentBytes(),
    openCalls: gauges.openCalls(),
    loopDelayMs: gauges.loopDelayMs(),
  };
}

import type { Jobs } from "../jobs/jobs.js";
import type { CallObserver } from "../ports/ended-call.js";
import type { Meter } from "../ports/meter.js";
import { LastMinute } from "./last-minute.js";
import type { ServerFacts, ServerGauges } from "./service.js";

/** What learns of the calls and the figures of a server. */
interface Observation {
  readonly observe: CallObserver;
  readonly meter: Meter;
}

/** Notes what a server does, for its operators. One for all tenants. */
export class ServerMonitor {
  readonly lastMinute: LastMinute;
  #freeBytes: number | undefined;

  /** @param monotonicMs milliseconds of a clock that never jumps */
  constructor(monotonicMs: () => number) {
    this.lastMinute = new LastMinute(monotonicMs);
  }

  /** Free space for the data folder, as last measured. `undefined`: it is not measured. */
  get freeBytes(): number | undefined {
    return this.#freeBytes;
  }

  /** Returns an observer and a meter that note calls and figures here, and pass them on. */
  before({ observe, meter }: Observation): Observation {
    return {
      observe: (call) => {
        this.lastMinute.note(call);
        observe(call);
      },
      meter: (figure, value, kind) => {
        if (figure === "diskFreeBytes") this.#freeBytes = value;
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
}

import { Counter, Gauge, Histogram, type Registry } from "prom-client";
import type { Figure, Meter } from "../core/ports/meter.js";

/** How a figure is shown. Names have the prefix `vademecum_`. */
interface Instrument {
  readonly type: "counter" | "gauge" | "histogram";
  readonly name: string;
  readonly help: string;
  /** Name of the label for the kind of the figure. Absent: the figure has no kinds. */
  readonly label?: string;
  /** Upper bounds of the buckets of a histogram. */
  readonly buckets?: readonly number[];
}

const syncSeconds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5];

/** The instrument of each figure. */
export const instruments: Readonly<Record<Figure, Instrument>> = {
  groupTransactions: {
    type: "histogram",
    name: "store_group_transactions",
    help: "Transactions that were written and synced together.",
    buckets: [1, 2, 4, 8, 16, 32, 64, 128, 256, 512],
  },
  groupSeconds: {
    type: "histogram",
    name: "store_group_sync_seconds",
    help: "Time to write and sync a group of transactions.",
    buckets: syncSeconds,
  },
  diskFreeBytes: {
    type: "gauge",
    name: "disk_free_bytes",
    help: "Free space for the data folder. Below 128 MiB, writes that add data are refused.",
  },
  dataBytes: {
    type: "gauge",
    name: "data_bytes",
    help: "Size of all files in the data folder. Measured every minute.",
  },
  indexHits: {
    type: "counter",
    name: "index_hits_total",
    help: "Reads that found their index in RAM. Reads of a namespace at the same time count once.",
  },
  indexLoads: {
    type: "counter",
    name: "index_loads_total",
    help: "Indexes that were brought into RAM, from an image or from the records.",
    label: "from",
  },
  indexEvictions: {
    type: "counter",
    name: "index_evictions_total",
    help: "Indexes that left the RAM because of --index-max-bytes.",
  },
  proposalsPending: {
    type: "gauge",
    name: "proposals_pending",
    help: "Proposals that wait for a decision. Measured every minute.",
  },
  oldestProposalSeconds: {
    type: "gauge",
    name: "oldest_proposal_seconds",
    help: "Age of the oldest proposal that waits for a decision; 0 if none does.",
  },
  backupAgeSeconds: {
    type: "gauge",
    name: "backup_age_seconds",
    help: "Time since the last complete backup, or since the start. Measured every minute.",
  },
  embedSeconds: {
    type: "histogram",
    name: "embedder_seconds",
    help: "Time for which an embedder worked on the texts of one call.",
    buckets: [0.0001, 0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 30],
  },
  embedFailures: {
    type: "counter",
    name: "embedder_failures_total",
    help: "Calls of an embedder that failed.",
  },
  prunedRecords: {
    type: "counter",
    name: "pruned_records_total",
    help: "Records that pruning removed, such as expired memories.",
    label: "records",
  },
  searchHits: {
    type: "histogram",
    name: "search_hits",
    help: "Hits that a search returned. The bucket 0 counts empty results.",
    buckets: [0, 1, 2, 5, 10, 20, 50, 100, 1000],
  },
  searchOmitted: {
    type: "counter",
    name: "search_omitted_total",
    help: "Matches that did not fit into the budget or the limit of their search.",
  },
  credentialsStale: {
    type: "gauge",
    name: "credentials_stale",
    help: "1 while a changed file of credentials or certificates cannot be used, else 0.",
  },
  auditLost: {
    type: "counter",
    name: "audit_lost_total",
    help: "Lines of the audit trail that could not be written.",
  },
  webhookRequests: {
    type: "counter",
    name: "webhook_requests_total",
    help: "Requests to the receiver of webhooks, by outcome: taken or failed.",
    label: "outcome",
  },
  webhookFailing: {
    type: "gauge",
    name: "webhook_failing",
    help: "1 while the receiver of webhooks takes nothing, else 0.",
  },
  webhookUsersPending: {
    type: "gauge",
    name: "webhook_users_pending",
    help: "Users with changes for which the receiver of webhooks has taken no message yet.",
  },
  webhookLost: {
    type: "counter",
    name: "webhook_lost_total",
    help: "Times that changes of a user were lost before the receiver of webhooks had them.",
  },
};

/** Creates the instruments in a registry. Returns the meter that feeds them. */
export function createMeter(registry: Registry): Meter {
  const notes = Object.fromEntries(
    Object.entries(instruments).map(([figure, instrument]) => [
      figure,
      createNote(registry, instrument),
    ]),
  ) as Readonly<Record<Figure, (value: number, kind: string) => void>>;
  return (figure, value, kind = "") => notes[figure](value, kind);
}

function createNote(
  registry: Registry,
  { type, name, help, label, buckets = [] }: Instrument,
): (value: number, kind: string) => void {
  const labelNames = label === undefined ? [] : [label];
  const options = { name: `vademecum_${name}`, help, labelNames, registers: [registry] };
  const labels = (kind: string) => (label === undefined ? {} : { [label]: kind });
  switch (type) {
    case "counter": {
      const counter = new Counter(options);
      return (value, kind) => counter.inc(labels(kind), value);
    }
    case "gauge": {
      // A gauge without a value would show 0, such as 0 bytes of free disk.
      let gauge: Gauge | undefined;
      return (value, kind) => {
        gauge ??= new Gauge(options);
        gauge.set(labels(kind), value);
      };
    }
    case "histogram": {
      const histogram = new Histogram({ ...options, buckets: [...buckets] });
      return (value, kind) => histogram.observe(labels(kind), value);
    }
  }
}

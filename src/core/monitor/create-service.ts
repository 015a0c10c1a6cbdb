import type { Job, Jobs } from "../jobs/jobs.js";
import { VademecumError } from "../model/errors.js";
import type { ListAuditLines } from "../ports/audit.js";
import type { Call } from "../ports/call.js";
import type { Clock } from "../ports/clock.js";
import type { Store } from "../ports/store.js";
import type { Timer } from "../ports/timer.js";
import { watchesStopped } from "../requests/wake-ups.js";
import { ratesOf } from "./call-rates.js";
import { type MonitoredServer, takeSample } from "./server-monitor.js";
import type { ServerService, WatchedSample } from "./service.js";

/** How often a watch looks for changes of jobs. */
const jobsIntervalMs = 1000;

/** The server, and the data of one tenant. */
export interface ServerServiceParts extends MonitoredServer {
  readonly store: Store;
  readonly clock: Clock;
  readonly timer: Timer;
  /** Lists lines of the audit trail. Absent: the server keeps none. */
  readonly listAuditLines?: ListAuditLines | undefined;
}

/** Creates the view of a server for the operators of one tenant. */
export function createServerService(parts: ServerServiceParts): ServerService {
  const { facts, monitor, jobs, gauges, history, store, clock, timer, listAuditLines } = parts;
  const tenant = store.tenant ?? "";
  const stopping = new AbortController();
  const pause: Pause = (ms, call) => wait(timer, ms, call, stopping.signal);
  return {
    async status() {
      const nowMs = clock.nowMs();
      const minute = { nowMs, startMs: facts.startMs, samples: history.samples };
      const { bytes: indexBytes, collections: hotCollections } = gauges.indexes();
      return {
        ...facts,
        nowMs,
        writes: gauges.writes(),
        residentBytes: gauges.residentBytes(),
        dataBytes: await gauges.dataBytes(),
        freeBytes: monitor.freeBytes,
        ...{ indexBytes, hotCollections },
        lastMinute: ratesOf(monitor.totals, minute),
        jobs: jobs.running(tenant),
        pendingProposals: await countPending(store),
        held: await store.totals(),
        lastBackupMs: jobs.lastDoneMs(tenant, "BACKUP"),
        lastPruneMs: jobs.lastDoneMs(tenant, "PRUNE"),
        webhook: gauges.webhook(),
      };
    },
    watch: (intervalMs, call) => watchServer({ ...parts, pause }, intervalMs, call),
    async auditLines(query, call) {
      if (listAuditLines === undefined) throw noAuditTrail();
      return listAuditLines({ ...query, tenant }, call);
    },
    slowCalls: (query) => monitor.slowCalls.list(tenant, query),
    watchJobs: (heartbeatMs, call) => watchJobs({ jobs, tenant, pause, heartbeatMs }, call),
    stopWatches: () => stopping.abort(),
    cancelJob: (id) => jobs.cancel(tenant, id),
  };
}

function noAuditTrail(): VademecumError {
  return new VademecumError(
    "FAILED_PRECONDITION",
    "NO_AUDIT_TRAIL",
    "the server keeps no audit trail; start it with --audit changes, or denied or all",
  );
}

/** Waits. Throws the error of the call if the call or all watches end meanwhile. */
type Pause = (ms: number, call: Call) => Promise<void>;

async function* watchServer(
  parts: ServerServiceParts & { readonly pause: Pause },
  intervalMs: number,
  call: Call,
): AsyncGenerator<WatchedSample> {
  const { monitor, history, clock, pause } = parts;
  for (const sample of history.samples)
    yield { sample, methods: monitor.totals.methodsOf(sample), isEarlier: true };
  for (;;) {
    const sample = await takeSample(parts, clock);
    call.throwIfEnded();
    yield { sample, methods: monitor.totals.methodsOf(sample), isEarlier: false };
    await pause(intervalMs, call);
  }
}

interface WatchedJobs {
  readonly jobs: Jobs;
  readonly tenant: string;
  readonly pause: Pause;
  readonly heartbeatMs: number | undefined;
}

async function* watchJobs(
  { jobs, tenant, pause, heartbeatMs = Number.POSITIVE_INFINITY }: WatchedJobs,
  call: Call,
): AsyncGenerator<readonly Job[]> {
  let sent: ReadonlyMap<string, Job> | undefined;
  let quietMs = 0;
  for (;;) {
    const all = jobs.list(tenant);
    // A job that changes is another object.
    const changed = all.filter((job) => sent?.get(job.id) !== job);
    if (sent === undefined || changed.length > 0 || quietMs >= heartbeatMs) {
      yield changed;
      quietMs = 0;
    }
    sent = new Map(all.map((job) => [job.id, job]));
    await pause(jobsIntervalMs, call);
    quietMs += jobsIntervalMs;
  }
}

async function wait(timer: Timer, ms: number, call: Call, stopping: AbortSignal): Promise<void> {
  const signals = [call.signal, stopping];
  await new Promise<void>((resolve) => {
    const end = (): void => {
      cancel();
      for (const signal of signals) signal.removeEventListener("abort", end);
      resolve();
    };
    const cancel = timer.after(ms, end);
    if (signals.some(({ aborted }) => aborted)) end();
    else for (const signal of signals) signal.addEventListener("abort", end);
  });
  call.throwIfEnded();
  if (stopping.aborted) throw watchesStopped();
}

async function countPending(store: Store): Promise<number> {
  let count = 0;
  for await (const _ of store.acrossUsers("pendingProposals", {})) count += 1;
  return count;
}

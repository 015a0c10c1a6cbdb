import type { Job } from "../jobs/jobs.js";
import type { AuditLine, AuditQuery } from "../ports/audit.js";
import type { Call } from "../ports/call.js";
import type { TenantTotals } from "../ports/usage.js";
import type { WritesState } from "../ports/writes-state.js";
import type { WebhookStatus } from "../webhooks/webhook.js";
import type { CallRates } from "./call-rates.js";
import type { MethodCount } from "./call-totals.js";
import type { ServerSample } from "./server-history.js";
import type { SlowCall, SlowCallsQuery } from "./slow-calls.js";

/** What a server is, and how it was started. */
export interface ServerFacts {
  readonly version: string;
  readonly startMs: number;
  readonly provider: string;
  /** Number of the format of the stored data; 0: nothing is stored. */
  readonly format: number;
  /** The model that makes vectors. Absent: the server makes none. */
  readonly model?: { readonly modelId: string; readonly dimension: number } | undefined;
  readonly hasCredentials: boolean;
  /** The most RAM that indexes may have. */
  readonly indexMaxBytes: number;
}

/** Figures of a server that its adapters know. */
export interface ServerGauges {
  /** Resident memory of the process. */
  residentBytes(): number;
  /** Size of the data folder. `undefined`: there is none. */
  dataBytes(): Promise<number | undefined>;
  writes(): WritesState | "unavailable";
  /** Calls whose replies are not completely sent. */
  openCalls(): number;
  /** See `ServerSample.loopDelayMs`. */
  loopDelayMs(): number;
  /** How deliveries of webhooks do. `undefined`: there are none. */
  webhook(): WebhookStatus | undefined;
  /** RAM of the indexes, and number of collections that have one. */
  indexes(): { readonly bytes: number; readonly collections: number };
}

/** How a server does, as an operator of one tenant may know it. */
export interface ServerStatus extends ServerFacts {
  readonly nowMs: number;
  readonly writes: WritesState | "unavailable";
  readonly residentBytes: number;
  readonly dataBytes?: number | undefined;
  readonly freeBytes?: number | undefined;
  readonly indexBytes: number;
  readonly hotCollections: number;
  readonly lastMinute: CallRates;
  /** The running jobs of the tenant, the newest first. */
  readonly jobs: readonly Job[];
  readonly pendingProposals: number;
  /** What the tenant holds. */
  readonly held: TenantTotals;
  readonly lastBackupMs?: number | undefined;
  readonly lastPruneMs?: number | undefined;
  readonly webhook?: WebhookStatus | undefined;
}

/** What a watch of a server yields. */
export interface WatchedSample {
  readonly sample: ServerSample;
  /** The calls of the sample, by method and code. */
  readonly methods: readonly MethodCount[];
  /** Whether the sample was taken before the watch began. */
  readonly isEarlier: boolean;
}

/** Tells how a server does. */
export interface ServerService {
  status(): Promise<ServerStatus>;
  /**
   * Yields the samples that were kept, and then one sample each interval, until the call ends.
   *
   * @throws UNAVAILABLE (SERVER_STOPPING) when the server stops
   */
  watch(intervalMs: number, call: Call): AsyncIterable<WatchedSample>;
  /**
   * Lists lines of the audit trail about calls of the tenant, the newest first.
   *
   * @throws FAILED_PRECONDITION (NO_AUDIT_TRAIL) when the server keeps no trail
   */
  auditLines(query: Omit<AuditQuery, "tenant">, call: Call): Promise<readonly AuditLine[]>;
  /** Lists the slowest of the last calls of the tenant, the slowest first. */
  slowCalls(query: SlowCallsQuery): readonly SlowCall[];
  /**
   * Yields the tenant's jobs that run and that ended lately, then those that have changed, until
   * the call ends. With heartbeats, also yields an empty list when nothing has changed for a while.
   *
   * @throws UNAVAILABLE (SERVER_STOPPING) when the server stops
   */
  watchJobs(heartbeatMs: number | undefined, call: Call): AsyncIterable<readonly Job[]>;
  /** Ends all watches, present and future. */
  stopWatches(): void;
  /** Cancels a job of the tenant. Returns false if no job of this id can be cancelled. */
  cancelJob(id: string): boolean;
}

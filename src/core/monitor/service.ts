import type { Job } from "../jobs/jobs.js";
import type { WritesState } from "../ports/writes-state.js";
import type { CallRates } from "./last-minute.js";

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
  readonly lastBackupMs?: number | undefined;
  readonly lastPruneMs?: number | undefined;
}

/** Tells how a server does. */
export interface ServerService {
  status(): Promise<ServerStatus>;
}

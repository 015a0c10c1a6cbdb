import type { VademecumError } from "../model/errors.js";
import type { NamespaceSizes } from "../model/namespace-size.js";
import type { IdPatterns } from "../model/principal.js";
import type { Call } from "../ports/call.js";
import type { Clock } from "../ports/clock.js";
import type { Embedders } from "../ports/embedder.js";
import type { Store } from "../ports/store.js";
import type { TokenCounter } from "../ports/token-counter.js";
import type { ChangeParts } from "../proposal-records/change-proposals.js";
import type { WriteGate } from "../vectors/write-gate.js";
import type { DataKind, ExportKind, ExportRecord } from "./export-record.js";

/** The dependencies of exports and imports. */
export interface TransferParts extends ChangeParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly tokens: TokenCounter;
  readonly embedders: Embedders;
  readonly gate: WriteGate;
  readonly productVersion: string;
  /** Limits on the size of a namespace. Default: `namespaceSizes`. */
  readonly sizes?: NamespaceSizes;
}

/** What to export. */
export interface ExportQuery {
  /** Absent: all users that `allowed` names; no user if `runs` is set. */
  readonly users?: readonly string[];
  /** Absent: all agents that `allowed` names. */
  readonly agents?: readonly string[];
  /** Absent: all runs that `allowed` names; no run if `users` is set. */
  readonly runs?: readonly string[];
  readonly kinds: readonly ExportKind[];
  readonly vectors: boolean;
  /** What the caller may name. */
  readonly allowed: {
    readonly users: IdPatterns;
    readonly agents: IdPatterns;
    readonly runs: IdPatterns;
  };
}

/** What an import does with a record that the store has with other contents. */
export const importModes = ["SKIP", "REPLACE", "FAIL"] as const;
export type ImportMode = (typeof importModes)[number];

export interface ImportOptions {
  readonly mode: ImportMode;
  /** Whether to count what the import would do, and to change nothing. */
  readonly dryRun: boolean;
}

/** A record that arrived for an import; or the error of one that breaks a rule of its kind. */
export type ReceivedRecord =
  | ExportRecord
  | { readonly kind: "invalid"; readonly of: DataKind; readonly error: VademecumError };

/** A record that was refused. */
export interface ImportFault {
  /** The number of the record in the stream, from 1. */
  readonly record: number;
  readonly kind: DataKind;
  readonly error: VademecumError;
}

/** Counts of records so far. */
export interface ImportProgress {
  /** All records that were read, the header and the trailer among them. */
  readonly records: number;
  readonly added: number;
  readonly unchanged: number;
  readonly replaced: number;
  readonly skipped: number;
  readonly refused: number;
  /** The new faults. An import returns only its first ten. */
  readonly faults: readonly ImportFault[];
  /** Whether the trailer was read, and its counts are right. */
  readonly complete: boolean;
}

/** Exports data, and imports it again. */
export interface TransferService {
  /**
   * Yields the records of an export. The records of a user, or of a run, come from one snapshot.
   *
   * @throws DATA_LOSS (DAMAGED_RECORD) when a record is damaged
   */
  exportData(query: ExportQuery, call: Call): AsyncIterable<ExportRecord>;
  /**
   * Stores the records of an export. Yields after each batch. A repetition continues an interrupted
   * import.
   *
   * @throws INVALID_ARGUMENT (INVALID_EXPORT) when the records are not a complete export
   * @throws ALREADY_EXISTS (IMPORT_CONFLICT) in the mode FAIL, when the store has another record
   */
  importData(
    options: ImportOptions,
    batches: AsyncIterable<readonly ReceivedRecord[]>,
    call: Call,
  ): AsyncIterable<ImportProgress>;
}

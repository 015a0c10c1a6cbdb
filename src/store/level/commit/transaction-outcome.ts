import type { CommitRequest } from "./group-commit.js";
import type { PendingRecords } from "./pending-records.js";
import type { NamespacePlace, ScopePlace } from "./places.js";

/** The result of a transaction that wrote something. */
export interface TransactionOutcome {
  readonly request: CommitRequest;
  /** Whether the transaction needs disk space: its records have more bytes than those they replace. */
  readonly grows: boolean;
  /** Whether the transaction cleared a namespace, so that the sweeper has records to remove. */
  readonly clears: boolean;
  readonly scopePlace: ScopePlace;
  readonly namespaces: ReadonlyMap<string, NamespacePlace>;
  readonly records: PendingRecords;
}

import type { CommitRequest } from "./group-commit.js";
import type { NamespaceState, ScopeState } from "./owner-state.js";
import type { PendingRecords } from "./pending-records.js";

/** The result of a transaction that wrote something. */
export interface TransactionOutcome {
  readonly request: CommitRequest;
  /** Whether the transaction needs disk space: it puts records that stay until somebody deletes them. */
  readonly grows: boolean;
  /** Whether the transaction cleared a namespace, so that the sweeper has records to remove. */
  readonly clears: boolean;
  readonly scopeState: ScopeState;
  readonly namespaces: ReadonlyMap<string, NamespaceState>;
  readonly records: PendingRecords;
}

import type { Change } from "../../../core/ports/store.js";
import type { PendingRecord } from "../../engine/pending-records.js";
import type { TotalsGrowth } from "../../engine/storage-totals.js";
import type { CommittedRecord } from "../../recent-commits.js";
import type { KeyRange } from "../format/keys.js";
import type { CommitRequest } from "./group-commit.js";
import type { NamespaceState, ScopeState } from "./owner-state.js";

/** The outcome of a transaction that wrote something, or of a restore. */
export interface TransactionOutcome {
  readonly request: CommitRequest;
  /**
   * Whether the transaction adds data: the values that it puts have more bytes than the values that
   * it replaces or deletes. A transaction that clears a namespace never adds data.
   */
  readonly grows: boolean;
  /** Whether the sweeper has work: the transaction cleared a namespace or restored the scope. */
  readonly clears: boolean;
  readonly scopeState: ScopeState;
  /** What the totals of the store gain. */
  readonly totals: TotalsGrowth;
  readonly namespaces: ReadonlyMap<string, NamespaceState>;
  /** The records as `PendingScope.pending` keeps them. */
  readonly records: readonly PendingRecord<KeyRange>[];
  /**
   * The commit in the change log, and the records of the commit that indexes need. `undefined`:
   * indexes cannot follow, because the whole scope was replaced.
   */
  readonly commit:
    | { readonly change: Change; readonly records: readonly CommittedRecord[] }
    | undefined;
}

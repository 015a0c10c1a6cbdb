/**
 * A figure that a part of the server reports for the metrics, each time it changes or something
 * happens.
 */
export type Figure =
  /** Transactions in a group that was written. */
  | "groupTransactions"
  /** Time from the start of a group's write until it was synced, in seconds. */
  | "groupSeconds"
  /** Bytes that the process may still write to the disk of the data folder. */
  | "diskFreeBytes"
  /** Bytes of all files in the data folder. */
  | "dataBytes"
  /** Reads that found the index of their namespace in RAM; reads at the same time count once. */
  | "indexHits"
  /** Indexes that were brought into RAM. Kind: from an `image`, or from the `records`. */
  | "indexLoads"
  /** Indexes that left the RAM to make room for others. */
  | "indexEvictions"
  /** Proposals that wait for a decision. */
  | "proposalsPending"
  /** Age of the oldest proposal that waits for a decision, in seconds; 0 if none does. */
  | "oldestProposalSeconds"
  /** Time since the last backup, or since the start if there was none, in seconds. */
  | "backupAgeSeconds"
  /** Time for which an embedder worked on the texts of one call, in seconds. */
  | "embedSeconds"
  /** Calls of an embedder that failed. */
  | "embedFailures"
  /** Records that pruning removed. Kind: the kind of the records. */
  | "prunedRecords"
  /** Hits of a search that were returned. */
  | "searchHits"
  /** Matches of a search that did not fit into its budget or limit. */
  | "searchOmitted"
  /** 1 while a changed file of credentials or certificates cannot be used, else 0. */
  | "credentialsStale"
  /** Lines of the audit trail that could not be written. */
  | "auditLost"
  /** Requests to the receiver of webhooks. Kind: `taken` or `failed`. */
  | "webhookRequests"
  /** 1 while the receiver of webhooks takes nothing, else 0. */
  | "webhookFailing"
  /** Users for whose changes the receiver of webhooks has no message yet. */
  | "webhookUsersPending"
  /** Times that changes of a user were lost before the receiver of webhooks had them. */
  | "webhookLost";

/**
 * Notes a figure. It must not throw, and must be fast, because it is called in calls.
 *
 * @param value in the unit of the figure
 * @param kind tells apart figures of one name. Default: there is only one
 */
export type Meter = (figure: Figure, value: number, kind?: string) => void;

/** The meter of a server without metrics. */
export const noMeter: Meter = () => undefined;

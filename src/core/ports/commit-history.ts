/** The commits that a sequence number counts. */
export interface CommitHistory {
  /**
   * Random name of the epoch. Restoring a backup starts a new epoch.
   */
  readonly epoch: string;
  /**
   * Name of PostgreSQL's timeline, which changes with each failover. A failover can lose the last
   * commits, and new commits then get the numbers of the lost commits. So two heads with different
   * timelines do not belong to one history, whatever their sequence numbers. Absent: the store has
   * no timelines, or PostgreSQL does not tell them.
   *
   * Only for comparisons within this process: stored data, page tokens and replies do not have it.
   */
  readonly timeline?: string | undefined;
}

/** Whether the sequence numbers of two heads count the same commits. */
export function haveSameHistory(a: CommitHistory, b: CommitHistory): boolean {
  return a.epoch === b.epoch && a.timeline === b.timeline;
}

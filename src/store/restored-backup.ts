/** A backup to restore, and where its data goes. */
export interface RestoredBackup {
  readonly backupId: string;
  /** The tenant that gets the data; `undefined`: the data without a tenant. */
  readonly tenant: string | undefined;
}

/** Returns the text that marks a store from the beginning of a restore until its end. */
export function markOf({ backupId, tenant }: RestoredBackup): string {
  return JSON.stringify({ backupId, tenant });
}

/** Whether a mark is the mark of this restore, so that the restore may continue. */
export function isMarkOf(mark: string, restored: RestoredBackup): boolean {
  return mark === markOf(restored);
}

/** The maximum that a user may hold, in all namespaces together. Absent fields: no limit. */
export interface Quota {
  /** Number of memories. Superseded and expired memories count until they are deleted. */
  readonly memories?: number | undefined;
  /** Bytes of all records, as `Usage.bytes` counts them. */
  readonly bytes?: number | undefined;
}

/** Returns the smaller limit of the two quotas for each field. */
export function smallerQuota(a: Quota, b: Quota): Quota {
  return { memories: smaller(a.memories, b.memories), bytes: smaller(a.bytes, b.bytes) };
}

function smaller(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? (a ?? b) : Math.min(a, b);
}

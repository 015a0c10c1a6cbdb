/** The part of a table to scan, and the direction. */
export interface ScanRange {
  /** Start after this key, in the direction of the scan. The key need not exist. */
  readonly after?: string;
  /** Scan from the greatest key down. Default false. */
  readonly reverse?: boolean;
}

/** The part of a table of all users to list, and the direction. */
export interface CrossUserRange extends ScanRange {
  /** The tenant of the users; absent: the users without a tenant. Use cases never set it. */
  readonly tenant?: string | undefined;
}

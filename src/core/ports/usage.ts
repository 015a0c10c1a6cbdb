/** What all scopes of a tenant hold. */
export interface TenantTotals {
  /** Number of users that hold a record. Users that hold only stored replies do not count. */
  readonly users: number;
  /** Number of namespaces that hold a record. */
  readonly namespaces: number;
  readonly memories: number;
  /** As `Usage.bytes`, with stored replies. */
  readonly bytes: number;
}

/** What a scope holds, in all of its namespaces and outside of them. */
export interface Usage {
  /** Number of memories. Superseded and expired memories count until they are deleted. */
  readonly memories: number;
  /**
   * Bytes of all records as stored: their keys in UTF-8 and their encoded values, without the
   * store's overhead for each record. Stored replies and the change log do not count.
   */
  readonly bytes: number;
}

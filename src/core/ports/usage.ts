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

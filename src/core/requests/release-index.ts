import type { Namespace } from "../model/namespace.js";
import type { SearchIndex } from "../ports/search-index.js";
import type { Reader } from "../ports/store.js";

/** Finds out whether a deletion has left a table empty. */
export interface RestCount {
  /**
   * Forgets the count of an earlier run of the transaction. Call it before each run that may end
   * without a call of `count`, for example because the run returns a stored reply
   * (`Mutation.onRun`).
   */
  readonly onRun: () => void;
  /**
   * Counts the records that are left. Call it in the transaction, after the last deletion. A run
   * that deletes nothing need not call it.
   */
  readonly count: (tx: Reader) => Promise<void>;
}

/**
 * Runs a deletion, and releases the index of the namespace if the deletion left the table empty.
 */
export async function releaseIndexIfEmpty<T>(
  index: Pick<SearchIndex, "release">,
  table: "memories" | "skills",
  namespace: Namespace,
  remove: (rest: RestCount) => Promise<T>,
): Promise<T> {
  let isEmpty = false;
  const result = await remove({
    onRun: () => {
      isEmpty = false;
    },
    count: async (tx) => {
      isEmpty = (await tx.count(table, namespace)) === 0;
    },
  });
  if (isEmpty) void index.release(namespace);
  return result;
}

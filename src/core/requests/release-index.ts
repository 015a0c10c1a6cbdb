import type { Namespace } from "../model/namespace.js";
import type { SearchIndex } from "../ports/search-index.js";
import type { Reader } from "../ports/store.js";

/** Counts what a deletion has left. Called in the transaction of the deletion, at its end. */
export type CountRest = (tx: Reader) => Promise<void>;

/**
 * Runs a deletion, and releases the index of the namespace if the deletion left the table empty.
 * Requires: `remove` calls the function that it receives in each run of its transaction.
 */
export async function releaseIndexIfEmpty<T>(
  index: Pick<SearchIndex, "release">,
  table: "memories" | "skills",
  namespace: Namespace,
  remove: (countRest: CountRest) => Promise<T>,
): Promise<T> {
  let isEmpty = false;
  const result = await remove(async (tx) => {
    isEmpty = (await tx.count(table, namespace)) === 0;
  });
  if (isEmpty) index.release(namespace);
  return result;
}

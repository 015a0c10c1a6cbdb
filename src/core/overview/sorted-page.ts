import type { Call } from "../ports/call.js";
import type { Store } from "../ports/store.js";
import { type Page, type PageQuery, pageOfEntries } from "../requests/list-page.js";
import { createPause } from "../requests/pause.js";

/**
 * Returns a page of what a store lists in an order of its own, in the order of texts. Reads all
 * keys, and makes the items of the page alone.
 *
 * @param keys the keys of the items; a key may come several times
 * @param toItem `undefined` leaves the item out
 */
export async function sortedPage<T>(
  store: Pick<Store, "head" | "tenant" | "pageKey">,
  { query, listing, keys, toItem, call }: SortedListing<T>,
): Promise<Page<T>> {
  const { epoch } = await store.head({ kind: "server" });
  const found = new Set<string>();
  const pause = createPause();
  for await (const key of keys) {
    call.throwIfEnded();
    await pause();
    found.add(key);
  }
  const sorted = [...found].sort();
  const after = async function* (last: string | undefined) {
    for (const key of sorted) {
      if (last !== undefined && key <= last) continue;
      call.throwIfEnded();
      await pause();
      const item = await toItem(key);
      if (item !== undefined) yield [key, item] as const;
    }
  };
  return pageOfEntries(after, query, {
    ...{ epoch, tenant: store.tenant, pageKey: store.pageKey, listing },
  });
}

/** A listing that `sortedPage` sorts. */
interface SortedListing<T> {
  readonly query: PageQuery;
  /** Name of the RPC and everything else that the next call must repeat to use the page token. */
  readonly listing: readonly unknown[];
  readonly keys: AsyncIterable<string>;
  readonly toItem: (key: string) => Promise<T | undefined>;
  readonly call: Call;
}

import type { Call } from "../ports/call.js";
import type { Store } from "../ports/store.js";
import { type Page, type PageQuery, pageOfEntries } from "../requests/list-page.js";
import { createPause } from "../requests/pause.js";

/**
 * Returns a page of what a store lists in order. Reads only the keys and the items of the page, and
 * the keys whose items are left out.
 *
 * @param keysAfter returns the keys of the items after a key, in order; without a key, all
 * @param toItem `undefined` leaves the item out
 */
export async function pageOfStore<T>(
  store: Pick<Store, "head" | "tenant" | "pageKey">,
  { query, listing, keysAfter, toItem, call }: StoreListing<T>,
): Promise<Page<T>> {
  const { epoch } = await store.head({ kind: "server" });
  const pause = createPause(() => call.throwIfEnded());
  const entriesAfter = async function* (last: string | undefined) {
    for await (const key of keysAfter(last)) {
      await pause();
      const item = await toItem(key);
      if (item !== undefined) yield [key, item] as const;
    }
  };
  return pageOfEntries(entriesAfter, query, {
    ...{ epoch, tenant: store.tenant, pageKey: store.pageKey, listing },
  });
}

/** A listing that `pageOfStore` reads. */
interface StoreListing<T> {
  readonly query: PageQuery;
  /** Name of the RPC and everything else that the next call must repeat to use the page token. */
  readonly listing: readonly unknown[];
  readonly keysAfter: (last: string | undefined) => AsyncIterable<string>;
  readonly toItem: (key: string) => Promise<T | undefined>;
  readonly call: Call;
}

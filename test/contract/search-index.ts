import { afterEach, beforeEach, describe } from "vitest";
import type { SearchIndex } from "../../src/core/ports/search-index.js";
import type { Store } from "../../src/core/ports/store.js";
import { describeCandidates } from "./search-index/candidates.js";
import { describeCatchingUp } from "./search-index/catching-up.js";
import { createIndexContext } from "./search-index/context.js";
import { describeReads } from "./search-index/reads.js";
import { describeRows } from "./search-index/rows.js";

/**
 * The contract of `SearchIndex`.
 *
 * @param openStore returns a new and empty store each time; the suite closes it
 * @param beforeRead lets the background work of an index finish; awaited before each read
 */
export function describeSearchIndex<Index extends SearchIndex>(
  name: string,
  openStore: () => Promise<Store>,
  createIndex: (store: Store) => Index,
  beforeRead: (index: Index) => Promise<void> = async () => undefined,
): void {
  describe(name, () => {
    let store: Store;
    let index: Index;

    beforeEach(async () => {
      store = await openStore();
      index = createIndex(store);
    });

    afterEach(async () => {
      await store.close();
    });

    const context = createIndexContext({
      store: () => store,
      index: () => index,
      createIndex,
      // `createIndex` made every index of the context, so the type is right.
      beforeRead: (read) => beforeRead(read as Index),
    });
    describeRows(context);
    describeCandidates(context);
    describeReads(context);
    describeCatchingUp(context);
  });
}

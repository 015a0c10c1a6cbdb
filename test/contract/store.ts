import { afterEach, beforeEach, describe } from "vitest";
import type { Store } from "../../src/core/ports/store.js";
import { describeAcrossUsers } from "./store/across-users.js";
import { describeChanges } from "./store/changes.js";
import { createContext } from "./store/context.js";
import { describeDueScopes } from "./store/due-scopes.js";
import { describeErasing } from "./store/erasing.js";
import { describeHoldings } from "./store/holdings.js";
import { describeModel } from "./store/model.js";
import { describeRecords } from "./store/records.js";
import { describeSnapshots } from "./store/snapshots.js";
import { describeTotals } from "./store/totals.js";
import { describeTransactions } from "./store/transactions.js";
import { describeUsage } from "./store/usage.js";

/**
 * The contract of `Store`. `openStore` returns a new and empty store each time; the suite closes
 * it.
 *
 * @param namesTenants whether scopes may name a tenant. The view of the data without a tenant has
 *   none
 */
export function describeStore(
  name: string,
  openStore: () => Promise<Store>,
  namesTenants = true,
): void {
  describe(name, () => {
    let store: Store;

    beforeEach(async () => {
      store = await openStore();
    });

    afterEach(async () => {
      await store.close();
    });

    const context = createContext(() => store);
    describeRecords(context);
    describeTransactions(context);
    describeSnapshots(context);
    describeChanges(context);
    describeErasing(context);
    describeDueScopes(context);
    describeTotals(context);
    if (namesTenants) describeHoldings(context);
    describeUsage(context);
    describeAcrossUsers(context);
    describeModel(context);
  });
}

import { afterAll, beforeAll, describe } from "vitest";
import { createSearchIndex } from "../../../src/index/search-index.js";
import { memoryRecords } from "../../../src/store/codec/memory-records.js";
import { storeOfTenant } from "../../../src/store/tenant-store.js";
import { describeRawRecords } from "../../contract/raw-records.js";
import { describeSearchIndex } from "../../contract/search-index.js";
import { describeTenantListing } from "../../contract/store/across-users.js";
import { describeTenantTotal } from "../../contract/store/totals.js";
import { describeStore } from "../../contract/store.js";
import { startPostgres, type TestPostgres } from "../../fixtures/postgres.js";

let postgres: TestPostgres;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres.close());

async function openEmptyStore() {
  await postgres.empty();
  return postgres.openStore();
}

// A test that waits forever fails after a minute, so that the report names the test.
describe("over PostgreSQL", { timeout: 60_000 }, () => {
  describeStore("the PostgreSQL store", openEmptyStore);

  describeTenantListing("the PostgreSQL store", openEmptyStore);
  describeTenantTotal("the PostgreSQL store", openEmptyStore);

  describe("with tenants", () => {
    describeStore("a tenant's view of the PostgreSQL store", async () => {
      const store = await openEmptyStore();
      return { ...storeOfTenant(store, "acme"), close: () => store.close() };
    });
  });

  describeSearchIndex("the index over the PostgreSQL store", openEmptyStore, (store) =>
    createSearchIndex({ codec: memoryRecords, store, maxBytes: 2 ** 30 }),
  );

  describeRawRecords("raw records of the PostgreSQL store", () => postgres.openInNewDatabase());
});

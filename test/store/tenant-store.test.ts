import { afterEach, describe, expect, it, onTestFinished } from "vitest";
import { userScope } from "../../src/core/model/namespace.js";
import type { Store } from "../../src/core/ports/store.js";
import { createInMemoryStore } from "../../src/store/in-memory/in-memory-store.js";
import { verifyFolder } from "../../src/store/level/recovery/verify-folder.js";
import { storeOfTenant, tenantsIn } from "../../src/store/tenant-store.js";
import { describeTenantListing } from "../contract/store/across-users.js";
import { describeTenantTotal } from "../contract/store/totals.js";
import { describeStore } from "../contract/store.js";
import { isFullSuite } from "../suite.js";
import { createTestFolder, openTestStore } from "./level/level-folder.js";

const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

async function openLevelStore(): Promise<Store> {
  return openTestStore(await createTestFolder((end) => ends.push(end)));
}

describeStore("a tenant's view of the in-memory store", async () =>
  closing(createInMemoryStore(), "acme"),
);

describe.runIf(isFullSuite)("over other stores", () => {
  describeStore("a tenant's view of the LevelDB store", async () =>
    closing(await openLevelStore(), "acme"),
  );

  describeStore(
    "the view of data without a tenant",
    async () => closing(createInMemoryStore(), undefined),
    false,
  );
});

describeTenantListing("the in-memory store", async () => createInMemoryStore());
describeTenantTotal("the in-memory store", async () => createInMemoryStore());

describeTenantListing("the LevelDB store", openLevelStore);
describeTenantTotal("the LevelDB store", openLevelStore);

describe("the views of one store", () => {
  it("the views of tenants keep the data of users with the same name apart, even on disk", async () => {
    const folder = await createTestFolder(onTestFinished);
    const store = await openTestStore(folder);
    const tenants = ["acme", "acm", undefined];
    for (const tenant of tenants) await write(storeOfTenant(store, tenant), `of ${tenant}`);
    for (const tenant of tenants) {
      const view = storeOfTenant(store, tenant);
      expect(await read(view)).toBe(`of ${tenant}`);
      expect(await collect(view.namespaces())).toEqual([{ userId: "ann", agentId: "a" }]);
      expect(await collect(view.scopes())).toEqual([{ kind: "user", userId: "ann" }]);
      expect(await view.totals()).toMatchObject({ users: 1, namespaces: 1 });
      expect(await collect(view.ids({ of: "users" }))).toEqual(["ann"]);
      expect(await collect(view.ids({ of: "agents", userId: "ann" }))).toEqual(["a"]);
    }
    expect([...(await tenantsIn(store))].toSorted()).toEqual(["", "acm", "acme"]);
    await storeOfTenant(store, "acme").update(userScope("ann"), async (tx) =>
      tx.clear({ userId: "ann", agentId: "a" }),
    );
    expect(await collect(storeOfTenant(store, "acme").namespaces())).toEqual([]);
    expect(
      await collect(storeOfTenant(store, "acme").ids({ of: "agents", userId: "ann" })),
    ).toEqual([]);
    expect(await collect(storeOfTenant(store, "acm").namespaces())).toHaveLength(1);
    await store.close();
    expect((await verifyFolder(folder)).findings).toEqual([]);
    const reopened = await openTestStore(folder);
    onTestFinished(() => reopened.close());
    expect(await read(storeOfTenant(reopened, "acm"))).toBe("of acm");
  });

  it("a transaction of a scope without a tenant cannot read the records of a tenant", async () => {
    const store = createInMemoryStore();
    const outside = { userId: "ann", agentId: "a", tenant: "other" };
    await expect(
      store.update(userScope("ann"), (tx) => tx.get("timeline", outside, "x")),
    ).rejects.toThrow("records of another scope");
  });
});

/** Returns the view of a tenant. Closing the view closes the store. */
function closing(store: Store, tenant: string | undefined): Store {
  return { ...storeOfTenant(store, tenant), close: () => store.close() };
}

async function write(store: Store, value: string): Promise<void> {
  await store.update(userScope("ann"), async (tx) => {
    tx.put("timeline", { userId: "ann", agentId: "a" }, "x", null);
    tx.put("rejectedEdits", userScope("ann"), "key", value);
  });
}

async function read(store: Store): Promise<string | undefined> {
  await using snapshot = await store.snapshot(userScope("ann"));
  return await snapshot.get("rejectedEdits", userScope("ann"), "key");
}

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const collected: T[] = [];
  for await (const item of items) collected.push(item);
  return collected;
}

import { describe, expect, it } from "vitest";
import { type Scope, userScope } from "../../../src/core/model/namespace.js";
import type { CrossUserRange } from "../../../src/core/ports/scan-range.js";
import type { Store } from "../../../src/core/ports/store.js";
import { storeOfTenant } from "../../../src/store/tenant-store.js";
import { scopeRecords } from "../sample-records.js";
import { collect, type StoreContext } from "./context.js";

export function describeAcrossUsers(context: StoreContext): void {
  describe("listings over all users", () => {
    const put = (scope: Scope, ...ids: string[]) =>
      context.store.update(scope, async (tx) => {
        for (const id of ids) {
          tx.put("proposals", scope, id, { ...scopeRecords.proposals, id });
          tx.put("pendingProposals", scope, id, null);
        }
      });
    const list = (range: CrossUserRange = {}) =>
      collect(context.store.acrossUsers("pendingProposals", range));
    const all = [
      ["p1", "kim"],
      ["p2", "ann"],
      ["p3", "kim"],
      ["p4", "bob"],
    ];
    const putAll = async (): Promise<void> => {
      await put(userScope("kim"), "p1", "p3");
      await put(userScope("ann"), "p2");
      await put(userScope("bob"), "p4");
    };

    it("the keys of all users are listed in their order, in both directions and after a key", async () => {
      await putAll();
      expect(await list()).toEqual(all);
      expect(await list({ reverse: true })).toEqual(all.toReversed());
      expect(await list({ after: "p2" })).toEqual(all.slice(2));
      expect(await list({ after: "p3", reverse: true })).toEqual(all.slice(0, 2).toReversed());
      expect(await list({ after: "p" })).toEqual(all);
      expect(await list({ after: "p9" })).toEqual([]);
    });

    it("a deleted record leaves the listing of its table alone", async () => {
      await putAll();
      await context.store.update(userScope("ann"), async (tx) => {
        tx.delete("pendingProposals", userScope("ann"), "p2");
      });
      expect(await list()).toEqual([all[0], all[2], all[3]]);
      expect(await collect(context.store.acrossUsers("proposals", {}))).toEqual(all);
    });

    it("tables and scopes that are not listed do not appear", async () => {
      const run: Scope = { kind: "run", runId: "kim" };
      await put(run, "p0");
      await context.store.update(userScope("kim"), async (tx) => {
        tx.put("rejectedEdits", userScope("kim"), "p1", "p1");
        tx.put("timeline", { userId: "kim", agentId: "notes" }, "p2", null);
      });
      expect(await list()).toEqual([]);
    });

    it("more keys than one read returns are listed once each", async () => {
      const ids = Array.from({ length: 1100 }, (_, i) => `p${String(i).padStart(4, "0")}`);
      for (const [i, user] of ["ann", "bob"].entries())
        await context.store.update(userScope(user), async (tx) => {
          for (const id of ids.filter((_, at) => at % 2 === i))
            tx.put("pendingProposals", userScope(user), id, null);
        });
      expect((await list()).map(([id]) => id)).toEqual(ids);
      expect((await list({ reverse: true })).map(([id]) => id)).toEqual(ids.toReversed());
    });
  });
}

/** A listing over all users of one tenant, over a store with all tenants. */
export function describeTenantListing(name: string, openStore: () => Promise<Store>): void {
  it(`a listing over all users of ${name} has only the users of its tenant, also if ids are the same`, async () => {
    const store = await openStore();
    const views = [undefined, "acme", "acme2"].map((tenant) => storeOfTenant(store, tenant));
    for (const [i, view] of views.entries())
      await view.update(userScope("kim"), async (tx) => {
        for (const id of ["same", `p${i}`]) tx.put("pendingProposals", userScope("kim"), id, null);
      });
    for (const [i, view] of views.entries())
      for (const reverse of [false, true]) {
        const listed = await collect(view.acrossUsers("pendingProposals", { reverse }));
        expect(listed.map(([id]) => id).toSorted()).toEqual([`p${i}`, "same"]);
      }
    await store.close();
  });
}

import { describe, expect, it } from "vitest";
import { instantOfMillis } from "../../../src/core/model/instant.js";
import { namespaceIn, userScope } from "../../../src/core/model/namespace.js";
import { endlessCall } from "../../../src/core/ports/call.js";
import { dueStore, settleDueScopes } from "../../../src/core/pruning/due-scopes.js";
import { sampleMemory } from "../sample-records.js";
import { collect, type StoreContext } from "./context.js";

const clock = { nowMs: () => 1_000 };

export function describeDueScopes(context: StoreContext): void {
  const namespaceOf = (userId: string) => namespaceIn(userScope(userId) as never, "a");
  const add = (userId: string, id: string, expireMs?: number) => {
    const expiry = expireMs === undefined ? {} : { expireTime: instantOfMillis(expireMs) };
    const memory = { ...sampleMemory(id, "text"), ...expiry };
    return context.store.update(userScope(userId), async (tx) =>
      tx.put("memories", namespaceOf(userId), id, memory),
    );
  };
  const remove = (userId: string, id: string) =>
    context.store.update(userScope(userId), async (tx) =>
      tx.delete("memories", namespaceOf(userId), id),
    );
  const due = async (nowMs = 1_000) =>
    (await collect(context.store.dueScopes(nowMs)))
      .map(({ scope }) => (scope as { userId: string }).userId)
      .toSorted();
  const settle = () => settleDueScopes(context.store, clock, endlessCall);

  describe("scopes with something due", () => {
    it("only scopes with something due are listed, with the agents that have records", async () => {
      await add("never", "m1");
      await add("later", "m1", 2_000);
      await add("now", "m1", 1_000);
      await add("long ago", "m1", 5);
      await add("long ago", "m2", 900);
      expect(await due()).toEqual(["long ago", "now"]);
      expect(await due(2_000)).toEqual(["later", "long ago", "now"]);
      const listed = dueStore(context.store, clock);
      const namespaces = await collect(listed.namespaces());
      expect(namespaces).toHaveLength(2);
      expect(namespaces).toEqual(
        expect.arrayContaining([namespaceOf("long ago"), namespaceOf("now")]),
      );
      const scopes = await collect(listed.scopes());
      expect(scopes).toHaveLength(2);
      expect(scopes).toEqual(expect.arrayContaining([userScope("long ago"), userScope("now")]));
    });

    it("a pruned scope is listed again when the next of its records is due", async () => {
      await add("ann", "m1", 100);
      await add("ann", "m2", 1_500);
      await add("bob", "m1", 100);
      await remove("ann", "m1");
      await remove("bob", "m1");
      await settle();
      expect(await due()).toEqual([]);
      expect(await due(1_499)).toEqual([]);
      expect(await due(1_500)).toEqual(["ann"]);
      await add("bob", "m2", 1_200);
      expect(await due(1_200)).toEqual(["bob"]);
    });

    it("a scope that changes while it is settled stays listed", async () => {
      const { head } = await add("ann", "m1", 100);
      await add("ann", "m2", 200);
      await context.store.settleDue(userScope("ann"), head, undefined);
      expect(await due()).toEqual(["ann"]);
    });

    it("a scope that was settled goes on from the same head", async () => {
      const { head } = await add("ann", "m1", 100);
      await Promise.all([
        context.store.settleDue(userScope("ann"), head, 1_700),
        add("ann", "m2", 1_600),
      ]);
      expect(await context.store.head(userScope("ann"))).toEqual({ ...head, seq: head.seq + 1 });
    });

    it("a scope whose records were replaced is visited once", async () => {
      await add("ann", "m1");
      await context.store.erase(userScope("ann"), 5);
      expect(await due()).toEqual(["ann"]);
      await settle();
      expect(await due(Number.MAX_SAFE_INTEGER)).toEqual([]);
    });
  });
}

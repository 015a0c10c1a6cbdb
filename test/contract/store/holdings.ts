import { beforeEach, describe, expect, it } from "vitest";
import type { Transaction } from "../../../src/core/ports/store.js";
import type { StoredReply } from "../../../src/core/ports/stored-reply.js";
import { memoryOf } from "../../core/memory-fixture.js";
import type { StoreContext } from "./context.js";

const reply: StoredReply = { requestDigest: "00", reply: {}, expireMs: 1 };

let tenants = 0;

export function describeHoldings(context: StoreContext): void {
  describe("what a tenant holds", () => {
    beforeEach(() => {
      tenants++;
    });

    const tenantName = () => `held ${tenants}`;
    const user = (userId: string) => ({ kind: "user" as const, userId, tenant: tenantName() });
    const space = (userId: string, agentId: string) => ({
      ...{ userId, agentId, tenant: tenantName() },
    });
    const counts = async () => {
      const { users, namespaces, memories } = await context.store.totals(tenantName());
      return [users, namespaces, memories];
    };
    const commit = (userId: string, transact: (tx: Transaction) => void) =>
      context.store.update(user(userId), async (tx) => transact(tx));
    const aMemory = (userId: string, agentId: string) => (tx: Transaction) =>
      tx.put("memories", space(userId, agentId), "m", memoryOf({ id: "m" }));

    it("a tenant without data holds nothing", async () => {
      expect(await context.store.totals(tenantName())).toEqual({
        ...{ users: 0, namespaces: 0, memories: 0, bytes: 0 },
      });
    });

    it("users, namespaces and memories count as they come and go", async () => {
      await commit("kim", aMemory("kim", "notes"));
      await commit("kim", aMemory("kim", "tasks"));
      await commit("lee", aMemory("lee", "notes"));
      expect(await counts()).toEqual([2, 3, 3]);
      await commit("kim", aMemory("kim", "notes"));
      expect(await counts()).toEqual([2, 3, 3]);
      await commit("kim", (tx) => tx.delete("memories", space("kim", "notes"), "m"));
      expect(await counts()).toEqual([2, 2, 2]);
      await commit("kim", (tx) => tx.clear(space("kim", "tasks")));
      expect(await counts()).toEqual([1, 1, 1]);
      await context.store.erase(user("lee"), 1);
      expect(await context.store.totals(tenantName())).toEqual({
        ...{ users: 0, namespaces: 0, memories: 0, bytes: 0 },
      });
    });

    it("a namespace that is cleared and written in one transaction counts once", async () => {
      await commit("kim", aMemory("kim", "notes"));
      await commit("kim", (tx) => {
        tx.clear(space("kim", "notes"));
        aMemory("kim", "notes")(tx);
      });
      expect(await counts()).toEqual([1, 1, 1]);
    });

    it("runs are no users", async () => {
      const scope = { kind: "run" as const, runId: "r", tenant: tenantName() };
      const value = { value: "v", version: 1, position: "p" };
      await context.store.update(scope, async (tx) => tx.put("keyValues", scope, "k", value));
      expect(await counts()).toEqual([0, 0, 0]);
      expect((await context.store.totals(tenantName())).bytes).toBeGreaterThan(0);
    });

    it("a user with only stored replies does not count", async () => {
      const scope = user("kim");
      await context.store.update(scope, async (tx) => tx.put("replies", scope, "key", reply));
      expect(await counts()).toEqual([0, 0, 0]);
    });
  });
}

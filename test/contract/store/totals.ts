import { beforeEach, describe, expect, it } from "vitest";
import type { Allowance } from "../../../src/core/model/allowance.js";
import type { Scope } from "../../../src/core/model/namespace.js";
import type { Store, Transaction } from "../../../src/core/ports/store.js";
import type { StoredReply } from "../../../src/core/ports/stored-reply.js";
import { codecOf } from "../../../src/store/codec/table-codecs.js";
import { storeOfTenant } from "../../../src/store/tenant-store.js";
import type { StoreContext } from "./context.js";

const limitBytes = 1_000;
const reply: StoredReply = { requestDigest: "00", reply: {}, expireMs: 1 };

let accounts = 0;

export function describeTotals(context: StoreContext): void {
  describe("the totals of accounts and tenants", () => {
    let ann: Allowance;
    let bob: Allowance;
    beforeEach(() => {
      accounts++;
      ann = { account: `key:ann ${accounts}`, totalBytes: limitBytes };
      bob = { account: `key:bob ${accounts}`, totalBytes: limitBytes };
    });

    const run = (name: string): Scope => ({ kind: "run", runId: `${name} ${accounts}` });

    const write = (
      allowance: Allowance,
      scope: Scope,
      transact: (tx: Transaction) => Promise<void>,
    ) => writeAs(context.store, allowance, scope, transact);

    const fill = (allowance: Allowance, scope: Scope, bytes: number, key?: string) =>
      fillAs(context.store, allowance, scope, bytes, key);

    /** Returns the bytes that the account may still store. */
    async function free({ account }: Allowance): Promise<number> {
      const reservation = context.store.reserve({ account, totalBytes: limitBytes });
      let left = limitBytes;
      for (;;) {
        const error = await reservation?.take(left, false).catch((reason: unknown) => reason);
        if (error === undefined) break;
        left -= 1;
      }
      reservation?.release();
      return left;
    }

    it("an account without limits needs no reservation", () => {
      expect(context.store.reserve({ account: "key:free" })).toBeUndefined();
      expect(context.store.reserve({ account: "", totalBytes: 1 })).toBeUndefined();
    });

    it("an account fills its limit over many scopes and no further", async () => {
      await fill(ann, run("a"), 400);
      await fill(ann, run("b"), 400);
      const third = fill(ann, run("c"), 400);
      await expect(third).rejects.toMatchObject({
        code: "RESOURCE_EXHAUSTED",
        reason: "QUOTA_EXCEEDED",
        message:
          "the principal would hold 1200 bytes in all users and runs; quota_total_bytes is 1000. " +
          "Delete what is no longer needed, or ask the operator for a larger quota_total_bytes",
        metadata: { quota: "total_bytes", limit: "1000" },
        quotas: [{ subject: `principal:${ann.account}` }],
      });
      expect(await free(ann)).toBe(200);
      await fill(bob, run("c"), 400);
      expect(await free(bob)).toBe(600);
    });

    it("stored replies count, and deletions free what they remove", async () => {
      const scope = run("a");
      await write(ann, scope, async (tx) => tx.put("replies", scope, "key", reply));
      const bytes = 3 + codecOf("replies").encode(reply).length;
      expect(await free(ann)).toBe(limitBytes - bytes);
      await write(ann, scope, async (tx) => tx.delete("replies", scope, "key"));
      expect(await free(ann)).toBe(limitBytes);
    });

    it("a replaced record counts for the account that wrote it last, by the difference", async () => {
      await fill(ann, run("a"), 400);
      await fill(bob, run("a"), 700);
      expect(await free(ann)).toBe(600);
      expect(await free(bob)).toBe(700);
    });

    it("what an account deletes of others counts for those", async () => {
      const scope = run("a");
      await fill(ann, scope, 500);
      await fill(bob, scope, 400, "own");
      await write(bob, scope, async (tx) => tx.delete("keyValues", scope, "k"));
      // The scope now has 400 bytes. All of bob's were freed first, and then 100 of ann's.
      expect([await free(ann), await free(bob)]).toEqual([600, 1_000]);
    });

    it("clearing a namespace frees all of its bytes", async () => {
      const user: Scope = { kind: "user", userId: `u ${accounts}` };
      const namespace = { userId: user.userId, agentId: "a" };
      await write(ann, user, async (tx) => tx.put("timeline", namespace, "x".repeat(300), null));
      expect(await free(ann)).toBe(700);
      await write(ann, user, async (tx) => {
        tx.put("timeline", namespace, "y".repeat(100), null);
        tx.clear(namespace);
        tx.put("timeline", namespace, "z".repeat(200), null);
      });
      expect(await free(ann)).toBe(800);
    });

    it("calls at the same time do not exceed a limit together", async () => {
      const names = Array.from({ length: 20 }, (_, n) => `r${n}`);
      const outcomes = await Promise.allSettled(names.map((name) => fill(ann, run(name), 330)));
      const stored = outcomes.filter(({ status }) => status === "fulfilled").length;
      expect(stored).toBeGreaterThan(0);
      expect(stored).toBeLessThanOrEqual(3);
      expect(await free(ann)).toBe(limitBytes - stored * 330);
    });

    it("a failed transaction leaves nothing reserved", async () => {
      const failing = write(ann, run("a"), async (tx) => {
        tx.put("keyValues", run("a"), "k", { value: "x".repeat(400), version: 1, position: "p" });
        throw new Error("planned");
      });
      await expect(failing).rejects.toThrow("planned");
      expect(await free(ann)).toBe(limitBytes);
    });
  });
}

/** The limit of one tenant, over a store with all tenants. */
export function describeTenantTotal(name: string, openStore: () => Promise<Store>): void {
  it(`the limit of a tenant in ${name} holds for all of its accounts together, and for no other tenant`, async () => {
    const store = await openStore();
    const allowance = (account: string): Allowance => ({ account, tenantBytes: limitBytes });
    const run = (runId: string): Scope => ({ kind: "run", runId });
    const views = [undefined, "acme", "acme2"].map((tenant) => storeOfTenant(store, tenant));
    for (const view of views) {
      await fillAs(view, allowance("key:one"), run("a"), 600);
      await fillAs(view, allowance(""), run("b"), 300);
      const further = fillAs(view, allowance("key:two"), run("c"), 300);
      await expect(further).rejects.toThrow(
        "the tenant would hold 1200 bytes in all users and runs; quota_total_bytes is 1000",
      );
    }
    await store.close();
  });
}

/** Runs a transaction of an account within its limits, as every mutation does. */
async function writeAs(
  store: Store,
  allowance: Allowance,
  scope: Scope,
  transact: (tx: Transaction) => Promise<void>,
): Promise<void> {
  const reservation = store.reserve(allowance);
  try {
    await store.update(scope, async (tx) => {
      tx.storeAs(allowance.account);
      await transact(tx);
      expect(tx.growthAtMost()).toBeGreaterThanOrEqual(await tx.growth());
      await reservation?.take(await tx.growth(), false);
    });
  } finally {
    reservation?.release();
  }
}

/** Writes a value that takes exactly so many bytes, with its key and the store's encoding. */
async function fillAs(
  store: Store,
  allowance: Allowance,
  scope: Scope,
  bytes: number,
  key = "k",
): Promise<void> {
  await writeAs(store, allowance, scope, async (tx) => {
    await tx.get("keyValues", scope, key);
    const { length } = codecOf("keyValues").encode({
      value: "x".repeat(300),
      version: 1,
      position: "p",
    });
    const value = "x".repeat(bytes - length - key.length + 300);
    tx.put("keyValues", scope, key, { value, version: 1, position: "p" });
  });
}

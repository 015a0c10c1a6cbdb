import { describe, expect, it } from "vitest";
import type { Scope } from "../../../src/core/model/namespace.js";
import { collect, keysOf, kim, notes, type StoreContext, tasks } from "./context.js";

export function describeSnapshots(context: StoreContext): void {
  describe("a snapshot", () => {
    it("a snapshot stays the same while others write, delete and clear", async () => {
      await context.putKeys(notes, "a", "b");
      await using snapshot = await context.store.snapshot(kim);
      await context.putKeys(notes, "c");
      await context.store.update(kim, async (tx) => tx.delete("timeline", notes, "a"));
      await context.store.update(kim, async (tx) => tx.clear(notes));
      await context.putKeys(notes, "d");
      expect(snapshot.head.seq).toBe(1);
      expect(await keysOf(snapshot, "timeline", notes)).toEqual(["a", "b"]);
      expect(await snapshot.get("timeline", notes, "a")).toBeNull();
      expect(await snapshot.count("timeline", notes)).toBe(2);
    });

    it("a snapshot includes every commit that was acknowledged before the snapshot", async () => {
      for (let round = 0; round < 20; round++) {
        const { head } = await context.putKeys(notes, String(round));
        await context.read(kim, async (snapshot) => {
          expect(snapshot.head).toEqual(head);
          expect(await snapshot.get("timeline", notes, String(round))).toBeNull();
        });
      }
    });
  });

  describe("the head", () => {
    it("the head of a scope without commits has the sequence number 0", async () => {
      const { seq, epoch } = await context.store.head(kim);
      expect(seq).toBe(0);
      expect(epoch).not.toBe("");
    });

    it("the head of a scope includes every commit that was acknowledged before the head was read", async () => {
      for (let round = 0; round < 20; round++) {
        const { head } = await context.putKeys(notes, String(round));
        expect(await context.store.head(kim)).toEqual(head);
      }
    });

    it("concurrent reads of heads return the right head of each scope", async () => {
      const users = Array.from({ length: 20 }, (_, i) => `user ${i}`);
      for (const [i, userId] of users.entries())
        for (let n = 0; n < i; n++) await context.putKeys({ userId, agentId: "a" }, String(n));
      const heads = await Promise.all(
        users.map((userId) => context.store.head({ kind: "user", userId })),
      );
      expect(heads.map(({ seq }) => seq)).toEqual(users.map((_, i) => i));
    });
  });

  describe("namespaces", () => {
    it("a store lists the namespaces with records", async () => {
      await context.putKeys(notes, "a");
      await context.putKeys(tasks, "a");
      await context.putKeys({ userId: "lee", agentId: "" }, "a");
      await context.store.update(kim, async (tx) => tx.clear(tasks));
      await context.store.update({ kind: "run", runId: "r" }, async (tx) =>
        tx.put("replyExpiries", { kind: "run", runId: "r" }, "k", ""),
      );
      const found = await collect(context.store.namespaces());
      expect(found).toHaveLength(2);
      expect(found).toEqual(expect.arrayContaining([notes, { userId: "lee", agentId: "" }]));
    });
  });

  describe("ids", () => {
    const userIds = [
      "b",
      "é",
      "aa",
      "a\0b",
      "ab",
      "\u{e000}",
      "\u{10000}",
      "a",
      "a\0",
      "b".repeat(256),
    ];
    const inOrder = [...userIds].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));

    it("a store lists users in the order of their bytes, from any id on and by prefix", async () => {
      const { store } = context;
      // Every second user has more namespaces than one read has heads.
      for (const [i, userId] of userIds.entries())
        for (let n = 0; n < (i % 2 === 0 ? 1 : 70); n++)
          await context.putKeys({ userId, agentId: `agent ${n}` }, "k");
      expect(await collect(store.ids({ of: "users" }))).toEqual(inOrder);
      for (const after of [...inOrder, "", "a\0\0", "aaa", "bb", "\u{10ffff}"]) {
        const isAfter = (id: string) => Buffer.compare(Buffer.from(id), Buffer.from(after)) > 0;
        for (const prefix of ["", "a", "a\0", "ab", "c"])
          expect([after, prefix, await collect(store.ids({ of: "users", prefix, after }))]).toEqual(
            [after, prefix, inOrder.filter((id) => id.startsWith(prefix) && isAfter(id))],
          );
      }
    });

    it("a store lists the agents of one user in the order of their bytes", async () => {
      const { store } = context;
      for (const agentId of [...userIds, ""])
        await context.putKeys({ userId: "kim", agentId }, "k");
      await context.putKeys({ userId: "ki", agentId: "x" }, "k");
      await context.store.update(kim, async (tx) => tx.clear({ userId: "kim", agentId: "aa" }));
      const held = ["", ...inOrder].filter((id) => id !== "aa");
      const listed = (range: { readonly prefix?: string; readonly after?: string }) =>
        collect(store.ids({ of: "agents", userId: "kim", ...range }));
      expect(await listed({})).toEqual(held);
      expect(await listed({ after: "a\0" })).toEqual(held.slice(held.indexOf("a\0") + 1));
      expect(await listed({ prefix: "a", after: "a" })).toEqual(["a\0", "a\0b", "ab"]);
      expect(await collect(store.ids({ of: "agents", userId: "k" }))).toEqual([]);
    });

    it("a store lists runs apart from users, and no scope with stored replies alone", async () => {
      const { store } = context;
      const run = (runId: string): Scope => ({ kind: "run", runId });
      for (const runId of ["r2", "r1"])
        await store.update(run(runId), async (tx) => tx.put("digestKeys", run(runId), "k", ""));
      await store.update(run("r3"), async (tx) => tx.put("replyExpiries", run("r3"), "k", ""));
      await context.putKeys(notes, "a");
      expect(await collect(store.ids({ of: "runs" }))).toEqual(["r1", "r2"]);
      expect(await collect(store.ids({ of: "runs", after: "r1" }))).toEqual(["r2"]);
      expect(await collect(store.ids({ of: "users" }))).toEqual(["kim"]);
    });
  });

  describe("scopes", () => {
    it("a store lists the scopes with records outside namespaces", async () => {
      const run: Scope = { kind: "run", runId: "r" };
      const server: Scope = { kind: "server" };
      await context.putKeys(notes, "a");
      for (const scope of [run, server])
        await context.store.update(scope, async (tx) => tx.put("replyExpiries", scope, "k", ""));
      const emptied: Scope = { kind: "user", userId: "lee" };
      await context.store.update(emptied, async (tx) => tx.put("replyExpiries", emptied, "k", ""));
      await context.store.update(emptied, async (tx) => tx.delete("replyExpiries", emptied, "k"));
      const found = await collect(context.store.scopes());
      expect(found).toHaveLength(2);
      expect(found).toEqual(expect.arrayContaining([run, server]));
    });
  });

  describe("close", () => {
    it("closing a store waits for all started transactions, and refuses later ones", async () => {
      const started = Promise.all([
        context.putKeys(notes, "a"),
        context.putKeys(notes, "b"),
        context.putKeys({ userId: "lee", agentId: "x" }, "c"),
      ]);
      await context.store.close();
      expect((await started).map(({ head }) => head.seq)).toEqual([1, 2, 1]);
      const refused = { code: "UNAVAILABLE", reason: "STORE_UNAVAILABLE" };
      await expect(context.putKeys(notes, "d")).rejects.toMatchObject(refused);
      await expect(context.store.snapshot(kim)).rejects.toMatchObject(refused);
      await expect(context.store.head(kim)).rejects.toMatchObject(refused);
    });

    it("a store may be closed twice", async () => {
      await context.store.close();
      await context.store.close();
    });
  });
}

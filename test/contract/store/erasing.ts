import { describe, expect, it } from "vitest";
import type { Scope } from "../../../src/core/model/namespace.js";
import { collect, keysOf, kim, notes, type StoreContext, tasks } from "./context.js";

const lee: Scope = { kind: "user", userId: "lee" };
const nowMs = 1_760_000_000_000;

export function describeErasing(context: StoreContext): void {
  describe("erasing a scope", () => {
    it("an erased scope has no records, no namespaces and no change log, and its commits go on", async () => {
      await context.putKeys(notes, "a", "b");
      await context.putKeys(tasks, "c");
      await context.store.update(kim, async (tx) => tx.put("digestKeys", kim, "k", "ab"));
      await context.putKeys({ userId: "lee", agentId: "notes" }, "d");
      const before = await context.store.head(kim);
      const head = await context.store.erase(kim, nowMs);
      expect(head).toEqual({ ...before, seq: before.seq + 1 });
      expect(await context.store.head(kim)).toEqual(head);
      await context.read(kim, async (snapshot) => {
        for (const namespace of [notes, tasks]) {
          expect(await keysOf(snapshot, "timeline", namespace)).toEqual([]);
          expect(await snapshot.count("timeline", namespace)).toBe(0);
        }
        expect(await snapshot.get("digestKeys", kim, "k")).toBeUndefined();
        expect(await context.store.changes(snapshot, before.seq - 1)).toBeUndefined();
      });
      expect(await collect(context.store.ids({ of: "agents", userId: "kim" }))).toEqual([]);
      expect(await collect(context.store.ids({ of: "users" }))).toEqual(["lee"]);
      expect(await collect(context.store.scopes())).toEqual([]);
      await context.read(lee, async (snapshot) => {
        expect(await keysOf(snapshot, "timeline", { userId: "lee", agentId: "notes" })).toEqual([
          "d",
        ]);
      });
      const { result } = await context.store.update(kim, (tx) => tx.usage());
      expect(result).toEqual({ memories: 0, bytes: 0 });
    });

    it("what is written after an erasure stays, also after the store is compacted", async () => {
      await context.putKeys(notes, "a");
      await context.store.erase(kim, nowMs);
      const { head } = await context.putKeys(notes, "b");
      expect(head.seq).toBe(3);
      await context.store.compact();
      await context.read(kim, async (snapshot) =>
        expect(await keysOf(snapshot, "timeline", notes)).toEqual(["b"]),
      );
    });

    it("an erasure comes between concurrent writes", async () => {
      await context.putKeys(notes, "a");
      const writes = Array.from({ length: 10 }, (_, at) => context.putKeys(notes, `w${at}`));
      const erased = context.store.erase(kim, nowMs);
      const seqs = (await Promise.all(writes)).map(({ head }) => head.seq);
      const { seq } = await erased;
      expect(seqs).not.toContain(seq);
      await context.read(kim, async (snapshot) => {
        const left = seqs.flatMap((each, at) => (each > seq ? [`w${at}`] : []));
        expect(await keysOf(snapshot, "timeline", notes)).toEqual(left);
      });
    });

    it("erasing a scope without commits changes nothing", async () => {
      expect((await context.store.erase(lee, nowMs)).seq).toBe(0);
      expect((await context.store.head(lee)).seq).toBe(0);
    });
  });
}

import { describe, expect, it } from "vitest";
import type { Scope } from "../../../src/core/model/namespace.js";
import { sampleMemory } from "../sample-records.js";
import { collect, keysOf, kim, notes, type StoreContext, tasks } from "./context.js";

export function describeTransactions(context: StoreContext): void {
  describe("a transaction", () => {
    it("readers see all writes of a transaction or none", async () => {
      const writer = Promise.all(
        Array.from({ length: 100 }, (_, index) =>
          context.store.update(kim, async (tx) => {
            for (const key of ["a", "b", "c"])
              tx.put("memories", notes, key, sampleMemory(key, String(index)));
          }),
        ),
      );
      for (let round = 0; round < 50; round++) {
        const contents = await context.read(kim, (snapshot) =>
          collect(snapshot.scan("memories", notes)),
        );
        expect(new Set(contents.map(([, memory]) => memory.content)).size).toBeLessThanOrEqual(1);
        expect([0, 3]).toContain(contents.length);
      }
      await writer;
    });

    it("a transaction that throws writes nothing, and rethrows the error", async () => {
      await context.putKeys(notes, "kept");
      const error = new Error("no");
      const failing = context.store.update(kim, async (tx) => {
        tx.put("timeline", notes, "new", null);
        tx.delete("timeline", notes, "kept");
        tx.clear(notes);
        tx.put("replyExpiries", kim, "e", "r");
        throw error;
      });
      const after = context.store.update(kim, (tx) => keysOf(tx, "timeline", notes));
      await expect(failing).rejects.toBe(error);
      expect((await after).result).toEqual(["kept"]);
      await context.read(kim, async (snapshot) => {
        expect(snapshot.head.seq).toBe(1);
        expect(await snapshot.count("timeline", notes)).toBe(1);
        expect(await keysOf(snapshot, "replyExpiries", kim)).toEqual([]);
      });
    });

    it("a transaction refuses writes after its function has ended", async () => {
      const { result: ended } = await context.store.update(kim, async (tx) => tx);
      expect(() => ended.put("timeline", notes, "late", null)).toThrow("ended");
      expect(() => ended.delete("timeline", notes, "late")).toThrow("ended");
      expect(() => ended.clear(notes)).toThrow("ended");
    });

    it("a transaction knows whether a key is unused, even if concurrent transactions write the key", async () => {
      await context.putKeys(notes, "old", "older");
      const claim = (key: string) =>
        context.store.update(kim, async (tx) => {
          const isUnused = await tx.isUnused("timeline", notes, key);
          if (isUnused) tx.put("timeline", notes, key, null);
          return isUnused;
        });
      const remove = context.store.update(kim, async (tx) => tx.delete("timeline", notes, "older"));
      const keys = ["new", "old", "new", "older", "newer", "older"];
      const claimed = await Promise.all(keys.map(claim));
      await remove;
      expect(claimed.map(({ result }) => result)).toEqual([true, false, false, true, true, false]);
      const { result } = await context.store.update(kim, async (tx) => {
        tx.clear(notes);
        return [
          await tx.isUnused("timeline", notes, "old"),
          await tx.isUnused("timeline", tasks, "old"),
        ];
      });
      expect(result).toEqual([true, true]);
      await context.read(kim, async (snapshot) =>
        expect(await keysOf(snapshot, "timeline", notes)).toEqual([]),
      );
    });

    it("a second scan in a transaction has the same result plus the transaction's own writes", async () => {
      const keys = Array.from({ length: 120 }, (_, i) => `k${String(i).padStart(3, "0")}`);
      await context.putKeys(notes, ...keys);
      await context.putKeys(tasks, "a", "b");
      await context.store.update(kim, async (tx) => {
        for (const reverse of [false, true]) {
          const expected = reverse ? keys.toReversed() : keys;
          expect(await keysOf(tx, "timeline", notes, { reverse })).toEqual(expected);
          expect(await keysOf(tx, "timeline", notes, { reverse })).toEqual(expected);
          expect(await keysOf(tx, "timeline", tasks, { reverse })).toHaveLength(2);
        }
        tx.delete("timeline", notes, "k001");
        tx.put("timeline", notes, "k0015", null);
        const first = await keysOf(tx, "timeline", notes);
        expect(first.slice(0, 3)).toEqual(["k000", "k0015", "k002"]);
        expect(first).toHaveLength(120);
        expect(await keysOf(tx, "timeline", notes, { after: "k117" })).toEqual(["k118", "k119"]);
      });
    });

    it("a transaction reads its own writes", async () => {
      await context.store.update(kim, async (tx) => {
        tx.put("memories", notes, "m", sampleMemory("m", "one"));
        expect(await tx.get("memories", notes, "m")).toEqual(sampleMemory("m", "one"));
        tx.put("memories", notes, "m", sampleMemory("m", "two"));
        expect((await tx.get("memories", notes, "m"))?.content).toBe("two");
        expect(await tx.count("memories", notes)).toBe(1);
        tx.delete("memories", notes, "m");
        tx.delete("memories", notes, "m");
        expect(await tx.get("memories", notes, "m")).toBeUndefined();
        expect(await tx.count("memories", notes)).toBe(0);
        tx.put("replyExpiries", kim, "e", "r");
        expect(await tx.count("replyExpiries", kim)).toBe(1);
        tx.delete("replyExpiries", kim, "e");
        expect(await tx.count("replyExpiries", kim)).toBe(0);
      });
    });

    it("a transaction reads the writes of earlier transactions of its scope, even if all start together", async () => {
      const first = context.store.update(kim, async (tx) =>
        tx.put("memories", notes, "m", sampleMemory("m", "one")),
      );
      const second = context.store.update(kim, async (tx) => {
        const found = await tx.get("memories", notes, "m");
        tx.put("memories", notes, "m", sampleMemory("m", `${found?.content} and two`));
        return tx.head.seq;
      });
      const third = context.store.update(kim, async (tx) => collect(tx.scan("memories", notes)));
      expect((await third).result).toEqual([["m", sampleMemory("m", "one and two")]]);
      expect((await second).result).toBe(1);
      expect((await first).head.seq).toBe(1);
      expect((await third).head.seq).toBe(2);
    });

    it("transactions of a scope run one after another, so a thousand concurrent increments all count", async () => {
      const counts = await Promise.all(
        Array.from({ length: 1000 }, () =>
          context.store.update(kim, async (tx) => {
            const count = Number((await tx.get("replyExpiries", kim, "count")) ?? "0") + 1;
            tx.put("replyExpiries", kim, "count", String(count));
            tx.put("timeline", notes, String(count), null);
            return count;
          }),
        ),
      );
      expect(counts.map(({ result }) => result)).toEqual(
        Array.from({ length: 1000 }, (_, index) => index + 1),
      );
      expect(counts.map(({ head }) => head.seq)).toEqual(counts.map(({ result }) => result));
      await context.read(kim, async (snapshot) => {
        expect(await snapshot.get("replyExpiries", kim, "count")).toBe("1000");
        expect(await snapshot.count("timeline", notes)).toBe(1000);
      });
    });

    it("a transaction does not wait for a transaction of another scope", async () => {
      const lee: Scope = { kind: "user", userId: "lee" };
      let release = (): void => undefined;
      const released = new Promise<void>((resolve) => (release = resolve));
      let begin = (): void => undefined;
      const begun = new Promise<void>((resolve) => (begin = resolve));
      const blocked = context.store.update(kim, () => {
        begin();
        return released;
      });
      await begun;
      await context.store.update(lee, async (tx) =>
        tx.put("timeline", { userId: "lee", agentId: "notes" }, "k", null),
      );
      release();
      await blocked;
    });

    it("a transaction without writes does not change the head", async () => {
      const before = (await context.putKeys(notes, "a")).head;
      const { head, result } = await context.store.update(kim, async (tx) => {
        tx.delete("timeline", notes, "absent");
        tx.clear(tasks);
        return tx.get("timeline", notes, "a");
      });
      expect({ head, result }).toEqual({ head: before, result: null });
    });

    it("the commit times of a scope never go back, even if the clock does", async () => {
      const times = [500, 400, 450, 600].map((clockMs) =>
        context.store.update(kim, async (tx) => {
          tx.put("replyExpiries", kim, "k", String(clockMs));
          return tx.commitTimeMs(clockMs);
        }),
      );
      expect((await Promise.all(times)).map(({ result }) => result)).toEqual([500, 500, 500, 600]);
      const other = await context.store.update({ kind: "run", runId: "r" }, async (tx) =>
        tx.commitTimeMs(3),
      );
      expect(other.result).toBe(3);
    });
  });

  describe("clear", () => {
    it("clearing a namespace empties all of its tables, and no table of another namespace", async () => {
      await context.store.update(kim, async (tx) => {
        for (const namespace of [notes, tasks]) {
          tx.put("memories", namespace, "m", sampleMemory("m", "text"));
          tx.put("vectors", namespace, "m", Float32Array.of(1));
          tx.put("alternateVectors", namespace, "m", Float32Array.of(2));
          tx.put("timeline", namespace, "t", null);
          tx.put("profiles", namespace, "vectors", { modelId: "x", dimension: 1 });
        }
        tx.put("replyExpiries", kim, "e", "r");
      });
      await context.store.update(kim, async (tx) => tx.clear(notes));
      await context.read(kim, async (snapshot) => {
        for (const table of [
          "memories",
          "vectors",
          "alternateVectors",
          "timeline",
          "profiles",
        ] as const) {
          expect(await keysOf(snapshot, table, notes)).toEqual([]);
          expect(await snapshot.count(table, notes)).toBe(0);
          expect(await keysOf(snapshot, table, tasks)).toHaveLength(1);
          expect(await snapshot.count(table, tasks)).toBe(1);
        }
        expect(await snapshot.get("memories", notes, "m")).toBeUndefined();
        expect(await keysOf(snapshot, "replyExpiries", kim)).toEqual(["e"]);
      });
    });

    it("clearing a namespace continues the commit sequence, and later records are visible", async () => {
      await context.putKeys(notes, "old", "both");
      const { head } = await context.store.update(kim, async (tx) => {
        tx.put("timeline", notes, "lost", null);
        tx.clear(notes);
        expect(await keysOf(tx, "timeline", notes)).toEqual([]);
        expect(await tx.count("timeline", notes)).toBe(0);
        tx.put("timeline", notes, "both", null);
      });
      expect(head.seq).toBe(2);
      expect((await context.putKeys(notes, "new")).head.seq).toBe(3);
      await context.store.update(kim, async (tx) => {
        expect(await keysOf(tx, "timeline", notes)).toEqual(["both", "new"]);
        expect(await tx.get("timeline", notes, "old")).toBeUndefined();
      });
      await context.read(kim, async (snapshot) => {
        expect(await keysOf(snapshot, "timeline", notes, { reverse: true })).toEqual([
          "new",
          "both",
        ]);
        expect(await snapshot.count("timeline", notes)).toBe(2);
      });
    });

    it("clearing a namespace can be repeated", async () => {
      for (let round = 1; round <= 5; round++) {
        await context.putKeys(notes, `k${round}`);
        expect(await context.read(kim, (snapshot) => keysOf(snapshot, "timeline", notes))).toEqual([
          `k${round}`,
        ]);
        await context.store.update(kim, async (tx) => tx.clear(notes));
      }
      expect(await context.read(kim, (snapshot) => keysOf(snapshot, "timeline", notes))).toEqual(
        [],
      );
    });
  });
}

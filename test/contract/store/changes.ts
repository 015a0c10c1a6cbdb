import { describe, expect, it } from "vitest";
import { sampleMemory } from "../sample-records.js";
import { kim, notes, type StoreContext, tasks } from "./context.js";

export function describeChanges(context: StoreContext): void {
  describe("changes", () => {
    it("the changes of a commit name the records that it touched in logged tables, and cleared namespaces", async () => {
      await context.store.update(kim, async (tx) => {
        tx.put("memories", notes, "a", sampleMemory("a", "a"));
        tx.put("memories", tasks, "b", sampleMemory("b", "b"));
        tx.put("memories", notes, "a", sampleMemory("a", "again"));
        tx.put("vectors", notes, "a", Float32Array.of(1));
        tx.put("timeline", notes, "t", null);
      });
      await context.store.update(kim, async (tx) => tx.put("replyExpiries", kim, "k", ""));
      await context.store.update(kim, async (tx) => {
        tx.delete("memories", tasks, "b");
        tx.delete("memories", tasks, "absent");
        tx.put("memories", notes, "before", sampleMemory("before", ""));
        tx.clear(notes);
        tx.put("memories", notes, "c", sampleMemory("c", "c"));
      });
      await context.read(kim, async (snapshot) => {
        const changes = await context.store.changes(snapshot, 0);
        expect(changes).toEqual([
          {
            seq: 1,
            touched: [
              { table: "memories", agentId: "notes", key: "a" },
              { table: "memories", agentId: "tasks", key: "b" },
            ],
            cleared: [],
          },
          { seq: 2, touched: [], cleared: [] },
          {
            seq: 3,
            touched: [
              { table: "memories", agentId: "tasks", key: "b" },
              { table: "memories", agentId: "notes", key: "c" },
            ],
            cleared: ["notes"],
          },
        ]);
        expect(await context.store.changes(snapshot, 2)).toEqual(changes?.slice(2));
        expect(await context.store.changes(snapshot, 3)).toEqual([]);
      });
    });

    it("the changes of a transaction are visible to the next transaction even before they are durable", async () => {
      const seen = Array.from({ length: 20 }, (_, i) =>
        context.store.update(kim, async (tx) => {
          tx.put("profiles", notes, `p${i}`, { modelId: "x", dimension: 1 });
          tx.put("alternateVectors", notes, "a", Float32Array.of(i));
          return tx.changes(Math.max(0, i - 2));
        }),
      );
      const change = (i: number) => ({
        seq: i + 1,
        touched: [{ table: "profiles", agentId: "notes", key: `p${i}` }],
        cleared: [],
      });
      for (const [i, { result }] of (await Promise.all(seen)).entries()) {
        expect(result).toEqual([change(i - 2), change(i - 1)].slice(Math.max(0, 2 - i)));
      }
    });

    it("the changes of a snapshot end at its head", async () => {
      await context.putKeys(notes, "a");
      await using snapshot = await context.store.snapshot(kim);
      await context.putKeys(notes, "b");
      expect((await context.store.changes(snapshot, 0))?.map(({ seq }) => seq)).toEqual([1]);
    });

    it("the changes since a commit are undefined when the change log no longer has all of them", async () => {
      await Promise.all(
        Array.from({ length: 5000 }, (_, index) => context.putKeys(notes, String(index % 10))),
      );
      await context.read(kim, async (snapshot) => {
        expect(snapshot.head.seq).toBe(5000);
        expect(await context.store.changes(snapshot, 0)).toBeUndefined();
        expect((await context.store.changes(snapshot, 4000))?.map(({ seq }) => seq)).toEqual(
          Array.from({ length: 1000 }, (_, i) => 4001 + i),
        );
      });
      await context.store.update(kim, async (tx) => {
        expect(await tx.changes(0)).toBeUndefined();
        expect((await tx.changes(4999))?.map(({ seq }) => seq)).toEqual([5000]);
      });
    });
  });
}

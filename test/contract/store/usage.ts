import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Namespace, Scope } from "../../../src/core/model/namespace.js";
import type { ScopeTable } from "../../../src/core/ports/store.js";
import type { Usage } from "../../../src/core/ports/usage.js";
import { codecOf } from "../../../src/store/codec/table-codecs.js";
import { propertyRuns } from "../../suite.js";
import { namespaceRecords, sampleMemory, scopeRecords } from "../sample-records.js";
import { kim, notes, type StoreContext, tasks } from "./context.js";

const nothing: Usage = { memories: 0, bytes: 0 };

/** Returns the bytes of a memory that `sampleMemory` makes, including its key. */
function bytesOfMemory(id: string, content: string): number {
  return id.length + codecOf("memories").encode(sampleMemory(id, content)).length;
}

export function describeUsage(context: StoreContext): void {
  const usage = async (scope: Scope = kim): Promise<Usage> =>
    (await context.store.update(scope, (tx) => tx.usage())).result;

  const put = (namespace: Namespace, id: string, content: string) =>
    context.store.update(kim, async (tx) => {
      tx.put("memories", namespace, id, sampleMemory(id, content));
      return tx.usage();
    });

  describe("the usage of a scope", () => {
    it("the usage of a scope is 0 without records, and counts keys and values of all namespaces", async () => {
      expect(await usage()).toEqual(nothing);
      await put(notes, "m1", "one");
      await put(tasks, "m2", "and two");
      await context.store.update(kim, async (tx) => tx.put("timeline", notes, "1234567", null));
      expect(await usage()).toEqual({
        memories: 2,
        bytes: bytesOfMemory("m1", "one") + bytesOfMemory("m2", "and two") + 7,
      });
    });

    it("the usage of a scope follows replacements and deletions, even within one transaction", async () => {
      await put(notes, "m1", "a long content that is replaced");
      const { result } = await put(notes, "m1", "short");
      expect(result).toEqual({ memories: 1, bytes: bytesOfMemory("m1", "short") });
      const { result: after } = await context.store.update(kim, async (tx) => {
        tx.delete("memories", notes, "m1");
        tx.delete("memories", notes, "never there");
        return tx.usage();
      });
      expect(after).toEqual(nothing);
      expect(await usage()).toEqual(nothing);
    });

    it("the usage of a scope loses exactly the size of a cleared namespace", async () => {
      await put(notes, "m1", "one");
      await put(tasks, "m2", "two");
      await context.store.update(kim, async (tx) => {
        tx.put("memories", notes, "m3", sampleMemory("m3", "written and cleared at once"));
        tx.clear(notes);
        tx.put("memories", notes, "m4", sampleMemory("m4", "four"));
      });
      const rest = bytesOfMemory("m2", "two") + bytesOfMemory("m4", "four");
      expect(await usage()).toEqual({ memories: 2, bytes: rest });
    });

    it("a transaction that throws does not change the usage of its scope", async () => {
      await put(notes, "m1", "one");
      const before = await usage();
      const failing = context.store.update(kim, async (tx) => {
        tx.put("memories", notes, "m2", sampleMemory("m2", "two"));
        throw new Error("planned");
      });
      await expect(failing).rejects.toThrow("planned");
      expect(await usage()).toEqual(before);
    });

    it("the usage of a scope counts every table except stored replies and positions of webhooks", async () => {
      const counted: string[] = [];
      const countOf = async (write: () => Promise<unknown>, table: string) => {
        const before = (await usage()).bytes;
        await write();
        if ((await usage()).bytes > before) counted.push(table);
      };
      for (const table of Object.keys(namespaceRecords) as (keyof typeof namespaceRecords)[])
        await countOf(
          () =>
            context.store.update(kim, async (tx) =>
              tx.put(table, notes, "key", namespaceRecords[table] as never),
            ),
          table,
        );
      for (const table of Object.keys(scopeRecords) as ScopeTable[])
        await countOf(
          () =>
            context.store.update(kim, async (tx) =>
              tx.put(table, kim, "key", scopeRecords[table] as never),
            ),
          table,
        );
      const all = [...Object.keys(namespaceRecords), ...Object.keys(scopeRecords)];
      expect(all.filter((table) => !counted.includes(table))).toEqual([
        "replies",
        "replyExpiries",
        "deliveries",
      ]);
    });

    it("the upper bounds of usage are exact in a transaction that has read the records that it writes", async () => {
      await put(notes, "m1", "one");
      await context.store.update(kim, async (tx) => {
        const before = { memories: 1, bytes: bytesOfMemory("m1", "one") };
        expect(await tx.get("memories", notes, "m1")).toBeDefined();
        expect(await tx.get("memories", notes, "m2")).toBeUndefined();
        tx.put("memories", notes, "m1", sampleMemory("m1", "longer"));
        tx.put("memories", notes, "m2", sampleMemory("m2", "two"));
        const bytes = bytesOfMemory("m1", "longer") + bytesOfMemory("m2", "two");
        expect(tx.usageAtMost()).toEqual({ memories: 2, bytes });
        expect(tx.countAtMost("memories", notes)).toBe(2);
        expect(tx.countAtMost("memories", tasks)).toBe(0);
        tx.delete("memories", notes, "m1");
        expect(tx.usageAtMost()).toEqual({ memories: 1, bytes: bytesOfMemory("m2", "two") });
        tx.clear(notes);
        tx.put("memories", notes, "m3", sampleMemory("m3", "three"));
        expect(tx.usageAtMost()).toEqual({ memories: 1, bytes: bytesOfMemory("m3", "three") });
        expect(tx.countAtMost("memories", notes)).toBe(1);
        expect(await tx.usageBefore()).toEqual(before);
      });
    });

    it("the usage of one user counts no records of other users", async () => {
      await put(notes, "m1", "one");
      expect(await usage({ kind: "user", userId: "lee" })).toEqual(nothing);
    });

    it("after any writes, deletions and clears, the usage of a scope is the sum of its records", async () => {
      let users = 0;
      const step = fc.record({
        agent: fc.constantFrom("a", "b"),
        key: fc.constantFrom("k1", "k2", "ключ"),
        content: fc.option(fc.string({ unit: "binary", maxLength: 40 }), { nil: undefined }),
        clears: fc.integer({ min: 0, max: 9 }).map((n) => n === 0),
      });
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.array(step, { maxLength: 5 }), { maxLength: 8 }),
          async (transactions) => {
            const userId = `counted ${users++}`;
            const scope: Scope = { kind: "user", userId };
            const expected = new Map<string, number>();
            const runs = transactions.map((steps) =>
              context.store.update(scope, async (tx) => {
                for (const { agent, key, content, clears } of steps) {
                  const namespace = { userId, agentId: agent };
                  const id = `${agent} ${key}`;
                  if (clears) {
                    tx.clear(namespace);
                    for (const known of [...expected.keys()])
                      if (known.startsWith(`${agent} `)) expected.delete(known);
                  } else if (content === undefined) {
                    tx.delete("memories", namespace, key);
                    expected.delete(id);
                  } else {
                    const memory = sampleMemory(key, content.toWellFormed());
                    tx.put("memories", namespace, key, memory);
                    const bytes = codecOf("memories").encode(memory).length;
                    expected.set(id, Buffer.byteLength(key) + bytes);
                  }
                }
                const namespace = { userId, agentId: "a" };
                const bound = tx.usageAtMost();
                const countBound = tx.countAtMost("memories", namespace);
                const exact = await tx.usage();
                expect(bound.memories).toBeGreaterThanOrEqual(exact.memories);
                expect(bound.bytes).toBeGreaterThanOrEqual(exact.bytes);
                const count = await tx.count("memories", namespace);
                expect(countBound).toBeGreaterThanOrEqual(count);
              }),
            );
            await Promise.all(runs);
            expect(await usage(scope)).toEqual({
              memories: expected.size,
              bytes: [...expected.values()].reduce((sum, bytes) => sum + bytes, 0),
            });
          },
        ),
        { numRuns: propertyRuns(60) },
      );
    });
  });
}

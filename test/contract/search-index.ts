import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Memory } from "../../src/core/model/memory.js";
import { type Namespace, scopeOf } from "../../src/core/model/namespace.js";
import type {
  IndexQuery,
  NamespaceIndex,
  NearestQuery,
  Row,
  SearchIndex,
} from "../../src/core/ports/search-index.js";
import type { Store, Transaction } from "../../src/core/ports/store.js";
import { propertyRuns } from "../suite.js";
import { countingHits, type Hit, hitsOf, rounded } from "./index-hits.js";
import { sampleMemory } from "./sample-records.js";

const notes: Namespace = { userId: "kim", agentId: "notes" };
const tasks: Namespace = { userId: "kim", agentId: "tasks" };
const signal = new AbortController().signal;

/** Writes a memory, and its vector if there is one, as the domain does. */
export function putMemory(
  tx: Transaction,
  namespace: Namespace,
  memory: Memory,
  vector?: Float32Array,
): void {
  tx.put("memories", namespace, memory.id, memory);
  if (vector === undefined) {
    tx.delete("vectors", namespace, memory.id);
    return;
  }
  tx.put("vectors", namespace, memory.id, vector);
  tx.put("profiles", namespace, "vectors", { modelId: "test@1", dimension: vector.length });
}

/** Everything near a vector. */
export function nearestTo(vector: Float32Array): NearestQuery {
  return { vector, count: 1_000, accepts: () => true };
}

/**
 * What every implementation of `SearchIndex` must do. `openStore` gives a new and empty store each time; the suite closes it.
 * `beforeRead` is awaited before an index that has been read already is read again: what it does in the background may come to an end there.
 */
export function describeSearchIndex<Index extends SearchIndex>(
  name: string,
  openStore: () => Promise<Store>,
  createIndex: (store: Store) => Index,
  beforeRead: (index: Index) => Promise<void> = async () => undefined,
): void {
  describe(name, () => {
    let store: Store;
    let index: Index;

    beforeEach(async () => {
      store = await openStore();
      index = createIndex(store);
    });

    afterEach(async () => {
      await store.close();
    });

    function write(namespace: Namespace, change: (tx: Transaction) => void): Promise<unknown> {
      return store.update(scopeOf(namespace), async (tx) => change(tx));
    }

    function add(
      namespace: Namespace,
      id: string,
      content: string,
      vector?: Float32Array,
    ): Promise<unknown> {
      return write(namespace, (tx) => putMemory(tx, namespace, sampleMemory(id, content), vector));
    }

    async function hits(
      namespace: Namespace,
      query: IndexQuery,
      from = index,
    ): Promise<Map<string, Hit>> {
      await beforeRead(from);
      const read = (opened: NamespaceIndex, nearest: Int32Array | undefined) =>
        hitsOf(opened, { ...query, ...(nearest && { nearest }) });
      return from.read(namespace, signal, read, query.vector && nearestTo(query.vector));
    }

    async function found(namespace: Namespace, query: IndexQuery): Promise<string[]> {
      return [...(await hits(namespace, query)).keys()].sort();
    }

    describe("a namespace that holds nothing", () => {
      test("has no candidates and no profile", async () => {
        const seen = await index.read(notes, signal, (opened) => ({
          count: opened.candidates({ text: "" }).count,
          found: opened.candidates({ text: "oslo", vector: Float32Array.of(1, 0) }).count,
          profile: opened.profile,
          seq: opened.head.seq,
        }));
        expect(seen).toEqual({ count: 0, found: 0, profile: undefined, seq: 0 });
      });
    });

    describe("candidates", () => {
      beforeEach(async () => {
        await add(notes, "a", "Ann moved to Oslo", Float32Array.of(3, 0, 4));
        await add(notes, "b", "Ben lives in Lisbon", Float32Array.of(0, 2, 0));
        await add(notes, "c", "The harbour of Oslo");
      });

      test("of a text are the rows that share a word with it, with the share that they reach", async () => {
        const scores = await hits(notes, { text: "Who lives in Oslo?" });
        expect([...scores.keys()].sort()).toEqual(["a", "b", "c"]);
        for (const { keyword, vector } of scores.values()) {
          expect(keyword).toBeGreaterThan(0);
          expect(keyword).toBeLessThan(1);
          expect(vector).toBe(0);
        }
        expect(await found(notes, { text: "What is there?" })).toEqual([]);
      });

      test("of a vector are the rows at less than a right angle, with their cosine", async () => {
        const scores = await hits(notes, { text: "", vector: Float32Array.of(10, -1, 0) });
        expect([...scores.keys()]).toEqual(["a"]);
        expect(scores.get("a")?.vector).toBeCloseTo(30 / Math.sqrt(101) / 5, 4);
        expect(scores.get("a")?.keyword).toBe(0);
      });

      test("of both keep the cosine of a row that only the text brings up", async () => {
        const scores = await hits(notes, { text: "Lisbon", vector: Float32Array.of(1, -1, 0) });
        expect([...scores.keys()].sort()).toEqual(["a", "b"]);
        expect(scores.get("b")?.vector).toBeCloseTo(-Math.SQRT1_2, 4);
      });

      test("of nothing are all rows, without scores", async () => {
        expect(await hits(notes, { text: "" })).toEqual(
          new Map(
            ["a", "b", "c"].map((id) => [
              id,
              { keyword: 0, vector: 0, thread: 0, next: undefined },
            ]),
          ),
        );
      });

      test("have no vector score for a vector of another dimension", async () => {
        const scores = await hits(notes, { text: "Oslo", vector: Float32Array.of(1, 0) });
        expect([...scores.values()].map(({ vector }) => vector)).toEqual([0, 0]);
      });

      test("do not depend on what was asked before", async () => {
        const queries: IndexQuery[] = [
          { text: "Oslo" },
          { text: "Ann", vector: Float32Array.of(1, 1, 1) },
          { text: "" },
          { text: "", vector: Float32Array.of(0, 1, 0) },
        ];
        const first = await Promise.all(queries.map((query) => hits(notes, query)));
        const second = await Promise.all([...queries].reverse().map((query) => hits(notes, query)));
        expect(second.reverse()).toEqual(first);
      });
    });

    test("vectors that were exchanged for those of another model are found from then on, as if there had been no others", async () => {
      const inThread = (id: string, content: string) =>
        sampleMemory(id, content, { threadId: "t" });
      await write(notes, (tx) => {
        putMemory(tx, notes, inThread("a", "Ann moved to Oslo"), Float32Array.of(3, 0, 4));
        putMemory(tx, notes, inThread("b", "Ben lives in Lisbon"), Float32Array.of(0, 2, 0));
        putMemory(tx, notes, inThread("c", "The harbour of Oslo"), Float32Array.of(0, 2, 1));
        putMemory(tx, notes, sampleMemory("d", "The blue bicycle"), Float32Array.of(1, 2, 1));
      });
      await hits(notes, { text: "", vector: Float32Array.of(1, 1, 1) });
      await write(notes, (tx) => {
        tx.put("alternateVectors", notes, "a", Float32Array.of(3, 4));
        tx.put("alternateVectors", notes, "c", Float32Array.of(4, 3));
        tx.put("alternateVectors", notes, "e", Float32Array.of(0, 1));
        tx.put("profiles", notes, "vectors", {
          modelId: "test@2",
          dimension: 2,
          table: "alternateVectors",
        });
        tx.put("memories", notes, "e", sampleMemory("e", "Eve came later"));
        tx.delete("memories", notes, "d");
      });
      const both = { text: "Oslo", vector: Float32Array.of(1, 1) };
      const queries: IndexQuery[] = [
        both,
        { text: "", vector: Float32Array.of(1, 1, 1) },
        { text: "Lisbon" },
      ];
      for (const query of queries)
        expect(rounded(await hits(notes, query))).toEqual(
          rounded(await hits(notes, query, createIndex(store))),
        );
      expect((await hits(notes, both)).get("e")?.vector).toBeCloseTo(Math.SQRT1_2, 4);
      const table = await index.read(notes, signal, ({ profile }) => profile?.table);
      expect([table, (await index.profileOf(notes))?.modelId]).toEqual([
        "alternateVectors",
        "test@2",
      ]);
      await write(notes, (tx) => {
        tx.delete("alternateVectors", notes, "c");
        tx.put("memories", notes, "c", inThread("c", "The harbour of Bergen"));
      });
      for (const query of queries)
        expect(rounded(await hits(notes, query))).toEqual(
          rounded(await hits(notes, query, createIndex(store))),
        );
    });

    test("a row has its memory, the signature of its words and its vector", async () => {
      await add(notes, "a", "The blue bicycle", Float32Array.of(3, 4));
      await add(notes, "b", "BICYCLE, blue!", Float32Array.of(4, 3));
      await add(notes, "c", "…", Float32Array.of(0, 0));
      await index.read(notes, signal, (opened) => {
        expect(opened.profile).toEqual({ modelId: "test@1", dimension: 2 });
        const { count, rows } = opened.candidates({ text: "" });
        const byId = new Map(
          Array.from(rows.subarray(0, count), (row) => [opened.at(row as Row).memory.id, row]),
        );
        const [a, b, c] = ["a", "b", "c"].map((id) => byId.get(id) ?? -1) as [
          number,
          number,
          number,
        ];
        expect(opened.at(a as Row).memory).toEqual(sampleMemory("a", "The blue bicycle"));
        expect(opened.at(a as Row).wordSignature).toBeTypeOf("number");
        expect(opened.at(b as Row).wordSignature).toBe(opened.at(a as Row).wordSignature);
        expect(opened.at(c as Row).wordSignature).toBeUndefined();
        expect(opened.cosine(a as Row, b as Row)).toBeCloseTo(0.96, 4);
        expect(opened.cosine(a as Row, c as Row)).toBe(0);
      });
    });

    test("memories that are superseded or expired stay rows", async () => {
      await write(notes, (tx) => {
        putMemory(tx, notes, sampleMemory("a", "old", { supersededBy: "b" }));
        putMemory(tx, notes, sampleMemory("b", "gone", { expireTime: { seconds: 0, nanos: 0 } }));
      });
      expect(await found(notes, { text: "" })).toEqual(["a", "b"]);
    });

    describe("a read", () => {
      test("sees every commit that was acknowledged before it", async () => {
        for (let i = 0; i < 30; i++) {
          const { head } = await store.update(scopeOf(notes), async (tx) =>
            putMemory(tx, notes, sampleMemory(`m${i}`, `entry number${i}`)),
          );
          expect(await found(notes, { text: `number${i}` })).toEqual([`m${i}`]);
          expect(await index.read(notes, signal, (opened) => opened.head)).toEqual(head);
        }
      });

      test("sees changed contents, changed fields, new vectors and deletions", async () => {
        await add(notes, "a", "red", Float32Array.of(1, 0));
        await add(notes, "b", "red", Float32Array.of(1, 0));
        expect(await found(notes, { text: "red" })).toEqual(["a", "b"]);

        await add(notes, "a", "green", Float32Array.of(1, 0));
        expect(await found(notes, { text: "red" })).toEqual(["b"]);
        expect(await found(notes, { text: "green" })).toEqual(["a"]);

        await write(notes, (tx) =>
          putMemory(
            tx,
            notes,
            sampleMemory("a", "green", { version: 3, tags: ["x"] }),
            Float32Array.of(0, 1),
          ),
        );
        expect(
          (await hits(notes, { text: "", vector: Float32Array.of(0, 1) })).get("a")?.vector,
        ).toBeCloseTo(1, 4);
        await index.read(notes, signal, (opened) => {
          const { rows } = opened.candidates({ text: "green" });
          expect(opened.at((rows[0] ?? -1) as Row).memory).toMatchObject({
            version: 3,
            tags: ["x"],
          });
        });

        await write(notes, (tx) => {
          tx.delete("memories", notes, "b");
          tx.delete("vectors", notes, "b");
        });
        expect(await found(notes, { text: "" })).toEqual(["a"]);
        expect(await found(notes, { text: "red", vector: Float32Array.of(1, 0) })).toEqual([]);
      });

      test("sees a cleared namespace empty, and what was added after", async () => {
        await add(notes, "a", "red", Float32Array.of(1, 0));
        expect(await found(notes, { text: "red" })).toEqual(["a"]);
        await write(notes, (tx) => tx.clear(notes));
        expect(await found(notes, { text: "" })).toEqual([]);
        await write(notes, (tx) => {
          tx.clear(notes);
          putMemory(tx, notes, sampleMemory("b", "red"), Float32Array.of(1, 2, 3));
        });
        expect(await found(notes, { text: "red" })).toEqual(["b"]);
        expect(await index.read(notes, signal, (opened) => opened.profile?.dimension)).toBe(3);
      });

      test("sees what is further back than the change log reaches", async () => {
        await add(notes, "first", "first");
        expect(await found(notes, { text: "first" })).toEqual(["first"]);
        await Promise.all(
          Array.from({ length: 5_000 }, (_, i) => add(notes, `m${i % 50}`, `entry${i}`)),
        );
        expect(await found(notes, { text: "entry4999" })).toEqual(["m49"]);
        expect((await found(notes, { text: "" })).length).toBe(51);
      });

      test("of many at once finds what each of them has written", async () => {
        const rounds = Array.from({ length: 40 }, async (_, i) => {
          const namespace = i % 2 === 0 ? notes : tasks;
          await add(namespace, `m${i}`, `entry${i}`, Float32Array.of(1, i));
          expect(await found(namespace, { text: `entry${i}` })).toEqual([`m${i}`]);
        });
        await Promise.all(rounds);
        expect((await found(notes, { text: "" })).length).toBe(20);
      });

      test("passes on what the reader throws, and the next one works", async () => {
        await add(notes, "a", "red");
        const failure = new Error("from the reader");
        await expect(
          index.read(notes, signal, () => {
            throw failure;
          }),
        ).rejects.toBe(failure);
        expect(await found(notes, { text: "red" })).toEqual(["a"]);
      });

      test("ends with the reason of its signal, and others go on", async () => {
        await add(notes, "a", "red");
        const controller = new AbortController();
        const reason = new Error("no longer wanted");
        controller.abort(reason);
        const [aborted, wanted] = await Promise.allSettled([
          index.read(notes, controller.signal, () => "read"),
          index.read(notes, signal, (opened) => opened.candidates({ text: "red" }).count),
        ]);
        expect(aborted).toEqual({ status: "rejected", reason });
        expect(wanted).toEqual({ status: "fulfilled", value: 1 });
      });
    });

    test("a namespace shows nothing of the same user's other agents and of other users", async () => {
      const foreign: Namespace = { userId: "lee", agentId: "notes" };
      await add(notes, "a", "red apple", Float32Array.of(1, 0));
      await add(tasks, "b", "red brick", Float32Array.of(1, 0, 0));
      await add(foreign, "c", "red car", Float32Array.of(0, 1));
      expect(await found(notes, { text: "red" })).toEqual(["a"]);
      expect(await found(tasks, { text: "red" })).toEqual(["b"]);
      expect(await found(foreign, { text: "red" })).toEqual(["c"]);

      const alone = (await hits(notes, { text: "red" })).get("a")?.keyword;
      for (let i = 0; i < 20; i++) await add(tasks, `t${i}`, "red");
      expect((await hits(notes, { text: "red" })).get("a")?.keyword).toBe(alone);
      expect(await index.read(notes, signal, (opened) => opened.profile?.dimension)).toBe(2);
      expect(await found({ userId: "kim", agentId: "nobody" }, { text: "red" })).toEqual([]);
    });

    test("catching up comes to the same as loading anew, after any writes", async () => {
      const id = fc.constantFrom("a", "b", "c", "d", "e", "f");
      const content = fc
        .array(fc.constantFrom("red", "green", "blue", "oslo", "7"), { maxLength: 6 })
        .map((words) => words.join(" "));
      const vector = fc.option(
        fc.tuple(fc.integer({ min: -3, max: 3 }), fc.integer({ min: -3, max: 3 })),
        { nil: undefined },
      );
      const threadId = fc.option(fc.constantFrom("x", "y"), { nil: undefined });
      const second = fc.nat({ max: 5 });
      const operation = fc.oneof(
        {
          weight: 8,
          arbitrary: fc.record({
            kind: fc.constant("put" as const),
            id,
            content,
            vector,
            threadId,
            second,
          }),
        },
        { weight: 3, arbitrary: fc.record({ kind: fc.constant("delete" as const), id }) },
        { weight: 1, arbitrary: fc.record({ kind: fc.constant("clear" as const) }) },
      );
      const commit = fc.record({
        namespace: fc.constantFrom(notes, notes, tasks),
        operations: fc.array(operation, { minLength: 1, maxLength: 3 }),
      });
      const queries: IndexQuery[] = [
        { text: "" },
        { text: "red oslo 7" },
        { text: "blue", vector: Float32Array.of(1, 2) },
        { text: "", vector: Float32Array.of(-1, 1) },
      ];

      let run = 0;
      await fc.assert(
        fc.asyncProperty(fc.array(commit, { minLength: 1, maxLength: 12 }), async (commits) => {
          run += 1;
          for (const {
            namespace: { agentId },
            operations,
          } of commits) {
            const namespace: Namespace = { userId: `user ${run}`, agentId };
            await write(namespace, (tx) => {
              for (const action of operations) {
                if (action.kind === "clear") tx.clear(namespace);
                else if (action.kind === "put") {
                  const { threadId, vector } = action;
                  const more = {
                    eventTime: { seconds: action.second, nanos: 0 },
                    ...(threadId && { threadId, author: threadId }),
                  };
                  putMemory(
                    tx,
                    namespace,
                    sampleMemory(action.id, action.content, more),
                    vector && Float32Array.from(vector),
                  );
                } else {
                  tx.delete("memories", namespace, action.id);
                  tx.delete("vectors", namespace, action.id);
                }
              }
            });
            const fresh = createIndex(store);
            for (const query of queries) {
              const expected = countingHits(await hits(namespace, query, fresh), query);
              const actual = countingHits(await hits(namespace, query), query);
              expect([...actual.keys()].sort()).toEqual([...expected.keys()].sort());
              for (const [hit, scores] of expected) {
                expect(actual.get(hit)?.keyword).toBeCloseTo(scores.keyword, 5);
                expect(actual.get(hit)?.vector).toBeCloseTo(scores.vector, 5);
                expect(actual.get(hit)?.thread).toBeCloseTo(scores.thread, 5);
                expect(actual.get(hit)?.next).toBe(scores.next);
              }
            }
          }
        }),
        { numRuns: propertyRuns(40) },
      );
    });
  });
}

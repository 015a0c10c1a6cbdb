import fc from "fast-check";
import { expect, test } from "vitest";
import type { Namespace } from "../../../src/core/model/namespace.js";
import type { IndexQuery } from "../../../src/core/ports/search-index.js";
import { propertyRuns } from "../../suite.js";
import { countingHits } from "../index-hits.js";
import { sampleMemory } from "../sample-records.js";
import { type IndexContext, notes, putMemory, tasks } from "./context.js";

export function describeCatchingUp(context: IndexContext): void {
  test("after any writes, an index that catches up with the store equals a new index", async () => {
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
          await context.write(namespace, (tx) => {
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
          const fresh = context.createIndex();
          for (const query of queries) {
            const expected = countingHits(await context.hits(namespace, query, fresh), query);
            const actual = countingHits(await context.hits(namespace, query), query);
            expect([...actual.keys()].sort()).toEqual([...expected.keys()].sort());
            for (const [hit, scores] of expected) {
              expect(actual.get(hit)?.keyword).toBeCloseTo(scores.keyword, 5);
              expect(actual.get(hit)?.vector).toBeCloseTo(scores.vector, 5);
              expect(actual.get(hit)?.next).toBe(scores.next);
            }
          }
        }
      }),
      { numRuns: propertyRuns(40) },
    );
  });
}

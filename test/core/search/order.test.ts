import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import type { MemoryService } from "../../../src/core/memories/service.js";
import { addAll, call, createService, queryOf, secondsAt } from "./search-service.js";

const words = ["red", "blue", "green", "wine", "nut", "gift", "table", "friday"];

let service: MemoryService;
beforeAll(async () => {
  service = await createService();
  const memories = Array.from({ length: 700 }, (_, n) => ({
    content: [
      n,
      ...Array.from(
        { length: 1 + (n % 4) },
        (_, i) => words[(n * (i + 3) + (n >> 3)) % words.length],
      ),
    ].join(" "),
    importance: (n % 11) / 10,
    eventTime: secondsAt(`2025-${String(1 + (n % 12)).padStart(2, "0")}-03`),
  }));
  await addAll(service, memories);
});

describe("the order of hits", () => {
  test("hits are ordered by final score, whatever the limit and the weights", async () => {
    const weight = fc.constantFrom(0, 0.02, 0.3, 1);
    const queries = fc.record({
      text: fc.subarray(words, { minLength: 1, maxLength: 4 }).map((chosen) => chosen.join(" ")),
      limit: fc.integer({ min: 1, max: 40 }),
      recency: weight,
      importance: weight,
      budgetTokens: fc.option(fc.integer({ min: 1, max: 60 }), { nil: undefined }),
    });
    await fc.assert(
      fc.asyncProperty(queries, async ({ text, limit, recency, importance, budgetTokens }) => {
        const changes = {
          weights: { recency, importance, novelty: 0 },
          ...(budgetTokens !== undefined && { budgetTokens }),
        };
        const { hits: first } = await service.search(queryOf(text, { ...changes, limit }), call);
        const { hits: all, summary } = await service.search(
          queryOf(text, { ...changes, limit: 1000 }),
          call,
        );
        if (budgetTokens === undefined) expect(all.length).toBe(summary.totalMatches);
        expect(first.map(({ memory }) => memory.id)).toEqual(
          all.slice(0, limit).map(({ memory }) => memory.id),
        );
        const finals = all.map(({ scores }) => scores.final);
        expect(finals).toEqual(finals.toSorted((a, b) => b - a));
      }),
    );
  });

  test("search returns each match that fits the rest of the budget, and lists or counts the other matches", async () => {
    const queries = fc.record({
      text: fc.subarray(words, { minLength: 1, maxLength: 4 }).map((chosen) => chosen.join(" ")),
      budgetTokens: fc.oneof(fc.integer({ min: 6, max: 60 }), fc.integer({ min: 60, max: 4000 })),
      order: fc.constantFrom("RELEVANCE" as const, "NEWEST_FIRST" as const),
    });
    await fc.assert(
      fc.asyncProperty(queries, async ({ text, budgetTokens, order }) => {
        const { hits: all } = await service.search(queryOf(text, { order, limit: 1000 }), call);
        const selected: string[] = [];
        const passedOver: string[] = [];
        let remaining = budgetTokens;
        for (const { memory } of all) {
          if (memory.tokenCount > remaining) passedOver.push(memory.id);
          else {
            selected.push(memory.id);
            remaining -= memory.tokenCount;
          }
        }
        const { hits, summary } = await service.search(
          queryOf(text, { order, budgetTokens }),
          call,
        );
        expect(hits.map(({ memory }) => memory.id)).toEqual(selected);
        expect(summary.omitted.map(({ id }) => id)).toEqual(passedOver.slice(0, 100));
        expect(summary.omittedCount).toBe(passedOver.length - summary.omitted.length);
      }),
    );
  });
});

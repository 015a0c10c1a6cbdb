import fc from "fast-check";
import { expect, test } from "vitest";
import type { Match } from "../../../src/core/search/matches.js";
import { pack } from "../../../src/core/search/pack.js";
import { memoryOf } from "../memory-fixture.js";

const scores = {
  relevance: 1,
  vector: 0,
  keyword: 1,
  following: 0,
  thread: 0,
  author: 0,
  date: 0,
  recency: 0,
  importance: 0.5,
  final: 1,
};

function matchOf(id: string, tokenCount: number, wordSignature?: number): Match {
  return { row: 0, memory: memoryOf({ id, tokenCount }), wordSignature, scores };
}

const storedTokens = ({ memory }: Match) => memory.tokenCount;
const unlimited = {
  limit: Number.POSITIVE_INFINITY,
  budgetTokens: Number.POSITIVE_INFINITY,
  dropNearCopies: true,
};

function idsOf(taken: readonly { match: Match }[]): string[] {
  return taken.map(({ match }) => match.memory.id);
}

test("what does not fit is passed over, and a smaller match behind it is taken", () => {
  const packed = pack(
    () => [matchOf("a", 60), matchOf("b", 50), matchOf("c", 40)],
    { ...unlimited, budgetTokens: 100 },
    storedTokens,
  );
  expect(idsOf(packed.taken)).toEqual(["a", "c"]);
  expect(packed.tokensUsed).toBe(100);
  expect(packed.omitted).toEqual([{ id: "b", tokens: 50, score: 1, reason: "OVER_BUDGET" }]);
});

test("a near-copy of a better match is dropped and named", () => {
  const packed = pack(
    () => [matchOf("a", 5, 7), matchOf("b", 5, 7), matchOf("c", 5, 8)],
    unlimited,
    storedTokens,
  );
  expect(idsOf(packed.taken)).toEqual(["a", "c"]);
  expect(packed.omitted).toEqual([{ id: "b", tokens: 5, score: 1, reason: "NEAR_COPY" }]);
});

test("memories without words are never near-copies of each other", () => {
  expect(
    idsOf(pack(() => [matchOf("a", 1), matchOf("b", 1)], unlimited, storedTokens).taken),
  ).toEqual(["a", "b"]);
});

test("near-copies stay where they are not to be dropped", () => {
  expect(
    pack(
      () => [matchOf("a", 5, 7), matchOf("b", 5, 7)],
      { ...unlimited, dropNearCopies: false },
      storedTokens,
    ).taken,
  ).toHaveLength(2);
});

test("a receipt lists at most 100 omissions", () => {
  const matches = Array.from({ length: 150 }, (_, at) => matchOf(`m${at}`, 10));
  const packed = pack(() => matches, { ...unlimited, budgetTokens: 10 }, storedTokens);
  expect(packed.taken).toHaveLength(1);
  expect(packed.omitted).toHaveLength(100);
  expect(packed.omitted[0]?.id).toBe("m1");
});

test("the limit and the budget are never exceeded, the order is kept, and nothing that would still fit is left out", () => {
  const sizes = fc.array(fc.integer({ min: 1, max: 50 }), { maxLength: 60 });
  fc.assert(
    fc.property(
      sizes,
      fc.integer({ min: 1, max: 200 }),
      fc.integer({ min: 1, max: 20 }),
      (tokens, budgetTokens, limit) => {
        const matches = tokens.map((count, at) => matchOf(String(at), count));
        const packed = pack(
          () => matches,
          { limit, budgetTokens, dropNearCopies: true },
          storedTokens,
        );
        const taken = idsOf(packed.taken).map(Number);
        expect(packed.tokensUsed).toBeLessThanOrEqual(budgetTokens);
        expect(taken.length).toBeLessThanOrEqual(limit);
        expect(taken).toEqual([...taken].sort((a, b) => a - b));
        if (taken.length < limit) {
          const left = budgetTokens - packed.tokensUsed;
          expect(tokens.every((count, at) => taken.includes(at) || count > left)).toBe(true);
        }
      },
    ),
  );
});

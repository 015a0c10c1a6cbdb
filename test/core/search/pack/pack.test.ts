import fc from "fast-check";
import { expect, test } from "vitest";
import { instantOfMillis } from "../../../../src/core/model/instant.js";
import type { Memory } from "../../../../src/core/model/memory.js";
import { utc } from "../../../../src/core/model/time-zone.js";
import type { Row } from "../../../../src/core/ports/search-index.js";
import { selectMatches } from "../../../../src/core/search/pack/pack.js";
import type { Match } from "../../../../src/core/search/rank/matches.js";
import { memoryOf } from "../../memory-fixture.js";

const scores = {
  relevance: 1,
  vector: 0,
  keyword: 1,
  following: 0,
  author: 0,
  date: 0,
  answer: 0,
  mention: 0,
  similarWords: 0,
  similarSpelling: 0,
  recency: 0,
  importance: 0.5,
  final: 1,
};

function matchOf(
  id: string,
  tokenCount: number,
  wordSignature?: number,
  changes: Partial<Memory> = {},
): Match {
  const memory = memoryOf({ ...changes, id, tokenCount });
  return { row: 0 as Row, memory, wordSignature, scores, isWeak: false };
}

const storedTokens = ({ memory }: Match) => memory.tokenCount;
const unlimited = {
  limit: Number.POSITIVE_INFINITY,
  budgetTokens: Number.POSITIVE_INFINITY,
  weakMax: Number.POSITIVE_INFINITY,
  dropNearCopies: true,
  timeZone: utc,
};

function idsOf(matches: readonly { match: Match }[]): string[] {
  return matches.map(({ match }) => match.memory.id);
}

test("a match over the budget is skipped, and a smaller match after it is selected", () => {
  const selection = selectMatches(
    () => [matchOf("a", 60), matchOf("b", 50), matchOf("c", 40)],
    { ...unlimited, budgetTokens: 100 },
    storedTokens,
  );
  expect(idsOf(selection.matches)).toEqual(["a", "c"]);
  expect(selection.tokensUsed).toBe(100);
  expect(selection.omitted).toEqual([{ id: "b", tokens: 50, score: 1, reason: "OVER_BUDGET" }]);
});

test("a near-copy of a better match is listed as an omission", () => {
  const selection = selectMatches(
    () => [matchOf("a", 5, 7), matchOf("b", 5, 7), matchOf("c", 5, 8)],
    unlimited,
    storedTokens,
  );
  expect(idsOf(selection.matches)).toEqual(["a", "c"]);
  expect(selection.omitted).toEqual([{ id: "b", tokens: 5, score: 1, reason: "NEAR_COPY" }]);
});

function selectedOf(...changes: readonly Partial<Memory>[]): string[] {
  const matches = changes.map((change, at) => matchOf(String(at), 5, 7, change));
  return idsOf(selectMatches(() => matches, unlimited, storedTokens).matches);
}

test("memories with equal words by different authors are no near-copies", () => {
  expect(selectedOf({ author: "Ada" }, { author: "Bob" }, {}, { author: "Ada" }, {})).toEqual([
    "0",
    "1",
    "2",
  ]);
});

test("memories with equal words about different seconds are no near-copies", () => {
  const at = (time: string) => ({ eventTime: instantOfMillis(Date.parse(time)) });
  expect(
    selectedOf(
      at("2026-03-01T08:00:00Z"),
      at("2026-03-01T08:00:00.999Z"),
      at("2026-03-01T08:00:01Z"),
      at("2026-03-01T20:00:00Z"),
      {},
      at("1970-01-01T00:00:00Z"),
      {},
    ),
  ).toEqual(["0", "2", "3", "4", "5"]);
});

test("memories with equal words and no event time are near-copies if they were created on one day", () => {
  const at = (time: string) => ({ createTime: instantOfMillis(Date.parse(time)) });
  expect(
    selectedOf(at("2026-03-01T00:00:00Z"), at("2026-03-01T23:59:59Z"), at("2026-03-02T00:00:00Z")),
  ).toEqual(["0", "2"]);
});

test.each<[string, Partial<Memory>, Partial<Memory>]>([
  ["statuses", { status: "ACTIVE" }, { status: "RESOLVED" }],
  ["kinds", { kind: "task" }, { kind: "note" }],
  ["threads", { threadId: "a" }, { threadId: "b" }],
  ["tags", { tags: ["a"] }, { tags: ["a", "b"] }],
  ["metadata", { metadata: { room: 1 } }, { metadata: { room: 2 } }],
])("memories with equal words and other %s are no near-copies", (_, one, other) => {
  expect(selectedOf(one, other, one)).toEqual(["0", "1"]);
});

test("the order of tags and of metadata makes no difference for near-copies", () => {
  const one = { tags: ["a", "b"], metadata: { x: 1, y: { z: 2, w: 3 } } };
  const other = { tags: ["b", "a"], metadata: { y: { w: 3, z: 2 }, x: 1 } };
  expect(selectedOf(one, other)).toEqual(["0"]);
});

test("memories without words are no near-copies of each other", () => {
  expect(
    idsOf(selectMatches(() => [matchOf("a", 1), matchOf("b", 1)], unlimited, storedTokens).matches),
  ).toEqual(["a", "b"]);
});

test("near-copies are selected too when `dropNearCopies` is false", () => {
  expect(
    selectMatches(
      () => [matchOf("a", 5, 7), matchOf("b", 5, 7)],
      { ...unlimited, dropNearCopies: false },
      storedTokens,
    ).matches,
  ).toHaveLength(2);
});

test("a selection takes the best weak matches up to their maximum, and every match that is not weak", () => {
  const weakAt = [0, 1, 3, 4];
  const matches = Array.from({ length: 6 }, (_, at) => ({
    ...matchOf(String(at), 10),
    isWeak: weakAt.includes(at),
  }));
  const firstWeak: string[] = [];
  const { matches: selected, omitted } = selectMatches(
    () => matches,
    { ...unlimited, weakMax: 3 },
    (match, isFirstWeak) => {
      if (isFirstWeak) firstWeak.push(match.memory.id);
      return storedTokens(match);
    },
  );
  expect(idsOf(selected)).toEqual(["0", "1", "2", "3", "5"]);
  expect([omitted, firstWeak]).toEqual([[], ["0"]]);
});

test("a selection lists at most 100 omitted matches", () => {
  const matches = Array.from({ length: 150 }, (_, at) => matchOf(`m${at}`, 10));
  const selection = selectMatches(() => matches, { ...unlimited, budgetTokens: 10 }, storedTokens);
  expect(selection.matches).toHaveLength(1);
  expect(selection.omitted).toHaveLength(100);
  expect(selection.omitted[0]?.id).toBe("m1");
});

test("a selection respects the limit, the budget and the order, and omits no match that fits", () => {
  const sizes = fc.array(fc.integer({ min: 1, max: 50 }), { maxLength: 60 });
  fc.assert(
    fc.property(
      sizes,
      fc.integer({ min: 1, max: 200 }),
      fc.integer({ min: 1, max: 20 }),
      (tokens, budgetTokens, limit) => {
        const matches = tokens.map((count, at) => matchOf(String(at), count));
        const selection = selectMatches(
          () => matches,
          { ...unlimited, limit, budgetTokens },
          storedTokens,
        );
        const selected = idsOf(selection.matches).map(Number);
        expect(selection.tokensUsed).toBeLessThanOrEqual(budgetTokens);
        expect(selected.length).toBeLessThanOrEqual(limit);
        expect(selected).toEqual([...selected].sort((a, b) => a - b));
        if (selected.length < limit) {
          const remaining = budgetTokens - selection.tokensUsed;
          expect(tokens.every((count, at) => selected.includes(at) || count > remaining)).toBe(
            true,
          );
        }
      },
    ),
  );
});

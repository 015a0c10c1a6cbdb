import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Memory } from "../../../src/core/model/memory.js";
import { createAnalyzer } from "../../../src/index/keyword/analyzer.js";
import { lengthWeight, termSaturation } from "../../../src/index/keyword/bm25.js";
import { KeywordIndex } from "../../../src/index/keyword/keyword-index.js";
import { plainTerm, type QueryTerm } from "../../../src/index/keyword/query-term.js";
import { contextWeights } from "../../../src/index/thread/context-weights.js";
import { ThreadOrder } from "../../../src/index/thread/thread-order.js";
import { naiveBm25, naiveThreadBm25, type Turn } from "./naive-bm25.js";

function memoryOfTurn({
  id,
  threadId,
  second,
}: Turn): Pick<Memory, "id" | "memoryType" | "threadId" | "createTime"> {
  return {
    id,
    memoryType: "EPISODIC",
    createTime: { seconds: second, nanos: 0 },
    ...(threadId === undefined ? {} : { threadId }),
  };
}

/** Scores rows 0 to `rowCount` - 1. Checks that the index reports all rows with a score above 0. */
function scoresOf(index: KeywordIndex, query: readonly string[], rowCount: number): number[] {
  return scoresOfTerms(index, query.map(plainTerm), rowCount);
}

function scoresOfTerms(
  index: KeywordIndex,
  query: readonly QueryTerm[],
  rowCount: number,
): number[] {
  const scores = new Float32Array(rowCount);
  const scoredRows = new Int32Array(rowCount);
  const count = index.score(query, scores, scoredRows);
  const reported = Array.from(scoredRows.subarray(0, count)).sort((a, b) => a - b);
  expect(reported).toEqual(Array.from(scores.keys()).filter((row) => scores[row] !== 0));
  return Array.from(scores);
}

function expectClose(actual: readonly number[], expected: readonly number[]): void {
  expect(actual.length).toBe(expected.length);
  for (const [row, score] of expected.entries())
    expect(actual[row], `row ${row}`).toBeCloseTo(score, 5);
}

const term = fc.constantFrom("a", "b", "c", "d", "e", "f", "g", "h");
const text = fc.array(term, { maxLength: 12 });

describe("keyword scores", () => {
  const { indexTerms } = createAnalyzer();
  const analyze = (content: string) => indexTerms({ content, tags: [] }).terms;
  const texts = [
    "Ann: I moved to Oslo in March, and I'm renting a flat near the harbour.",
    "Ben: What do you do at the weekends? Ann's sister told me you row.",
    "Ann: Rowing, yes! My sister Mia and I row on the fjord every Saturday, rowing until our arms ache.",
    "Ben: I have been allergic to peanuts since 1998, so no satay for me.",
    "Mia: The flat's rent is 1,200 euros; the harbour view is worth it.",
    "Ann: Did you book the flights to Lisbon for the 3rd?",
    "Ben: Booked them yesterday, two seats, window and aisle.",
    "Mia: ok",
  ];

  // The expected scores come from a Python program with snowballstemmer 2.2.0. Its BM25 has
  // k1 = 0.6 and b = 0.3.
  test.each([
    ["Where did Ann move?", [0.615114, 0.177187, 0.159007, 0, 0, 0.180129, 0, 0]],
    ["Who is rowing, and how often do the sisters row?", [0, 0.362531, 0.412484, 0, 0, 0, 0, 0]],
    ["What is the rent of the flat by the harbour?", [0.615114, 0, 0, 0, 0.605536, 0, 0, 0]],
    ["Is Ben allergic to something?", [0, 0.106624, 0, 0.308903, 0, 0, 0.10491, 0]],
    ["What about you?", [0, 0, 0, 0, 0, 0, 0, 0]],
  ])("keyword scores of '%s' are those of BM25", (query, expected) => {
    const index = new KeywordIndex(new ThreadOrder(() => ""), contextWeights.terms);
    for (const [row, content] of texts.entries()) index.add(row, { terms: analyze(content) });
    expectClose(scoresOf(index, analyze(query), texts.length), expected);
  });

  test("keyword scores equal the formula of BM25 for any texts and any query", () => {
    fc.assert(
      fc.property(
        fc.array(text, { minLength: 1, maxLength: 30 }),
        fc.array(term, { maxLength: 5 }),
        (rows, query) => {
          const index = new KeywordIndex(new ThreadOrder(() => ""), contextWeights.terms);
          for (const [row, terms] of rows.entries()) index.add(row, { terms });
          expectClose(scoresOf(index, query, rows.length), naiveBm25(rows, query));
        },
      ),
    );
  });

  test("keyword scores stay between 0 and 1, and come near 1 for a text that equals the query", () => {
    const index = new KeywordIndex(new ThreadOrder(() => ""), contextWeights.terms);
    index.add(0, { terms: ["oslo", "oslo", "oslo", "oslo"] });
    for (let row = 1; row < 50; row++) index.add(row, { terms: ["a", "b", "c", "d", "e"] });
    const [score = 0] = scoresOf(index, ["oslo"], 50);
    expect(score).toBeGreaterThan(0.75);
    expect(score).toBeLessThan(1);
  });

  test("keyword scores equal the scores of a new index after any additions, removals and compactions", () => {
    const step = fc.oneof(
      fc.record({ kind: fc.constant("add" as const), terms: text }),
      fc.record({ kind: fc.constant("remove" as const), pick: fc.nat() }),
      fc.record({ kind: fc.constant("compact" as const) }),
    );
    fc.assert(
      fc.property(
        fc.array(step, { maxLength: 60 }),
        fc.array(term, { minLength: 1, maxLength: 4 }),
        (steps, query) => {
          const index = new KeywordIndex(new ThreadOrder(() => ""), contextWeights.terms);
          let rows: (string[] | undefined)[] = [];
          for (const action of steps) {
            const present = [...rows.keys()].filter((row) => rows[row] !== undefined);
            if (action.kind === "add") {
              index.add(rows.length, action);
              rows.push(action.terms);
            } else if (action.kind === "compact") {
              index.compact(Int32Array.from(present));
              rows = present.map((row) => rows[row]);
            } else if (present.length > 0) {
              const row = present[action.pick % present.length] ?? 0;
              index.remove(row, { terms: rows[row] ?? [] });
              rows[row] = undefined;
            }
            expectClose(scoresOf(index, query, rows.length), naiveBm25(rows, query));
          }
        },
      ),
    );
  });

  test("keyword scores of long texts equal the formula of BM25 for long texts", () => {
    // The mean number of terms is greater by one.
    for (const length of [20, 75, 120]) {
      const rows = [0, 1, 2].map((shift) => [
        ...Array.from({ length: length - 5 + 5 * shift }, (_, at) => `w${(at + shift) % 40}`),
        ...Array.from({ length: shift }, () => "oslo"),
      ]);
      const index = new KeywordIndex(new ThreadOrder(() => ""), contextWeights.terms);
      for (const [row, terms] of rows.entries()) index.add(row, { terms });
      const query = ["oslo", "w39"];
      expectClose(scoresOf(index, query, rows.length), naiveBm25(rows, query));
    }
  });

  test("keyword scores stay correct when posting lists grow", () => {
    const index = new KeywordIndex(new ThreadOrder(() => ""), contextWeights.terms);
    const rows = Array.from({ length: 2_000 }, (_, row) => [
      `t${row % 7}`,
      `u${row % 301}`,
      `v${row}`,
    ]);
    for (const [row, terms] of rows.entries()) index.add(row, { terms });
    expectClose(
      scoresOf(index, ["t3", "u17", "v318"], rows.length),
      naiveBm25(rows, ["t3", "u17", "v318"]),
    );
  });
});

describe("keyword scores of a word with several terms", () => {
  const word = (...terms: readonly [string, number][]) => ({
    terms: terms.map(([term, weight]) => ({ term, weight })),
  });

  test("several terms of a word have the same score as one term in their place", () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(text, fc.boolean()), { minLength: 1, maxLength: 30 }),
        fc.boolean(),
        (rows, areLinked) => {
          const threads = new ThreadOrder((row) => String(row).padStart(3, "0"));
          const index = new KeywordIndex(threads, contextWeights.terms);
          const turns = rows.map(([terms], row): Turn => {
            const threadId = areLinked ? "x" : undefined;
            return { id: String(row).padStart(3, "0"), terms, threadId, second: row };
          });
          for (const [row, turn] of turns.entries()) {
            // About half of the rows have another spelling of the term "a".
            const other = (term: string) => (term === "a" && rows[row]?.[1] ? "á" : term);
            index.add(row, { terms: turn.terms.map(other) });
            index.relink(threads.add(row, memoryOfTurn(turn)));
          }
          expectClose(
            scoresOfTerms(index, [word(["a", 1], ["á", 1]), plainTerm("b")], rows.length),
            naiveThreadBm25(turns, ["a", "b"]),
          );
        },
      ),
    );
  });

  const rows = [["it"], ["~it"], ["x"], ["max", "count", "maxcount"], ["max", "count"], ["count"]];
  const index = new KeywordIndex(new ThreadOrder(() => ""), contextWeights.terms);
  for (const [row, terms] of rows.entries()) index.add(row, { terms });
  const scores = (...query: readonly QueryTerm[]) => scoresOfTerms(index, query, rows.length);

  test("keyword scores rise with the weight of a term", () => {
    const [it = 0, ordinary = 0, other] = scores(word(["it", 1], ["~it", 0.2]));
    expect(it).toBeGreaterThan(2 * ordinary);
    expect(ordinary).toBeGreaterThan(0);
    expect(other).toBe(0);
  });

  test("terms for the parts of a word count only if some row has the whole word", () => {
    const parts = { related: word(["max", 0.3], ["count", 0.3]).terms };
    const [, , , whole = 0, both = 0, one = 0] = scores({ ...word(["maxcount", 1]), ...parts });
    expect(whole).toBeGreaterThan(both);
    expect(both).toBeGreaterThan(one);
    expect(one).toBeGreaterThan(0);
    expect(scores({ ...word(["mincount", 1]), ...parts })).toEqual([0, 0, 0, 0, 0, 0]);
  });

  test("the fallback terms of a word are used if no row has the word", () => {
    const query = { ...word(["counter", 1]), fallback: [plainTerm("count"), plainTerm("x")] };
    expect(scores(query)).toEqual(scores(plainTerm("count"), plainTerm("x")));
    expect(scores({ ...word(["us", 1]), fallback: [] }, plainTerm("x"))).toEqual(
      scores(plainTerm("x")),
    );
  });

  test("terms that do not count towards the length of a row do not lower its other keyword scores", () => {
    const index = new KeywordIndex(new ThreadOrder(() => ""), contextWeights.terms);
    const tagged = { terms: ["x", "y"], extras: ["wine"] };
    index.add(0, tagged);
    index.add(1, { terms: ["x", "z"] });
    const [first = 0, second = 0] = scoresOf(index, ["x"], 2);
    expect(first).toBe(second);
    expect(scoresOf(index, ["wine"], 2)[0]).toBeGreaterThan(0);
    index.remove(0, tagged);
    expect(scoresOf(index, ["wine"], 2)).toEqual([0, 0]);
  });
});

describe("keyword scores of threads", () => {
  const turn = fc.record({
    terms: text,
    threadId: fc.option(fc.constantFrom("x", "y"), { nil: undefined }),
    second: fc.nat({ max: 9 }),
  });

  test("after any changes, keyword scores in threads equal the formula of BM25 with borrowed terms", () => {
    const step = fc.oneof(
      { weight: 5, arbitrary: fc.record({ kind: fc.constant("add" as const), turn }) },
      { weight: 2, arbitrary: fc.record({ kind: fc.constant("remove" as const), pick: fc.nat() }) },
      { weight: 1, arbitrary: fc.record({ kind: fc.constant("compact" as const) }) },
    );
    fc.assert(
      fc.property(
        fc.array(step, { maxLength: 40 }),
        fc.array(term, { minLength: 1, maxLength: 4 }),
        (steps, query) => {
          let rows: (Turn | undefined)[] = [];
          const threads = new ThreadOrder((row) => rows[row]?.id ?? "");
          const index = new KeywordIndex(threads, contextWeights.terms);
          for (const [at, action] of steps.entries()) {
            const present = [...rows.keys()].filter((row) => rows[row] !== undefined);
            if (action.kind === "add") {
              const added = { ...action.turn, id: String(at).padStart(3, "0") };
              index.add(rows.length, added);
              index.relink(threads.add(rows.length, memoryOfTurn(added)));
              rows.push(added);
            } else if (action.kind === "compact") {
              threads.compact(Int32Array.from(present));
              index.compact(Int32Array.from(present));
              rows = present.map((row) => rows[row]);
            } else {
              const row = present[action.pick % present.length];
              const removed = row === undefined ? undefined : rows[row];
              if (row === undefined || removed === undefined) continue;
              const behind = threads.remove(row, memoryOfTurn(removed));
              index.remove(row, removed);
              index.relink(behind);
              rows[row] = undefined;
            }
            expectClose(scoresOf(index, query, rows.length), naiveThreadBm25(rows, query));
          }
        },
      ),
    );
  });
});

test("BM25 normalises by length in full if all terms of a text are pairs of Chinese characters", () => {
  expect([0, 0.5, 1].map((share) => lengthWeight(13, share))).toEqual([0.3, 0.525, 0.75]);
});

test("BM25 normalises little by length among short texts, and in full among long texts", () => {
  expect([0, 13, 50, 75, 100, 4_000].map((terms) => lengthWeight(terms))).toEqual([
    0.3, 0.3, 0.3, 0.525, 0.75, 0.75,
  ]);
});

test("BM25 gains less from a repeated term among short texts than among long or Chinese ones", () => {
  expect([13, 50, 100].map((terms) => termSaturation(terms))).toEqual([0.6, 0.6, 1.2]);
  expect(termSaturation(13, 1)).toBe(1.2);
});

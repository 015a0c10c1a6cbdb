import fc from "fast-check";
import { expect, test } from "vitest";
import { allTypes, type Memory, typeSetOf } from "../../../../src/core/model/memory.js";
import { utc } from "../../../../src/core/model/time-zone.js";
import type { Candidates, IndexQuery } from "../../../../src/core/ports/search-index.js";
import { findHints, type RankInput } from "../../../../src/core/search/query/rank-input.js";
import { signalWeights } from "../../../../src/core/search/query/scores.js";
import { defaultWeights } from "../../../../src/core/search/query/search.js";
import { anyMatch, type Match } from "../../../../src/core/search/rank/matches.js";
import { rank } from "../../../../src/core/search/rank/rank.js";
import { RankingColumns } from "../../../../src/core/search/score/ranking-columns.js";
import { keywordCalibration } from "../../../../src/core/vectors/calibration.js";
import { createAnalyzer } from "../../../../src/index/keyword/analyzer.js";
import { HotNamespaceIndex } from "../../../../src/index/namespace-index.js";
import { contextWeights } from "../../../../src/index/thread/context-weights.js";
import { KernelMemory } from "../../../../src/index/vector/kernel-memory.js";
import { memoryRecords } from "../../../../src/store/codec/memory-records.js";
import { sampleMemory } from "../../../contract/sample-records.js";
import { propertyRuns } from "../../../suite.js";

const parts = {
  analyzer: createAnalyzer(),
  context: contextWeights,
  codec: memoryRecords,
  kernel: new KernelMemory(),
};
const words = ["red", "wine", "nuts", "table", "door", "zebra", "Mia", "today", "two"];
const queryWords = [...words, "when", "how many", "1970-01-01"];

const vector = fc
  .tuple(...Array.from({ length: 3 }, () => fc.double({ min: -1, max: 1, noNaN: true })))
  .map((numbers) => Float32Array.from(numbers));
const text = fc
  .tuple(
    fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 6 }),
    fc.constantFrom("", "", "?"),
  )
  .map(([chosen, end]) => chosen.join(" ") + end);
const queryText = fc
  .array(fc.constantFrom(...queryWords), { minLength: 1, maxLength: 4 })
  .map((chosen) => chosen.join(" "));
const author = fc.constantFrom("Mia", "Tom");
const thread = fc.option(fc.constantFrom("a", "b", "c"), { nil: undefined });

class IndexWithOptionalFloor extends HotNamespaceIndex {
  /** Whether the index leaves out candidates below the floor of a query. */
  usesFloor = true;

  override candidates(query: IndexQuery): Candidates {
    if (this.usesFloor) return super.candidates(query);
    const { floor: _floor, ...withoutFloor } = query;
    return super.candidates(withoutFloor);
  }
}

/** Returns fields of a memory without a thread. Few memories have an author or a date. */
function standaloneFields(number: number, author: string): Partial<Memory> {
  return {
    ...(number % 5 === 0 && { author }),
    ...(number % 4 === 0 && { eventTime: { seconds: 50_000 * number, nanos: 0 } }),
    ...(number % 3 === 0 && { memoryType: "SEMANTIC" }),
    restricted: number % 7 === 0,
  };
}

/** Generates indexes of `size / 2` to `size` memories, with or without threads. */
function indexesOf(size: number, threads: boolean) {
  return fc
    .array(fc.tuple(text, vector, thread, author), { minLength: size / 2, maxLength: size })
    .map((rows) => {
      const index = new IndexWithOptionalFloor(
        parts,
        { epoch: "e", seq: 1 },
        { modelId: "test", dimension: 3 },
      );
      for (const [i, [content, numbers, threadId, author]] of rows.entries()) {
        const changes =
          threads && threadId !== undefined
            ? { author, importance: (i % 7) / 6, threadId, eventTime: { seconds: i, nanos: 0 } }
            : standaloneFields(i, author);
        index.put(sampleMemory(`m${i}`, content, changes), numbers);
      }
      return index;
    });
}

interface Search {
  /** Position of the index to search, 0 to 2. */
  readonly indexAt: number;
  readonly query: string;
  readonly vector: Float32Array | undefined;
  readonly order: "RELEVANCE" | "NEWEST_FIRST";
  /** Which call of the filter throws, counted from 0. `undefined`: no call throws. */
  readonly throwsAt: number | undefined;
}

const searches: fc.Arbitrary<Search> = fc.record({
  indexAt: fc.nat(2),
  query: fc.oneof(queryText, fc.constant("")),
  vector: fc.option(vector, { nil: undefined }),
  order: fc.constantFrom("RELEVANCE" as const, "NEWEST_FIRST" as const),
  throwsAt: fc.option(fc.nat(20), { nil: undefined }),
});

function inputOf(
  { query, vector, order }: Pick<Search, "query" | "vector" | "order">,
  index: HotNamespaceIndex,
  passesFilter: () => boolean = () => true,
): RankInput {
  return {
    query: { query, order, weights: defaultWeights },
    vector,
    nearest: undefined,
    calibration: { ...keywordCalibration, vectorWeight: 0.4 },
    defaultFloor: 0,
    weakLevel: 0.2,
    vectorShare: 1,
    sameVectorRelevance: 1,
    hints: findHints(query, index, 0),
    signals: signalWeights,
    resultFilter: {
      includeSuperseded: false,
      types: allTypes,
      passesFilter,
      rowPasses: passesFilter,
    },
    now: { seconds: 5, nanos: 0 },
    referenceMs: 5_000,
    timeZone: utc,
  };
}

/** Ranks. Reads all matches, and then the first three again. Returns the text of a thrown error. */
function rankTwice(
  index: HotNamespaceIndex,
  { query, vector, order, throwsAt }: Search,
  columns: RankingColumns,
): unknown {
  let calls = 0;
  const passesFilter = (): boolean => {
    if (calls++ === throwsAt) throw new Error("the filter fails");
    return true;
  };
  const input = inputOf({ query, vector, order }, index, passesFilter);
  const scoresOf = ({ row, scores }: Match) => ({ row, scores });
  try {
    const ranking = rank(index, input, columns);
    const all = [...ranking.matches(anyMatch)].map(scoresOf);
    const first = [...firstThree(ranking.matches(anyMatch))].map(scoresOf);
    return { totalMatches: ranking.totalMatches, all, first };
  } catch (error) {
    return String(error);
  }
}

function* firstThree(matches: Iterable<Match>): Iterable<Match> {
  let count = 0;
  for (const match of matches) {
    yield match;
    if (++count === 3) return;
  }
}

test("a ranking does not depend on earlier rankings that used the same arrays, even if they failed", () => {
  const columns = new RankingColumns();
  const indexes = fc.tuple(indexesOf(400, true), indexesOf(30, true), indexesOf(200, false));
  fc.assert(
    fc.property(indexes, fc.array(searches, { minLength: 3, maxLength: 12 }), (three, queries) => {
      for (const query of queries) {
        const index = three[query.indexAt] as HotNamespaceIndex;
        expect(rankTwice(index, query, columns)).toEqual(
          rankTwice(index, query, new RankingColumns()),
        );
        expect(columns.positionsByRow.every((position) => position === 0)).toBe(true);
      }
    }),
    { numRuns: propertyRuns(30) },
  );
});

test("a ranking in batches equals a full sort by the final score", () => {
  const columns = new RankingColumns();
  const weight = fc.constantFrom(0, 0.3);
  const search = fc.tuple(queryText, fc.option(vector, { nil: undefined }), weight);
  fc.assert(
    fc.property(indexesOf(400, true), search, (index, [query, vector, weight]) => {
      const input = inputOf({ query, vector, order: "RELEVANCE" }, index);
      const weights = { recency: 0, importance: weight, novelty: 0 };
      const weighted = { ...input, query: { ...input.query, weights } };
      const ranking = rank(index, weighted, columns);
      const matches = [...ranking.matches(anyMatch)];
      const finals = matches.map(({ scores }) => scores.final);
      expect(new Set(matches.map(({ row }) => row)).size).toBe(ranking.totalMatches);
      expect(finals).toEqual(finals.toSorted((a, b) => b - a));
    }),
    { numRuns: propertyRuns(50) },
  );
});

test("a ranking without weak matches has the other matches, in the same order", () => {
  const columns = new RankingColumns();
  fc.assert(
    fc.property(indexesOf(400, true), queryText, vector, (index, query, queryVector) => {
      const input = inputOf({ query, vector: queryVector, order: "RELEVANCE" }, index);
      const ranking = rank(index, { ...input, weakLevel: 0.5 }, columns);
      const rowsOf = (matches: Iterable<Match>) => [...matches].map(({ row }) => row);
      const strong = [...ranking.matches(anyMatch)].filter(({ isWeak }) => !isWeak);
      const noWeak = { ...anyMatch, takesWeak: () => false };
      expect(rowsOf(ranking.matches(noWeak))).toEqual(rowsOf(strong));
    }),
    { numRuns: propertyRuns(50) },
  );
});

test("a ranking is the same whether or not the index leaves out candidates below the floor", () => {
  const floor = fc.constantFrom(0.1, 0.3, 0.6, 0.9);
  const minRelevance = fc.option(fc.constantFrom(0, 0.2, 0.8), { nil: undefined });
  const gate = fc.option(fc.constantFrom(0.3, 1), { nil: undefined });
  const types = fc.constantFrom(allTypes, typeSetOf(["SEMANTIC"]));
  const withholdsRestricted = fc.boolean();
  const search = fc.record({
    query: queryText,
    vector,
    floor,
    minRelevance,
    gate,
    types,
    withholdsRestricted,
  });
  const indexes = fc.oneof(indexesOf(400, false), indexesOf(60, true));
  fc.assert(
    fc.property(indexes, search, (index, { query, vector, floor, minRelevance, gate, ...rest }) => {
      const input = inputOf({ query, vector, order: "RELEVANCE" }, index);
      const resultFilter = { ...input.resultFilter, ...rest };
      const ranked = (usesFloor: boolean) => {
        index.usesFloor = usesFloor;
        const ranking = rank(
          index,
          {
            ...input,
            defaultFloor: floor,
            resultFilter,
            query: { ...input.query, minRelevance, gate },
          },
          new RankingColumns(),
        );
        const matches = [...ranking.matches(anyMatch)];
        return {
          ...ranking,
          matches: matches.map(({ row, scores, isWeak }) => ({ row, scores, isWeak })),
        };
      };
      expect(ranked(true)).toEqual(ranked(false));
    }),
    { numRuns: propertyRuns(60) },
  );
});

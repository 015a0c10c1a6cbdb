import fc from "fast-check";
import { expect, test } from "vitest";
import { allTypes } from "../../../src/core/model/memory.js";
import type { Match, RankInput } from "../../../src/core/search/matches.js";
import { rank } from "../../../src/core/search/rank.js";
import { RankingColumns } from "../../../src/core/search/ranking-columns.js";
import { defaultWeights } from "../../../src/core/search/search.js";
import { signalWeights } from "../../../src/core/search/signal-weights.js";
import { keywordCalibration } from "../../../src/core/vectors/calibration.js";
import { createAnalyzer } from "../../../src/index/keyword/analyzer.js";
import { HotNamespaceIndex } from "../../../src/index/namespace-index.js";
import { contextWeights } from "../../../src/index/thread/context-weights.js";
import { loadKernelModule } from "../../../src/index/vector/kernel.js";
import { sampleMemory } from "../../contract/sample-records.js";
import { propertyRuns } from "../../suite.js";

const parts = { analyzer: createAnalyzer(), context: contextWeights, kernel: loadKernelModule() };
const words = ["red", "wine", "nuts", "table", "door", "zebra"];

const vector = fc
  .tuple(...Array.from({ length: 3 }, () => fc.double({ min: -1, max: 1, noNaN: true })))
  .map((numbers) => Float32Array.from(numbers));
const text = fc
  .array(fc.constantFrom(...words), { minLength: 1, maxLength: 6 })
  .map((some) => some.join(" "));
const thread = fc.option(fc.constantFrom("a", "b", "c"), { nil: undefined });

/** Indexes of different sizes, with threads and without. */
function indexOf(size: number, threads: boolean) {
  return fc
    .array(fc.tuple(text, vector, thread), { minLength: size / 2, maxLength: size })
    .map((rows) => {
      const index = new HotNamespaceIndex(
        parts,
        { epoch: "e", seq: 1 },
        { modelId: "test", dimension: 3 },
      );
      for (const [i, [content, numbers, threadId]] of rows.entries()) {
        const changes =
          threads && threadId !== undefined
            ? { threadId, eventTime: { seconds: i, nanos: 0 } }
            : {};
        index.put(sampleMemory(`m${i}`, content, changes), numbers);
      }
      return index;
    });
}

interface Asked {
  /** Number of the index. */
  readonly of: number;
  readonly query: string;
  readonly vector: Float32Array | undefined;
  readonly order: "RELEVANCE" | "NEWEST_FIRST";
  /** At which memory the filter fails. */
  readonly throwsAt: number | undefined;
}

const asked: fc.Arbitrary<Asked> = fc.record({
  of: fc.nat(2),
  query: fc.oneof(text, fc.constant("")),
  vector: fc.option(vector, { nil: undefined }),
  order: fc.constantFrom("RELEVANCE" as const, "NEWEST_FIRST" as const),
  throwsAt: fc.option(fc.nat(20), { nil: undefined }),
});

/** All matches, and the first three by themselves. */
function ranked(
  index: HotNamespaceIndex,
  { query, vector, order, throwsAt }: Asked,
  columns: RankingColumns,
): unknown {
  let filtered = 0;
  const passesFilter = (): boolean => {
    if (filtered++ === throwsAt) throw new Error("a filter that fails");
    return true;
  };
  const input: RankInput = {
    query: { query, order, weights: defaultWeights },
    vector,
    nearest: undefined,
    calibration: keywordCalibration,
    signals: signalWeights,
    returnable: { includeSuperseded: false, types: allTypes, passesFilter },
    now: { seconds: 5, nanos: 0 },
    referenceMs: 5_000,
  };
  const told = ({ row, scores }: Match) => ({ row, scores });
  try {
    const ranking = rank(index, input, columns);
    const any = (): number => Number.POSITIVE_INFINITY;
    const [all, first] = [[...ranking.inOrder(any)], [...firstThree(ranking.inOrder(any))]].map(
      (matches) => matches.map(told),
    );
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

test("a ranking is the same in columns that others have used before, whatever these were of and however they ended", () => {
  const columns = new RankingColumns();
  const indexes = fc.tuple(indexOf(400, true), indexOf(30, true), indexOf(200, false));
  fc.assert(
    fc.property(indexes, fc.array(asked, { minLength: 3, maxLength: 12 }), (three, queries) => {
      for (const query of queries) {
        const index = three[query.of] as HotNamespaceIndex;
        expect(ranked(index, query, columns)).toEqual(ranked(index, query, new RankingColumns()));
        expect(columns.fusedByRow.every((score) => score === 0)).toBe(true);
      }
    }),
    { numRuns: propertyRuns(30) },
  );
});

import fc from "fast-check";
import { expect, test } from "vitest";
import { contextWeights } from "../../../src/index/thread/context-weights.js";
import { ThreadOrder } from "../../../src/index/thread/thread-order.js";
import { ContextScores } from "../../../src/index/vector/context-scores.js";

const number = fc.integer({ min: -4, max: 4 });
const vectorArbitrary = fc.tuple(number, number, number);

type Vector = readonly number[];

function dot(a: Vector, b: Vector): number {
  return a.reduce((sum, value, i) => sum + value * (b[i] ?? 0), 0);
}

function unit(vector: Vector): Vector {
  const length = Math.sqrt(dot(vector, vector));
  return length === 0 ? vector : vector.map((value) => value / length);
}

test("the score of a turn is the cosine of its vector plus 0.4 of each of the two vectors before it", () => {
  const turn = fc.record({
    vector: vectorArbitrary,
    threadId: fc.option(fc.constantFrom("x", "y"), { nil: undefined }),
  });
  fc.assert(
    fc.property(
      fc.array(turn, { minLength: 1, maxLength: 12 }),
      vectorArbitrary,
      (turns, asked) => {
        const vectors = turns.map(({ vector }) => unit(vector));
        const query = unit(asked);
        const threads = new ThreadOrder((row) => String(row).padStart(2, "0"));
        const context = new ContextScores(threads, contextWeights.vectors);
        const cosine = (a: number, b: number) => dot(vectors[a] ?? [], vectors[b] ?? []);
        for (const [row, { threadId }] of turns.entries()) {
          const memory = {
            id: String(row).padStart(2, "0"),
            memoryType: "EPISODIC" as const,
            createTime: { seconds: 0, nanos: 0 },
          };
          context.relink(
            threads.add(row, threadId === undefined ? memory : { ...memory, threadId }),
            cosine,
          );
        }
        const scores = new Float32Array(turns.length);
        context.apply(
          Float32Array.from(vectors, (vector) => dot(vector, query)),
          turns.length,
          scores,
        );
        for (const [row, { threadId }] of turns.entries()) {
          const before = turns
            .flatMap((other, at) =>
              threadId !== undefined && other.threadId === threadId && at < row ? [at] : [],
            )
            .slice(-2);
          const sum = (vectors[row] ?? []).map((value, i) =>
            before.reduce((total, at) => total + 0.4 * (vectors[at]?.[i] ?? 0), value),
          );
          expect(scores[row]).toBeCloseTo(dot(unit(sum), query), 4);
        }
      },
    ),
  );
});

import { expect } from "vitest";
import type { IndexQuery, NamespaceIndex, Row } from "../../src/core/ports/search-index.js";

/** What an index says of one memory. */
export interface Hit {
  readonly keyword: number;
  readonly vector: number;
  readonly thread: number;
  /** The id of the memory that follows in the thread. */
  readonly next: string | undefined;
}

/** Scores by id of all rows that a query brings up. */
export function hitsOf(index: NamespaceIndex, query: IndexQuery): Map<string, Hit> {
  const { count, rows, keyword, vector, thread } = index.candidates(query);
  const hits = new Map<string, Hit>();
  for (let i = 0; i < count; i++) {
    const row = rows[i] ?? -1;
    const next = index.next(row as Row);
    hits.set(index.at(row as Row).memory.id, {
      keyword: keyword[i] ?? Number.NaN,
      vector: vector[i] ?? Number.NaN,
      thread: thread[i] ?? Number.NaN,
      next: next < 0 ? undefined : index.at(next).memory.id,
    });
  }
  expect(hits.size, "a row comes up once").toBe(count);
  return hits;
}

/** Hits without the last digits of their scores, which depend on the order of sums. */
export function rounded(hits: ReadonlyMap<string, Hit>): ReadonlyMap<string, Hit> {
  const digits = (value: number): number => Number(value.toFixed(5));
  return new Map(
    [...hits].map(([id, { next, ...scores }]) => [
      id,
      {
        next,
        keyword: digits(scores.keyword),
        vector: digits(scores.vector),
        thread: digits(scores.thread),
      },
    ]),
  );
}

/** The hits that can match: with a score of their own, or raised by the one that follows. Others may come up too, at no score. An empty query is matched by all. */
export function countingHits(
  hits: ReadonlyMap<string, Hit>,
  { text, vector }: IndexQuery,
): ReadonlyMap<string, Hit> {
  if (text === "" && vector === undefined) return hits;
  const hasScore = (hit: Hit | undefined) =>
    hit !== undefined && (hit.keyword > 0 || hit.vector > 0);
  return new Map(
    [...hits].filter(
      ([, hit]) => hasScore(hit) || (hit.next !== undefined && hasScore(hits.get(hit.next))),
    ),
  );
}

import { expect } from "vitest";
import type { IndexQuery, NamespaceIndex, Row } from "../../src/core/ports/search-index.js";

/** The scores of one memory in an index. */
export interface Hit {
  readonly keyword: number;
  readonly vector: number;
  /** Id of the next memory in the thread. */
  readonly next: string | undefined;
}

/** Returns the scores of all candidates of a query, by the id of the memory. */
export function hitsOf(index: NamespaceIndex, query: IndexQuery): Map<string, Hit> {
  const { count, rows, keyword, vector } = index.candidates(query);
  const hits = new Map<string, Hit>();
  for (let i = 0; i < count; i++) {
    const row = rows[i] ?? -1;
    const next = index.nextRows[row] as Row;
    hits.set(index.at(row as Row).memory.id, {
      keyword: keyword[i] ?? Number.NaN,
      vector: vector[i] ?? Number.NaN,
      next: next < 0 ? undefined : index.at(next).memory.id,
    });
  }
  expect(hits.size, "a row comes up once").toBe(count);
  return hits;
}

/** Rounds scores, because their last digits depend on the order of additions. */
export function rounded(hits: ReadonlyMap<string, Hit>): ReadonlyMap<string, Hit> {
  const digits = (value: number): number => Number(value.toFixed(5));
  return new Map(
    [...hits].map(([id, { next, ...scores }]) => [
      id,
      {
        next,
        keyword: digits(scores.keyword),
        vector: digits(scores.vector),
      },
    ]),
  );
}

/**
 * Returns the hits that can match. A hit can match if it has a score, or if the next memory in its
 * thread has a score. An empty query matches all hits. Other hits are dropped, because an index
 * may return them or not.
 */
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

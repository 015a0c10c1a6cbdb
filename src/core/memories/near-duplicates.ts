import type { Instant } from "../model/instant.js";
import { allTypes } from "../model/memory.js";
import type { NamespaceIndex, NearestQuery } from "../ports/search-index.js";
import { mayReturn } from "../search/result-filter.js";
import { fusedScore, relevanceOf } from "../search/scores.js";
import type { QueryVector } from "../vectors/vectors.js";

/** From this relevance on, a memory says nearly the same. */
const nearRelevance = 0.9;

/** Most that are told of. */
const mostTold = 3;

/** How many of the nearest memories are looked at: those that say nearly the same are among them, or share its words. */
const nearestCount = 64;

/** Longest beginning of a content, in UTF-16 units, that is looked for: as much as a query may have. */
const comparedLength = 8192;

const anyVisible = { includeSuperseded: false, types: allTypes };

/** A memory that says nearly the same as a text. */
export interface NearDuplicate {
  readonly id: string;
  readonly relevance: number;
}

/** What the reading looks for in which `nearDuplicatesOf` is called. */
export function nearestTo(
  vector: Float32Array | undefined,
  now: Instant,
): NearestQuery | undefined {
  return (
    vector && {
      vector,
      count: nearestCount,
      accepts: (index, row) => mayReturn(index, row, anyVisible, now),
    }
  );
}

/** The memories that say nearly the same as a text, best first. `nearest`: rows near the vector; `undefined`: all are compared. */
export function nearDuplicatesOf(
  index: NamespaceIndex,
  content: string,
  { vector, calibration }: QueryVector,
  nearest: Int32Array | undefined,
  now: Instant,
): NearDuplicate[] {
  const text = content.slice(0, comparedLength);
  const query = {
    text,
    ...(vector && { vector }),
    ...(nearest && { nearest, comparesBest: true }),
  };
  const { count, rows, keyword, vector: cosines } = index.candidates(query);
  const found: NearDuplicate[] = [];
  for (let position = 0; position < count; position++) {
    const relevance = relevanceOf(
      fusedScore(keyword[position] ?? 0, cosines[position] ?? 0, calibration),
      calibration,
    );
    if (relevance < nearRelevance) continue;
    const row = rows[position] ?? 0;
    if (mayReturn(index, row, anyVisible, now))
      found.push({ id: index.at(row).memory.id, relevance });
  }
  return found
    .sort((a, b) => b.relevance - a.relevance || (a.id < b.id ? 1 : -1))
    .slice(0, mostTold);
}

import { type Instant, instantOfMillis } from "../model/instant.js";
import { allTypes } from "../model/memory.js";
import type { Namespace } from "../model/namespace.js";
import type { Call } from "../ports/call.js";
import type { NamespaceIndex, NearestQuery, Row } from "../ports/search-index.js";
import { mayReturn } from "../search/result-filter.js";
import { fusedScore, relevanceOf } from "../search/scores.js";
import { type GivenOrMade, type QueryVector, queryVectorFor } from "../vectors/vectors.js";
import type { AddParts } from "./service.js";

/** Least relevance of a near-duplicate. */
const nearRelevance = 0.9;

/** Maximum number of near-duplicates returned. */
const returnedMax = 3;

/**
 * How many of the nearest memories to look at. Near-duplicates are among them, or share words with
 * the text.
 */
const nearestCount = 64;

/** How much of a content to compare, in UTF-16 units: the longest query. */
const comparedLength = 8192;

const anyVisible = { includeSuperseded: false, types: allTypes };

/** A memory whose content is nearly the same as a text. */
export interface NearDuplicate {
  readonly id: string;
  readonly relevance: number;
}

/**
 * Finds the near-duplicates of a text in a namespace, most similar first, at most three.
 *
 * @throws INVALID_ARGUMENT or FAILED_PRECONDITION when the given vector does not fit the namespace.
 */
export function findNearDuplicates(
  { index, embedders }: Pick<AddParts, "index" | "embedders">,
  namespace: Namespace,
  text: string,
  vectors: GivenOrMade,
  nowMs: number,
  call: Call,
): Promise<readonly NearDuplicate[]> {
  const now = instantOfMillis(nowMs);
  const vector = vectors.given ?? vectors.made.latest;
  const read = (opened: NamespaceIndex, nearest: Int32Array | undefined): NearDuplicate[] => {
    const query = { ...vectors, text };
    const queryVector = queryVectorFor(namespace, opened, embedders, query, "embedding");
    return nearDuplicatesIn(opened, text, queryVector, nearest, now);
  };
  return index.read(namespace, call.signal, read, vector && nearestQuery(vector, now));
}

function nearestQuery(vector: Float32Array, now: Instant): NearestQuery {
  return {
    vector,
    count: nearestCount,
    accepts: (index, row) => mayReturn(index, row, anyVisible, now),
  };
}

/** `nearest`: rows near the vector. `undefined`: compare the vectors of all rows. */
function nearDuplicatesIn(
  index: NamespaceIndex,
  text: string,
  { vector, calibration }: QueryVector,
  nearest: Int32Array | undefined,
  now: Instant,
): NearDuplicate[] {
  const query = {
    text: text.slice(0, comparedLength),
    ...(vector && { vector }),
    ...(nearest && { nearest, comparesBest: true }),
  };
  const { count, rows, keyword, vector: cosines } = index.candidates(query);
  const found: NearDuplicate[] = [];
  for (let i = 0; i < count; i++) {
    const score = fusedScore(keyword[i] ?? 0, cosines[i] ?? 0, calibration);
    const relevance = relevanceOf(score, calibration);
    if (relevance < nearRelevance) continue;
    const row = (rows[i] ?? 0) as Row;
    if (mayReturn(index, row, anyVisible, now))
      found.push({ id: index.at(row).memory.id, relevance });
  }
  return found
    .sort((a, b) => b.relevance - a.relevance || (a.id < b.id ? 1 : -1))
    .slice(0, returnedMax);
}

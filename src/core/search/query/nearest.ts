import type { NearestQuery } from "../../ports/search-index.js";
import { defaultLimit, matchesAll, type SearchQuery } from "./search.js";

/**
 * Minimum number of nearest memories to read. Other signals, such as recency, can make any of them
 * a hit.
 */
const nearestMin = 256;

/**
 * Number of nearest memories to read for each hit. More than 1, because some of these memories are
 * near-copies of others or exceed the budget.
 */
const nearestPerHit = 2;

/**
 * Most memories have more tokens than this. So a budget divided by this number is at least the
 * number of hits of nearly every search.
 */
const tokensPerHit = 8;

/**
 * A search uses a graph only if its weights for recency and importance add up to at most this
 * value. With larger weights, a memory far from the query can become a hit.
 */
const weightMax = 0.1;

/**
 * Returns the search that the graph of a namespace should run. Returns `undefined` if a memory far
 * from the query may become a hit, because then every memory needs a score.
 *
 * @param vector The vector of the query; `undefined` if there is none.
 */
export function nearestQueryOf(
  query: SearchQuery,
  vector: Float32Array | undefined,
  accepts: NearestQuery["accepts"],
): NearestQuery | undefined {
  const { limit, budgetTokens, weights } = query;
  if (vector === undefined || matchesAll(query) || query.order === "NEWEST_FIRST") return undefined;
  if (weights.recency + weights.importance > weightMax) return undefined;
  const { excludedIds } = query;
  const hits =
    (limit ?? (budgetTokens === undefined ? defaultLimit : budgetTokens / tokensPerHit)) +
    (excludedIds?.size ?? 0);
  return { vector, count: Math.max(nearestMin, Math.ceil(hits * nearestPerHit)), accepts };
}

import type { NearestQuery } from "../ports/search-index.js";
import { defaultLimit, matchesAll, type SearchQuery } from "./search.js";

/**
 * Minimum number of nearest memories to read. Other signals, such as recency, can raise any of them
 * to a hit.
 */
const nearestMin = 256;

/**
 * Number of nearest memories to read for each hit. Some of the read memories are near-copies or
 * exceed the budget.
 */
const nearestPerHit = 2;

/** A token count that most memories exceed. It turns a budget into a number of hits. */
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
  const hits = limit ?? (budgetTokens === undefined ? defaultLimit : budgetTokens / tokensPerHit);
  return { vector, count: Math.max(nearestMin, Math.ceil(hits * nearestPerHit)), accepts };
}

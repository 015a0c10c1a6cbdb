import type { NearestQuery } from "../ports/search-index.js";
import { defaultLimit, type SearchQuery } from "./search.js";

/** The least number of nearest memories to read. Any of them may rise by its bonuses. */
const nearestMin = 256;

/** Nearest memories to read for each hit. Some of them are near-copies or exceed the budget. */
const nearestPerHit = 2;

/** A token count below that of most memories. It turns a budget into a number of hits. */
const tokensPerHit = 8;

/**
 * The greatest sum of the weights for recency and importance with which a graph is still used.
 * With more weight on them, a memory that is not near can become a hit.
 */
const weightMax = 0.1;

/**
 * Returns the question that a search puts to the graph of a namespace. Returns `undefined` if any
 * memory may be a hit, near or not, so that the search has to score all of them.
 *
 * @param vector The vector of the query; `undefined` if there is none.
 */
export function nearestQueryOf(
  query: SearchQuery,
  vector: Float32Array | undefined,
  accepts: NearestQuery["accepts"],
): NearestQuery | undefined {
  const { limit, budgetTokens, weights } = query;
  if (vector === undefined || query.query === "" || query.order === "NEWEST_FIRST")
    return undefined;
  if (weights.recency + weights.importance > weightMax) return undefined;
  const hits = limit ?? (budgetTokens === undefined ? defaultLimit : budgetTokens / tokensPerHit);
  return { vector, count: Math.max(nearestMin, Math.ceil(hits * nearestPerHit)), accepts };
}

import type { NearestQuery } from "../ports/search-index.js";
import type { SearchQuery } from "./search.js";

/** How many of the nearest memories a search looks at, at least: what is added to the score may bring up any of them. */
const nearestMin = 256;

/** How many of the nearest there are for each hit: some are copies, or too long for the budget. */
const nearestPerHit = 2;

/** Fewer tokens than most memories have. */
const tokensPerHit = 8;

/** Recency and importance together may count so much, and no more, without bringing up what is not near at all. */
const addedWeightMax = 0.1;

/**
 * What a search looks for by vector, so that a graph can be asked for it; `undefined` where any memory may be a hit, near or not, and all have to be looked at.
 * `defaultLimit`: hits when neither limit nor budget is given.
 */
export function nearestWanted(
  query: SearchQuery,
  vector: Float32Array | undefined,
  accepts: NearestQuery["accepts"],
  defaultLimit: number,
): NearestQuery | undefined {
  const { limit, budgetTokens, weights } = query;
  if (vector === undefined || query.query === "" || query.order === "NEWEST_FIRST")
    return undefined;
  if (weights.recency + weights.importance > addedWeightMax) return undefined;
  const hits = limit ?? (budgetTokens === undefined ? defaultLimit : budgetTokens / tokensPerHit);
  return { vector, count: Math.max(nearestMin, Math.ceil(hits * nearestPerHit)), accepts };
}

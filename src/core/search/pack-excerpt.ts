import { createExcerpter } from "./excerpt.js";
import { hitOf, type PackedRanking, type PendingExcerpt } from "./pack.js";
import type { Rendering } from "./rendering.js";
import type { SearchHit, SearchResult } from "./search.js";

/**
 * Returns the result of a packed ranking. Makes the excerpt that the result lacks, if any, and lets
 * other calls run every few milliseconds.
 */
export async function completeResult(
  { result, pending }: PackedRanking,
  rendering: Rendering,
): Promise<SearchResult> {
  if (pending === undefined) return result;
  const { summary } = result;
  const excerpt = await excerptHit(pending, rendering);
  if (excerpt === undefined) {
    const noHitsReason = `budget_tokens ${pending.budgetTokens} is too small even for an excerpt`;
    return { hits: [], summary: { ...summary, noHitsReason } };
  }
  const omitted = summary.omitted.filter(({ id }) => id !== excerpt.memory.id);
  return {
    hits: [excerpt],
    summary: {
      ...summary,
      tokensUsed: excerpt.tokens,
      omitted,
      omittedCount: summary.totalMatches - 1 - omitted.length,
    },
  };
}

/** Returns an excerpt whose rendering fits into the budget; `undefined` if none fits. */
async function excerptHit(
  { best, budgetTokens, score }: PendingExcerpt,
  rendering: Rendering,
): Promise<SearchHit | undefined> {
  const { counter } = rendering;
  const excerptOf = await createExcerpter(best.memory.content, counter, score);
  for (let maxTokens = budgetTokens; maxTokens > 0; ) {
    const content = await excerptOf(maxTokens);
    if (content === "") return undefined;
    const tokens = await counter.countInTurns(rendering.render(content));
    if (tokens <= budgetTokens)
      return { ...hitOf(best, tokens), memory: { ...best.memory, content }, excerpt: true };
    maxTokens -= tokens - budgetTokens;
  }
  return undefined;
}

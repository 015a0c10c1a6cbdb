import type { Call } from "../../ports/call.js";
import { WorkQueue } from "../../requests/work-queue.js";
import type { SearchHit, SearchResult } from "../query/search.js";
import { createExcerpter } from "./excerpt.js";
import { hitOf, type PackedRanking, type PendingExcerpt } from "./pack.js";
import type { Rendering } from "./rendering.js";

/**
 * Number of UTF-16 units from which a memory is long: scoring its words may need megabytes of RAM.
 */
const longLength = 4_096;

/** Makes the excerpts of long memories one after another, to bound the RAM that they need. */
const longExcerpts = new WorkQueue();

/**
 * Returns the result of a packed ranking. If the result has a pending excerpt, makes the excerpt
 * first. Meanwhile, lets other calls run every few milliseconds. Throws if the call ends before the
 * excerpt is begun.
 */
export async function completeResult(
  { result, pending }: PackedRanking,
  rendering: Rendering,
  call: Call,
): Promise<SearchResult> {
  if (pending === undefined) return result;
  const { summary } = result;
  const work = () => {
    call.throwIfEnded();
    return excerptHit(pending, rendering);
  };
  const isLong = pending.best.memory.content.length >= longLength;
  const excerpt = await (isLong ? longExcerpts.run(work) : work());
  if (excerpt === undefined && result.hits.length > 0) return result;
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
      weakReturned: excerpt.weak ? 1 : 0,
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
  const { isWeak: weak } = best;
  const excerptOf = await createExcerpter(best.memory.content, counter, score);
  for (let maxTokens = budgetTokens; maxTokens > 0; ) {
    const content = await excerptOf(maxTokens);
    if (content === "") return undefined;
    const memory = { ...best.memory, content };
    const tokens = await counter.countInTurns(rendering.renderAlone({ memory, weak }));
    if (tokens <= budgetTokens) return { ...hitOf(best, 1, tokens), memory, excerpt: true };
    maxTokens -= tokens - budgetTokens;
  }
  return undefined;
}

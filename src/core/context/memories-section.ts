import type { Instant } from "../model/instant.js";
import { omissionsListedMax } from "../search/pack/pack.js";
import type { Searcher } from "../search/searcher.js";
import type { SectionTools } from "./sections.js";
import type { BuiltSection, ContextItem, ContextSections } from "./service.js";

/** Tokens that the line breaks after the last memory may take. */
const endTokens = 2;

/**
 * Builds the section of memories that fit the query. Leaves out restricted memories.
 *
 * @param excludedIds the turns that the section RECENT shows
 */
export async function buildMemories(
  { query, writer, tokens, cap, call }: SectionTools,
  searcher: Searcher,
  options: NonNullable<ContextSections["MEMORIES"]>,
  { referenceTime, excludedIds }: { referenceTime: Instant; excludedIds: ReadonlySet<string> },
): Promise<BuiltSection> {
  const { open, close } = writer.frame("MEMORIES");
  const budgetTokens = cap - tokens.count(open) - tokens.count(close) - endTokens;
  const nothing = { kind: "MEMORIES", text: "", tokens: 0, items: [] } as const;
  if (budgetTokens < 1)
    return {
      ...nothing,
      ...{ omitted: [], omittedCount: 0 },
      noItemsReason: `of budget_tokens, only ${Math.max(cap, 0)} are left for memories`,
    };
  const { limit, filter, order, minRelevance, gate, weights, queryEmbedding } = options;
  const { hits, summary, text } = await searcher.recall(
    {
      ...{ namespace: query.namespace, query: query.query, budgetTokens, includeSuperseded: false },
      ...{ limit, filter, order, minRelevance, gate, weights, queryEmbedding },
      // Without conditions, but withholds restricted memories.
      accessFilter: {},
      ...{ excludedIds, referenceTime, timeZone: query.timeZone },
      minCommitSeq: query.minCommitSeq,
      annotates: query.annotates,
    },
    call,
    writer.memories,
  );
  const omitted = summary.omitted.map(({ id, tokens: size, reason }) => ({
    ...{ id, tokens: size, reason },
  }));
  const receipt = {
    ...{ omitted: omitted.slice(0, omissionsListedMax), omittedCount: summary.omittedCount },
    noItemsReason: summary.noHitsReason,
    keywordsOnlyReason: summary.keywordsOnlyReason,
  };
  if (hits.length === 0) return { ...nothing, ...receipt };
  const items = hits.map(
    ({ memory, tokens: size, excerpt }): ContextItem => ({
      ...{ id: memory.id, tokens: size, excerpted: excerpt },
    }),
  );
  const whole = `${open}${text}\n${close}`;
  const size = await tokens.countInTurns(whole);
  return { kind: "MEMORIES", text: whole, tokens: size, items, ...receipt };
}

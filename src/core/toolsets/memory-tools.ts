import type { MemoryService } from "../memories/service.js";
import { contentMaxBytes, queryMaxBytes, tagMaxBytes, tagsMax } from "../model/limits.js";
import { defaultWeights, type SearchSummary } from "../search/query/search.js";
import { defineTool, noUser, success, type Tool } from "./tool.js";

/** Defaults of search_memory. */
const defaultLimit = 5;
const defaultBudgetTokens = 1000;

/** The toolset `memory`: an agent's own memories of a user. */
export function memoryTools(memories: MemoryService): readonly Tool[] {
  return [addMemoryTool(memories), searchMemoryTool(memories)];
}

function addMemoryTool(memories: MemoryService): Tool {
  return defineTool({
    name: "add_memory",
    description:
      "Remember something for later conversations: one fact, preference or event, " +
      "in a sentence that can be understood by itself.",
    parameters: {
      content: {
        type: "string",
        minBytes: 1,
        notBlank: true,
        maxBytes: contentMaxBytes,
        description: `What to remember. At most ${contentMaxBytes / 1024} KiB.`,
      },
      tags: {
        type: "array",
        items: { type: "string", minBytes: 1, maxBytes: tagMaxBytes },
        maxItems: tagsMax,
        description: `Labels to find it by, such as wine. At most ${tagsMax}.`,
        optional: true,
      },
      importance: {
        type: "number",
        minimum: 0,
        maximum: 1,
        description: "How much it matters, 0 to 1. Default 0.5.",
        optional: true,
      },
    },
    role: "writer",
    effects: { readOnly: false },
    async run(memory, { namespace, idempotencyKey, call }) {
      if (namespace === undefined) return noUser;
      const { id } = await memories.add(
        { namespace, ...memory, ...(idempotencyKey !== undefined && { idempotencyKey }) },
        call,
      );
      return success(`Stored memory '${id}'`);
    },
  });
}

/** Returns the text that the model gets if there are no hits. */
function emptyText(
  query: string,
  { totalMatches, noHitsReason }: Pick<SearchSummary, "totalMatches" | "noHitsReason">,
): string {
  return totalMatches === 0
    ? `No memories found matching query '${query}'`
    : `Memories match query '${query}', but ${noHitsReason}`;
}

function searchMemoryTool(memories: MemoryService): Tool {
  return defineTool({
    name: "search_memory",
    description:
      "Look up what was remembered: returns the memories that fit the query best, " +
      "best first, each as an item with its date and, if known, its author.",
    parameters: {
      query: {
        type: "string",
        maxBytes: queryMaxBytes,
        description: "What to look for, as a question or in keywords. Empty: the newest memories.",
      },
      limit: {
        type: "integer",
        minimum: 1,
        maximum: 100,
        description: "Most memories to return, 1 to 100. Default 5.",
        optional: true,
      },
      budget_tokens: {
        type: "integer",
        minimum: 1,
        maximum: 10_000,
        description: "Most tokens that the answer may have, 1 to 10,000. Default 1,000.",
        optional: true,
      },
    },
    role: "reader",
    effects: { readOnly: true },
    async run(
      { query, limit = defaultLimit, budget_tokens: budgetTokens = defaultBudgetTokens },
      { namespace, timeZone, call },
    ) {
      if (namespace === undefined) return noUser;
      const wanted = {
        filter: {},
        order: "RELEVANCE",
        weights: defaultWeights,
        includeSuperseded: false,
      } as const;
      const { text, summary } = await memories.recall(
        { namespace, query, limit, budgetTokens, timeZone, ...wanted, annotates: true },
        call,
      );
      return success(text === "" ? emptyText(query, summary) : text);
    },
  });
}

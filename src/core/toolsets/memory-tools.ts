import type { MemoryService } from "../memories/service.js";
import { type Instant, millisOfInstant } from "../model/instant.js";
import type { JsonObject } from "../model/json.js";
import { contentMaxBytes, queryMaxBytes, tagMaxBytes, tagsMax } from "../model/limits.js";
import { happenedAt } from "../model/memory.js";
import { requireTimeZone, type TimeZone, utc } from "../model/time-zone.js";
import type { ProposalService } from "../proposals/service.js";
import { weakHeading } from "../search/pack/rendering.js";
import { defaultWeights, type SearchHit, type SearchSummary } from "../search/query/search.js";
import { correctMemoryTool, forgetMemoryTool } from "./memory-changes.js";
import { outputOf } from "./output.js";
import { spanOf, timeMaxBytes } from "./time-arguments.js";
import { defineTool, noUser, success, type Tool } from "./tool.js";

/** Defaults of search_memory. */
const defaultLimit = 5;
const defaultBudgetTokens = 1000;

/** What the tools of the toolset `memory` need. */
export interface MemoryToolParts {
  readonly memories: MemoryService;
  readonly proposals: ProposalService;
  /** The time zone of calls that name none. Default UTC. */
  readonly timeZone?: TimeZone | undefined;
}

/** The toolset `memory`: an agent's own memories of a user. */
export function memoryTools(parts: MemoryToolParts): readonly Tool[] {
  return [
    addMemoryTool(parts.memories),
    searchMemoryTool(parts),
    correctMemoryTool(parts),
    forgetMemoryTool(parts.memories),
  ];
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
    roles: ["writer"],
    effects: { readOnly: false },
    output: outputOf({ id: { type: "string" } }),
    async run(memory, { namespace, idempotencyKey, call }) {
      if (namespace === undefined) return noUser;
      const { id } = await memories.add(
        { namespace, ...memory, ...(idempotencyKey !== undefined && { idempotencyKey }) },
        call,
      );
      return success(`Stored memory '${id}'`, { id });
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

function searchMemoryTool({ memories, timeZone: serverZone = utc }: MemoryToolParts): Tool {
  return defineTool({
    name: "search_memory",
    description:
      "Look up what was remembered: returns the memories that fit the query best, " +
      "best first, each as an item with its date, its id and, if known, its author. Items below " +
      `the line '${weakHeading}' fit only weakly, and often do not answer the query.`,
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
      since: {
        type: "string",
        maxBytes: timeMaxBytes,
        description:
          "Only memories of this day or later, such as 2026-03-08, or from this time on, " +
          "such as 2026-03-08T09:30:00+01:00.",
        optional: true,
      },
      until: {
        type: "string",
        maxBytes: timeMaxBytes,
        description: "Only memories of this day or earlier, or before this time.",
        optional: true,
      },
    },
    roles: ["reader"],
    effects: { readOnly: true },
    output: outputOf({ memories: { type: "array", items: memoryOutput } }),
    async run(
      { query, limit = defaultLimit, budget_tokens: budgetTokens = defaultBudgetTokens, ...times },
      { namespace, timeZone, call },
    ) {
      if (namespace === undefined) return noUser;
      const zone = timeZone === undefined ? serverZone : requireTimeZone(timeZone, "time_zone");
      const timeRange = spanOf(times, zone);
      const wanted = {
        filter: timeRange === undefined ? {} : { timeRange },
        order: "RELEVANCE",
        weights: defaultWeights,
        includeSuperseded: false,
      } as const;
      const shown = { annotates: true, showsIds: true } as const;
      const { text, hits, summary } = await memories.recall(
        { namespace, query, limit, budgetTokens, timeZone, ...wanted, ...shown },
        call,
      );
      return success(hits.length === 0 ? emptyText(query, summary) : text, {
        memories: hits.map(structuredHit),
      });
    },
  });
}

/** The form of a memory among the values of search_memory. */
const memoryOutput = outputOf(
  {
    id: { type: "string" },
    content: { type: "string" },
    time: {
      type: "string",
      description: "When it happened, else when it was stored, in RFC 3339.",
    },
    author: { type: "string" },
    tags: { type: "array", items: { type: "string" } },
    relevance: { type: "number", description: "0 to 1." },
    weak: { type: "boolean", description: "Whether it fits the query only weakly." },
    excerpt: { type: "boolean", description: "Whether the content was cut to fit the budget." },
  },
  ["author"],
);

function structuredHit({ memory, scores, weak, excerpt }: SearchHit): JsonObject {
  const { id, content, author, tags } = memory;
  return {
    id,
    content,
    time: rfc3339(happenedAt(memory)),
    ...(author !== undefined && { author }),
    tags: [...tags],
    relevance: scores.relevance,
    weak,
    excerpt,
  };
}

function rfc3339(instant: Instant): string {
  return new Date(Math.floor(millisOfInstant(instant))).toISOString();
}

import type { Filter } from "../../src/core/filter/matcher.js";
import { instantOfMillis } from "../../src/core/model/instant.js";
import { defaultWeights, type SearchQuery } from "../../src/core/search/query/search.js";
import { callerVector, type FilledNamespace, nowMs } from "./namespaces.js";
import { type Choices, choicesOf } from "./random.js";
import { misspelled, people, question } from "./sentences.js";

const queryDays = ["in May 2025", "last week", "on 14 October"];

/** Number of queries of the reference. */
const queriesCount = 1_000;

/** A query of the reference, and the call that runs it. */
export interface ReferenceQuery {
  readonly query: SearchQuery;
  readonly rpc: "search" | "recall";
  /** Whether the search gets only some rows, as a graph would find them, instead of all. */
  readonly hasGraph: boolean;
  /** Id of a memory. If set, the call explains why the search returns this memory or not. */
  readonly explains?: string;
}

/** Returns the queries of the reference. */
export function referenceQueries(namespaces: readonly FilledNamespace[]): ReferenceQuery[] {
  const choose = choicesOf(7);
  return Array.from({ length: queriesCount }, (_, at) => {
    const namespace = choose.one(namespaces);
    const hasVector = namespace.vectors === "caller" && choose.chance(0.8);
    const explained = choose.one(namespace.memories).id;
    return {
      query: {
        namespace: { userId: "reference", agentId: namespace.agentId },
        query: textOf(namespace, choose),
        filter: choose.chance(0.3) ? filterOf(choose) : {},
        order: choose.chance(0.05) ? "NEWEST_FIRST" : "RELEVANCE",
        weights: defaultWeights,
        includeSuperseded: choose.chance(0.1),
        ...(hasVector && { queryEmbedding: callerVector(at) }),
        ...limitsOf(choose),
        ...optionsOf(choose),
      },
      rpc: choose.chance(0.2) ? "recall" : "search",
      hasGraph: choose.chance(0.2),
      ...(choose.chance(0.05) && { explains: explained }),
    };
  });
}

/** Returns the text of a query: words of a memory, a question, or a text with few matches. */
function textOf({ memories }: FilledNamespace, choose: Choices): string {
  const words = choose.one(memories).content.split(" ");
  const from = choose.below(words.length);
  const passage = (length: number) => words.slice(from, from + length).join(" ");
  const kind = choose.below(12);
  if (kind < 4) return passage(7);
  if (kind < 7) return question(choose);
  if (kind === 7) return misspelled(passage(6), choose);
  if (kind === 8) return `What did ${choose.one(people)} say ${choose.one(queryDays)}?`;
  if (kind === 9) return passage(40);
  return choose.one([
    "qwzx vrptk",
    "who is it",
    "",
    "   ",
    "the Lisbon",
    "IT",
    "vitamin D",
    "user_profile E42",
    "Schwester Lissabon Uhren",
    "姐姐搬到哪里了？",
    "anything about photosynthesis in deep oceans",
  ]);
}

function filterOf(choose: Choices): Filter {
  const endMs = nowMs - choose.below(200) * 86_400_000;
  return choose.one<Filter>([
    { memoryTypes: ["SEMANTIC"] },
    { memoryTypes: ["CONVERSATION", "TRACE", "EPISODIC"] },
    { tagsAny: ["travel", "work"] },
    { kinds: ["preference"] },
    { author: choose.one(people) },
    { timeRange: { end: instantOfMillis(endMs) } },
    { metadata: { city: "Oslo" } },
    { importanceMin: 0.6 },
    { expression: "importance > 0.3 && source != 'clock'" },
    { threadId: "talk 3" },
  ]);
}

function limitsOf(choose: Choices): Partial<SearchQuery> {
  return choose.one<Partial<SearchQuery>>([
    {},
    {},
    { limit: 3 },
    { limit: 1 + choose.below(15) },
    { budgetTokens: 20 + choose.below(80) },
    { limit: 5, budgetTokens: 60 },
    { budgetTokens: 1 + choose.below(12) },
  ]);
}

function optionsOf(choose: Choices): Partial<SearchQuery> {
  return choose.one<Partial<SearchQuery>>([
    {},
    {},
    {},
    {},
    { minRelevance: 0 },
    { minRelevance: choose.below(90) / 100 },
    { gate: choose.below(100) / 100 },
    { minRelevance: 0, gate: 0.5 },
    { weights: { recency: 0.3, importance: 0.1, novelty: 0 } },
    { weights: { recency: 0, importance: 0, novelty: 0.4 } },
    { accessFilter: { memoryTypes: ["EPISODIC", "SEMANTIC", "CONVERSATION"] } },
    { referenceTime: instantOfMillis(Date.UTC(2025, 5, 10)) },
  ]);
}

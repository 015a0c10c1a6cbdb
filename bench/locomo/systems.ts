import { type Timestamp, timestampFromMs } from "@bufbuild/protobuf/wkt";
import type { SearchHit } from "#gen/vademecum/v1/search_pb.js";
import { addAll, type BenchClient } from "../harness/client.js";
import type { Conversation } from "./conversations.js";
import type { Answer, TokenBudget } from "./recall.js";

/** One conversation in one server. */
export interface LoadedConversation {
  readonly client: BenchClient;
  readonly namespace: { readonly userId: string; readonly agentId: string };
  /** The ids of turns, by the ids of their memories. */
  readonly turnIds: ReadonlyMap<string, string>;
  /** The time of the last turn, at which the questions are asked. */
  readonly endMs: number;
}

/** A way to answer questions about a loaded conversation. */
export type System = (conversation: LoadedConversation, question: string) => Promise<Answer>;

/** The options that differ between systems. */
interface SearchOptions {
  readonly query: string;
  readonly weights?: { readonly recency: number; readonly importance: number };
  readonly referenceTime?: Timestamp;
  readonly limit?: number;
  readonly budgetTokens?: number;
}

/** The number of hits in a ranking. Later hits count as missing. */
const rankedHits = 100;

/** The maximum number of hits: more than a conversation has turns. */
const hitsMax = 1000;

/** Weights for the score of the match alone, without recency and importance. */
const matchAlone = { recency: 0, importance: 0 };

/** Searches right after the last turn: with the option `referenceTime` and no other option. */
export const withDefaults: System = (conversation, question) =>
  searchWithBudgets(conversation, {
    query: question,
    referenceTime: timestampFromMs(conversation.endMs),
  });

/** Searches by the score of the match alone. */
export const byMatchAlone: System = (conversation, question) =>
  searchWithBudgets(conversation, { query: question, weights: matchAlone });

/**
 * Orders the hits of Search by their cosines, and packs them as Search does. Memories that share no
 * word with the question and are not relevant are missing.
 */
export const byVectorAlone: System = async (conversation, question) => {
  const hits = await search(conversation, {
    query: question,
    weights: matchAlone,
    limit: hitsMax,
  });
  const ordered = hits.toSorted((a, b) => (b.scores?.vector ?? 0) - (a.scores?.vector ?? 0));
  return answerOf(conversation, ordered, {
    500: packHits(ordered, 500),
    1000: packHits(ordered, 1000),
    2000: packHits(ordered, 2000),
  });
};

/**
 * Stores each turn as a memory in the conversation's own namespace.
 *
 * @param fields `all` with author, thread and event time; `text` with the text alone
 */
export async function load(
  client: BenchClient,
  { name, turns }: Conversation,
  fields: "all" | "text",
): Promise<LoadedConversation> {
  const namespace = { userId: name, agentId: fields };
  const ids = await addAll(
    client,
    turns.map(({ content, author, session, eventTimeMs }) => ({
      namespace,
      content,
      ...(fields === "all" && {
        ...(author !== undefined && { author }),
        threadId: session,
        eventTime: timestampFromMs(eventTimeMs),
      }),
    })),
  );
  const turnIds = new Map(turns.map(({ id }, index) => [ids[index] ?? "", id]));
  return {
    client,
    namespace,
    turnIds,
    endMs: Math.max(...turns.map(({ eventTimeMs }) => eventTimeMs)),
  };
}

/** Searches once for the ranking, and once more for each budget. */
async function searchWithBudgets(
  conversation: LoadedConversation,
  options: SearchOptions,
): Promise<Answer> {
  const [all, within500, within1000, within2000] = await Promise.all([
    search(conversation, { ...options, limit: rankedHits }),
    search(conversation, { ...options, budgetTokens: 500 }),
    search(conversation, { ...options, budgetTokens: 1000 }),
    search(conversation, { ...options, budgetTokens: 2000 }),
  ]);
  return answerOf(conversation, all, { 500: within500, 1000: within1000, 2000: within2000 });
}

async function search(
  { client, namespace }: LoadedConversation,
  options: SearchOptions,
): Promise<readonly SearchHit[]> {
  const hits: SearchHit[] = [];
  for await (const message of client.memories.search({ ...options, namespace }))
    hits.push(...message.hits);
  return hits;
}

/** Selects the hits that fit the budget, best first. Skips each hit that does not fit. */
function packHits(hits: readonly SearchHit[], budget: TokenBudget): readonly SearchHit[] {
  let left = budget as number;
  return hits.filter(({ tokens }) => {
    if (tokens > left) return false;
    left -= tokens;
    return true;
  });
}

function answerOf(
  { turnIds }: LoadedConversation,
  hits: readonly SearchHit[],
  packedHits: Readonly<Record<TokenBudget, readonly SearchHit[]>>,
): Answer {
  const idsOf = (selection: readonly SearchHit[]) =>
    selection.map(({ memory }) => turnIds.get(memory?.id ?? "") ?? "");
  const packedIn = (budget: TokenBudget) => new Set(idsOf(packedHits[budget]));
  return {
    ranking: idsOf(hits),
    packed: { 500: packedIn(500), 1000: packedIn(1000), 2000: packedIn(2000) },
  };
}

import { type Timestamp, timestampFromMs } from "@bufbuild/protobuf/wkt";
import type { SearchHit } from "#gen/vademecum/v1/search_pb.js";
import { addAll, type BenchClient } from "../harness/client.js";
import type { Conversation } from "./conversations.js";
import type { Answer, TokenBudget } from "./recall.js";

/** One conversation in one server. */
export interface LoadedConversation {
  readonly client: BenchClient;
  readonly namespace: { readonly userId: string; readonly agentId: string };
  /** Ids of turns by the ids of their memories. */
  readonly turnIds: ReadonlyMap<string, string>;
  /** When the last turn was said: that is when the questions are asked. */
  readonly endMs: number;
}

/** A way to answer questions about a loaded conversation. */
export type System = (conversation: LoadedConversation, question: string) => Promise<Answer>;

/** What systems ask for in different ways. */
interface SearchOptions {
  readonly query: string;
  readonly weights?: { readonly recency: number; readonly importance: number };
  readonly referenceTime?: Timestamp;
  readonly limit?: number;
  readonly budgetTokens?: number;
}

/** Hits that make up a ranking: what comes behind them counts as not found. */
const rankedHits = 100;

/** As many hits as a search may return: more than a conversation has turns. */
const everything = 1000;

/** Recency and importance are left out: the score of the match alone. */
const matchAlone = { recency: 0, importance: 0 };

/** Search as it is called without options, asked right after the last turn. */
export const withDefaults: System = (conversation, question) =>
  searched(conversation, { query: question, referenceTime: timestampFromMs(conversation.endMs) });

/** Search by the score of the match alone. */
export const byMatchAlone: System = (conversation, question) =>
  searched(conversation, { query: question, weights: matchAlone });

/** The same hits in the order of their cosines, packed as Search packs. What neither shares a word with the question nor is relevant is not among them. */
export const byVectorAlone: System = async (conversation, question) => {
  const hits = await search(conversation, {
    query: question,
    weights: matchAlone,
    limit: everything,
  });
  const ordered = hits.toSorted((a, b) => (b.scores?.vector ?? 0) - (a.scores?.vector ?? 0));
  return answerOf(conversation, ordered, {
    500: packed(ordered, 500),
    1000: packed(ordered, 1000),
    2000: packed(ordered, 2000),
  });
};

/** Stores each turn as a memory, in a namespace of its own. `fields`: with author, thread and event time, or the text alone. */
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
        author,
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

/** One search for the ranking, and one more for each budget. */
async function searched(conversation: LoadedConversation, options: SearchOptions): Promise<Answer> {
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

/** What fits, best first: a hit that does not fit is passed over. */
function packed(hits: readonly SearchHit[], budget: TokenBudget): readonly SearchHit[] {
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
  const idsOf = (some: readonly SearchHit[]) =>
    some.map(({ memory }) => turnIds.get(memory?.id ?? "") ?? "");
  const packedIn = (budget: TokenBudget) => new Set(idsOf(packedHits[budget]));
  return {
    ranking: idsOf(hits),
    packed: { 500: packedIn(500), 1000: packedIn(1000), 2000: packedIn(2000) },
  };
}

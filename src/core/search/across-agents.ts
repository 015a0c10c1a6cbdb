import { VademecumError } from "../model/errors.js";
import { compareNewestFirst, type Memory } from "../model/memory.js";
import { type Namespace, userScope } from "../model/namespace.js";
import type { IndexTier, NamespaceIndex, ScorePassages } from "../ports/search-index.js";
import type { Head, Store } from "../ports/store.js";
import { allowedIds } from "../requests/allowed-ids.js";
import { requireCommitSeq } from "../requests/commit-seq.js";
import { omissionsListedMax, type PackedIndex } from "./pack/pack.js";
import { type AgentChoice, limitOf, matchesAll, type SearchQuery } from "./query/search.js";
import { anyMatch, type Match } from "./rank/matches.js";
import type { Ranking } from "./rank/rank.js";

/** Maximum number of agents that one search reads. */
const agentsMax = 1_000;

/** Maximum number of hits of a search over several agents. */
const hitsMax = 1_000;

/** Few memories have fewer tokens. So a budget divided by this number is more than enough hits. */
const tokensPerHit = 8;

/**
 * Returns the namespaces of the chosen agents of a user.
 *
 * @throws FAILED_PRECONDITION (TOO_MANY_AGENTS) when the patterns allow more than 1,000 of them
 */
export async function chosenNamespaces(
  store: Pick<Store, "ids">,
  userId: string,
  agents: AgentChoice,
): Promise<readonly Namespace[]> {
  if ("ids" in agents) return [...new Set(agents.ids)].map((agentId) => ({ userId, agentId }));
  const chosen: Namespace[] = [];
  for await (const agentId of allowedIds(store, { of: "agents", userId }, agents.allowed)) {
    if (chosen.length === agentsMax) throw tooManyAgents();
    chosen.push({ userId, agentId });
  }
  return chosen;
}

function tooManyAgents(): VademecumError {
  const description =
    `the user has more than ${agentsMax} agents, the most that one search reads; ` +
    "name up to 100 of them in agent_ids";
  return new VademecumError("FAILED_PRECONDITION", "TOO_MANY_AGENTS", description, {
    field: "all_agents",
  });
}

/** A match with its agent. It stays valid after the read of the index. */
interface AgentMatch extends Match {
  readonly agentId: string;
  /** Scores passages for an excerpt. Absent: a match of the agent fits into the budget. */
  readonly score: ScorePassages | undefined;
}

/** What the ranking of one agent says about all of its matches. */
type RankingFacts = Omit<Ranking, "matches"> & { readonly head: Head };

/** The best matches of one agent, and facts about all of them. */
export interface AgentRanking {
  readonly matches: readonly AgentMatch[];
  readonly facts: RankingFacts;
}

/** Takes the best matches of one agent out of its index. */
export function takeMatches(
  index: NamespaceIndex,
  ranking: Ranking,
  query: SearchQuery,
  agentId: string,
): AgentRanking {
  const { totalMatches, withheld, tier, gate } = ranking;
  const { budgetTokens = Number.POSITIVE_INFINITY } = query;
  const taken: Match[] = [];
  for (const match of ranking.matches(anyMatch)) {
    taken.push(match);
    if (taken.length === keptMax(query)) break;
  }
  const fits = taken.some(({ memory }) => memory.tokenCount <= budgetTokens);
  const score = fits || taken.length === 0 ? undefined : index.passageScorer(query.query);
  return {
    matches: taken.map((match) => ({ ...match, agentId, score })),
    facts: { totalMatches, withheld, tier, gate, head: index.head },
  };
}

/** Number of the best matches to keep: enough for all hits, and for a full receipt. */
function keptMax(query: SearchQuery): number {
  const { budgetTokens } = query;
  const byBudget = budgetTokens === undefined ? hitsMax : Math.ceil(budgetTokens / tokensPerHit);
  return Math.min(hitsMax, limitOf(query), byBudget) + omissionsListedMax;
}

/** Merges the matches of several agents into one ranking. */
export class MergedRanking {
  #matches: readonly AgentMatch[] = [];
  #all: RankingFacts[] = [];

  constructor(private readonly query: SearchQuery) {}

  add({ matches, facts }: AgentRanking): void {
    this.#all.push(facts);
    const compare = orderOf(this.query);
    this.#matches = [...this.#matches, ...matches].sort(compare).slice(0, keptMax(this.query));
  }

  /** The agent of a match. */
  agentOf({ id }: Pick<Memory, "id">): string {
    return this.#matches.find(({ memory }) => memory.id === id)?.agentId ?? "";
  }

  /** Returns the ranking of all agents together. */
  get ranking(): Ranking {
    const all = this.#all;
    const tier: IndexTier = all.some((it) => it.tier === "near") ? "near" : "exact";
    const sum = (count: (facts: RankingFacts) => number): number =>
      all.reduce((total, facts) => total + count(facts), 0);
    return {
      totalMatches: sum((it) => it.totalMatches),
      withheld: sum(({ withheld }) => withheld),
      tier,
      gate: {
        isClosed: all.length > 0 && all.every(({ gate }) => gate.isClosed),
        bestRelevance: Math.max(0, ...all.map(({ gate }) => gate.bestRelevance)),
      },
      matches: () => this.#matches,
    };
  }

  /**
   * Returns what packing reads of an index. Its head is the earliest of the agents' heads.
   *
   * @throws INVALID_ARGUMENT (FOREIGN_COMMIT_SEQ) when the user has no such commit
   */
  async indexOver(store: Pick<Store, "head">): Promise<PackedIndex> {
    const { namespace, minCommitSeq } = this.query;
    const heads = this.#all.map(({ head }) => head);
    const [first = await store.head(userScope(namespace.userId)), ...others] = heads;
    requireCommitSeq(first, namespace.userId, minCommitSeq);
    return {
      head: others.reduce((earliest, head) => (head.seq < earliest.seq ? head : earliest), first),
      passageScorer: () => this.#matches[0]?.score ?? noScores,
      cosine: () => 0,
    };
  }
}

const noScores: ScorePassages = async (passages) => passages.map(() => 0);

function orderOf(query: SearchQuery): (a: AgentMatch, b: AgentMatch) => number {
  const newest = (a: AgentMatch, b: AgentMatch) => compareNewestFirst(a.memory, b.memory);
  if (query.order === "NEWEST_FIRST" || matchesAll(query)) return newest;
  return (a, b) => b.scores.final - a.scores.final || newest(a, b);
}

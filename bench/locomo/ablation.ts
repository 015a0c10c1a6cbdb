import { type Instant, instantOfMillis } from "../../src/core/model/instant.js";
import type { Memory } from "../../src/core/model/memory.js";
import { allTypes } from "../../src/core/model/memory.js";
import type { Embedder } from "../../src/core/ports/embedder.js";
import type { TokenCounter } from "../../src/core/ports/token-counter.js";
import { selectMatches } from "../../src/core/search/pack/pack.js";
import { findHints, type RankInput } from "../../src/core/search/query/rank-input.js";
import { type SignalWeights, signalWeights } from "../../src/core/search/query/scores.js";
import { defaultWeights } from "../../src/core/search/query/search.js";
import { type Ranking, rank } from "../../src/core/search/rank/rank.js";
import { RankingColumns } from "../../src/core/search/score/ranking-columns.js";
import { keywordCalibration } from "../../src/core/vectors/calibration.js";
import { createAnalyzer } from "../../src/index/keyword/analyzer.js";
import { HotNamespaceIndex } from "../../src/index/namespace-index.js";
import { type ContextWeights, contextWeights } from "../../src/index/thread/context-weights.js";
import { loadKernelModule } from "../../src/index/vector/kernel.js";
import type { Conversation } from "./conversations.js";
import type { Answer, TokenBudget } from "./recall.js";
import { type TurnStorage, turnStorages } from "./turn-storages.js";

/** The weights of one row of the table, and how its turns are stored. */
export interface Ablation {
  readonly signals: SignalWeights;
  readonly context: ContextWeights;
  /** Default: with all fields. */
  readonly storage?: TurnStorage;
  /** Whether the memories have vectors. Default: true. */
  readonly hasVectors?: boolean;
}

/** The weights of the match alone. */
const noSignals: SignalWeights = {
  following: 0,
  thread: 0,
  threadBest: 0,
  threadVector: 0,
  author: 0,
  authorMatch: 0,
  date: 0,
  mentionedMonth: 0,
  mentionedDay: 0,
  length: 0,
  question: 0,
  askedTime: 0,
  askedNumber: 0,
  answer: 0,
  similarWords: 0,
};

const allSignals = { signals: signalWeights, context: contextWeights };

/** All signals, then without one signal at a time, then all signals on turns with fewer fields. */
export const ablations: Readonly<Record<string, Ablation>> = {
  "all signals": allSignals,
  "without words of the turns before": {
    signals: signalWeights,
    context: { ...contextWeights, terms: [] },
  },
  "without vectors of the turns before": {
    signals: signalWeights,
    context: { ...contextWeights, vectors: [] },
  },
  "without fading long neighbours": {
    signals: signalWeights,
    context: { ...contextWeights, fullTerms: Number.POSITIVE_INFINITY },
  },
  "without the turn that follows": {
    signals: { ...signalWeights, following: 0 },
    context: contextWeights,
  },
  "without the thread's score": {
    signals: { ...signalWeights, thread: 0 },
    context: contextWeights,
  },
  "without the thread's best turn": {
    signals: { ...signalWeights, threadBest: 0, threadVector: 0 },
    context: contextWeights,
  },
  "without author": {
    signals: { ...signalWeights, author: 0, authorMatch: 0 },
    context: contextWeights,
  },
  "without the match of the author": {
    signals: { ...signalWeights, authorMatch: 0 },
    context: contextWeights,
  },
  "without date": { signals: { ...signalWeights, date: 0 }, context: contextWeights },
  "without mentioned days": {
    signals: { ...signalWeights, mentionedMonth: 0, mentionedDay: 0 },
    context: contextWeights,
  },
  "without length": { signals: { ...signalWeights, length: 0 }, context: contextWeights },
  "without question": { signals: { ...signalWeights, question: 0 }, context: contextWeights },
  "without what is asked for": {
    signals: { ...signalWeights, askedTime: 0, askedNumber: 0 },
    context: contextWeights,
  },
  "without answer": { signals: { ...signalWeights, answer: 0 }, context: contextWeights },
  "without similar words": {
    signals: { ...signalWeights, similarWords: 0 },
    context: contextWeights,
  },
  "without any of them": {
    signals: noSignals,
    context: { ...contextWeights, terms: [], vectors: [] },
  },
  ...Object.fromEntries(
    Object.entries(turnStorages).map(([name, storage]) => [name, { ...allSignals, storage }]),
  ),
};

const analyzer = createAnalyzer();
const kernel = loadKernelModule();

/** The number of hits in a ranking, as in the searches of the rows with servers. */
const rankedHits = 100;

/**
 * A conversation in indexes of this process, one for each ablation. The code of Search ranks and
 * packs the turns with the weights of the ablation.
 */
export interface AblatedConversation {
  /** Answers a question by the match alone. */
  ask(ablation: string, question: string): Promise<Answer>;
  /** Returns the ids of the best 100 turns, by the match alone with other weights. */
  rank(ablation: string, question: string, signals: SignalWeights): Promise<readonly string[]>;
}

/**
 * Indexes a conversation in this process, once for each ablation.
 *
 * @param rows The ablations. Default: all.
 */
export async function loadAblated(
  { turns }: Conversation,
  embedder: Embedder,
  tokens: TokenCounter,
  rows: Readonly<Record<string, Ablation>> = ablations,
): Promise<AblatedConversation> {
  const { signal } = new AbortController();
  const columns = new RankingColumns();
  const texts = turns.map(({ content }) => content);
  const vectors = await embedder.embed(texts, signal);
  const now = instantOfMillis(Math.max(...turns.map(({ eventTimeMs }) => eventTimeMs)));
  const memories = turns.map((turn, at) => memoryOf(turn, at, now, tokens));
  const vectorsById = new Map(memories.map(({ id }, at) => [id, vectors[at]]));
  const indexes = new Map(
    Object.entries(rows).map(([name, row]) => [
      name,
      { row, index: buildIndex(row, memories, vectorsById, embedder) },
    ]),
  );
  const queryVectors = new Map<string, Float32Array | undefined>();
  const vectorOf = async (question: string) => {
    const vector = queryVectors.get(question) ?? (await embedder.embed([question], signal))[0];
    queryVectors.set(question, vector);
    return vector;
  };
  // All rankings share the columns, so `read` takes what it needs before the next ranking starts.
  const readRanking = async <T>(
    name: string,
    question: string,
    read: (ranking: Ranking) => T,
    signals?: SignalWeights,
  ): Promise<T> => {
    const found = indexes.get(name);
    if (found === undefined) throw new Error(`there is no ablation '${name}'`);
    const { row, index } = found;
    const vector = index.profile === undefined ? undefined : await vectorOf(question);
    const input = inputOf(question, index.authors, now, {
      vector,
      calibration: vector === undefined ? keywordCalibration : embedder.calibration,
      signals: signals ?? row.signals,
    });
    return read(rank(index, input, columns));
  };
  return {
    ask: (name, question) => readRanking(name, question, answerOf),
    rank: (name, question, signals) =>
      readRanking(
        name,
        question,
        (ranking) => idsOf(ranking, rankedHits, Number.POSITIVE_INFINITY),
        signals,
      ),
  };
}

function buildIndex(
  { context, storage, hasVectors = true }: Ablation,
  memories: readonly Memory[],
  vectorsById: ReadonlyMap<string, Float32Array | undefined>,
  { modelId, dimension, wordPieces }: Embedder,
): HotNamespaceIndex {
  const index = new HotNamespaceIndex(
    { analyzer, kernel, context, wordPieces: () => wordPieces },
    { epoch: "bench", seq: 1 },
    hasVectors ? { modelId, dimension } : undefined,
  );
  for (const memory of storage?.(memories) ?? memories)
    index.put(memory, vectorsById.get(memory.id));
  return index;
}

function inputOf(
  question: string,
  authors: Iterable<string>,
  now: Instant,
  parts: Pick<RankInput, "vector" | "calibration" | "signals">,
): RankInput {
  const referenceMs = now.seconds * 1000;
  return {
    ...parts,
    defaultFloor: 0,
    vectorShare: 1,
    sameVectorRelevance: 1,
    query: {
      query: question,
      order: "RELEVANCE",
      weights: { ...defaultWeights, recency: 0, importance: 0 },
    },
    nearest: undefined,
    hints: findHints(question, authors, referenceMs),
    resultFilter: { includeSuperseded: false, types: allTypes },
    now,
    referenceMs,
  };
}

/** Returns the ids of the turns that Search would return. */
function idsOf(ranking: Ranking, limit: number, budgetTokens: number): readonly string[] {
  return selectMatches(
    (tokensMax) => ranking.matches(tokensMax),
    { limit, budgetTokens, dropNearCopies: true },
    ({ memory }) => memory.tokenCount,
  ).matches.map(({ match }) => match.memory.source ?? "");
}

function answerOf(ranking: Ranking): Answer {
  const packedIn = (budget: TokenBudget) =>
    new Set(idsOf(ranking, Number.POSITIVE_INFINITY, budget));
  return {
    ranking: idsOf(ranking, rankedHits, Number.POSITIVE_INFINITY),
    packed: { 500: packedIn(500), 1000: packedIn(1000), 2000: packedIn(2000) },
  };
}

/**
 * Makes the memory that the service would store for a turn. `source` keeps the turn's id, because
 * ids of memories follow the order of writing.
 */
function memoryOf(
  { id, content, author, session, eventTimeMs }: Conversation["turns"][number],
  at: number,
  now: Instant,
  tokens: TokenCounter,
): Memory {
  return {
    id: String(at).padStart(6, "0"),
    content,
    source: id,
    ...(author !== undefined && { author }),
    threadId: session,
    eventTime: instantOfMillis(eventTimeMs),
    memoryType: "EPISODIC",
    tags: [],
    importance: 0.5,
    status: "ACTIVE",
    restricted: false,
    createTime: now,
    updateTime: now,
    version: 1,
    tokenCount: tokens.count(content),
  };
}

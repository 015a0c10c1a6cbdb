import type { Embedder } from "../../src/core/ports/embedder.js";
import type { TokenCounter } from "../../src/core/ports/token-counter.js";
import { type SignalWeights, signalWeights } from "../../src/core/search/query/scores.js";
import { printLine, printTable } from "../harness/report.js";
import { type AblatedConversation, ablations, loadAblated } from "./ablation.js";
import type { Conversation } from "./conversations.js";
import { ranksOf } from "./recall.js";

/**
 * The weights to choose, one line after another, and the values to try. The weights of one line
 * change together.
 */
const grid: readonly (readonly Partial<SignalWeights>[])[] = [
  [{ following: 0.3 }, { following: 0.2 }, { following: 0.4 }],
  [
    { threadBest: 0, threadVector: 0 },
    { threadBest: 0.1, threadVector: 0.1 },
    { threadBest: 0.1, threadVector: 0.2 },
    { threadBest: 0.2, threadVector: 0.2 },
  ],
  [{ length: 0 }, { length: 0.03 }, { length: 0.05 }, { length: 0.07 }],
  [{ question: 0 }, { question: 0.03 }, { question: 0.06 }, { question: 0.09 }],
  [{ answer: 0 }, { answer: 0.15 }, { answer: 0.3 }],
  [{ similarWords: 0 }, { similarWords: 0.2 }, { similarWords: 0.3 }, { similarWords: 0.4 }],
  [{ date: 0.15 }, { date: 0.2 }],
  [{ authorMatch: 0 }, { authorMatch: 0.05 }, { authorMatch: 0.15 }, { authorMatch: 0.3 }],
  [
    { mentionedMonth: 0, mentionedDay: 0 },
    { mentionedMonth: 0.05, mentionedDay: 0.1 },
    { mentionedMonth: 0.1, mentionedDay: 0.1 },
  ],
  [
    { askedTime: 0, askedNumber: 0 },
    { askedTime: 0.06, askedNumber: 0.06 },
    { askedTime: 0.09, askedNumber: 0.09 },
    { askedTime: 0.12, askedNumber: 0.12 },
  ],
];

/** The weights with the first values of all lines. */
function firstWeights(): SignalWeights {
  let weights = signalWeights;
  for (const [first] of grid) weights = { ...weights, ...first };
  return weights;
}

const withoutTurns = firstWeights();

const ablation = "all signals";

interface Scores {
  readonly recallAt10: number;
  readonly reciprocalRank: number;
}

/** A conversation in this process, with the scores of the weights that were tried on it. */
interface Fold {
  readonly conversation: Conversation;
  readonly ablated: AblatedConversation;
  readonly known: Map<string, Scores>;
}

/**
 * For each conversation, chooses the weights that give the highest R@10 + MRR on all other
 * conversations. Prints R@10 and MRR with these weights on the conversation itself.
 */
export async function chooseWeights(
  conversations: readonly Conversation[],
  embedder: Embedder,
  tokens: TokenCounter,
): Promise<void> {
  const rows = { [ablation]: ablations[ablation] as (typeof ablations)[string] };
  const folds: Fold[] = [];
  for (const conversation of conversations) {
    const ablated = await loadAblated(conversation, embedder, tokens, rows);
    folds.push({ conversation, ablated, known: new Map() });
  }
  const table: string[][] = [];
  for (const fold of folds) {
    const chosen = await choose(folds.filter((other) => other !== fold));
    const cells = [withoutTurns, signalWeights, chosen].map(async (weights) => {
      const { recallAt10, reciprocalRank } = await scoresOf(fold, weights);
      return `${recallAt10.toFixed(3)} ${reciprocalRank.toFixed(3)}`;
    });
    table.push([fold.conversation.name, ...(await Promise.all(cells))]);
    printLine(`chosen without ${fold.conversation.name}: ${differences(chosen)}`);
  }
  const everywhere = await choose(folds);
  printLine(`chosen on all: ${differences(everywhere)}`);
  printTable(["R@10 MRR", "no turn signals", "weights in use", "chosen on the others"], table);
}

/**
 * Chooses weights, starting from the weights in use: goes through the lines of the grid twice and
 * keeps the best values of each line.
 */
async function choose(folds: readonly Fold[]): Promise<SignalWeights> {
  let best = signalWeights;
  let bestScore = await objective(folds, best);
  for (let pass = 0; pass < 2; pass++) {
    for (const line of grid) {
      for (const values of line) {
        const weights = { ...best, ...values };
        const score = await objective(folds, weights);
        if (score > bestScore) [best, bestScore] = [weights, score];
      }
    }
  }
  return best;
}

/** Returns the mean of R@10 + MRR over all questions. */
async function objective(folds: readonly Fold[], weights: SignalWeights): Promise<number> {
  let sum = 0;
  let questions = 0;
  for (const fold of folds) {
    const { recallAt10, reciprocalRank } = await scoresOf(fold, weights);
    sum += (recallAt10 + reciprocalRank) * fold.conversation.questions.length;
    questions += fold.conversation.questions.length;
  }
  return sum / questions;
}

async function scoresOf(
  { conversation: { questions }, ablated, known }: Fold,
  weights: SignalWeights,
): Promise<Scores> {
  const key = JSON.stringify(weights);
  const earlier = known.get(key);
  if (earlier !== undefined) return earlier;
  let [recall, reciprocal] = [0, 0];
  for (const { text, evidence } of questions) {
    const ranking = await ablated.rank(ablation, text, weights);
    const ranks = ranksOf(ranking, evidence).map((rank) => rank ?? Number.POSITIVE_INFINITY);
    recall += ranks.filter((rank) => rank <= 10).length / ranks.length;
    reciprocal += 1 / Math.min(...ranks);
  }
  const scores = {
    recallAt10: recall / questions.length,
    reciprocalRank: reciprocal / questions.length,
  };
  known.set(key, scores);
  return scores;
}

/** Lists the weights that differ from the weights in use. */
function differences(weights: SignalWeights): string {
  const changed = Object.entries(weights).filter(
    ([name, value]) => value !== signalWeights[name as keyof SignalWeights],
  );
  return changed.map(([name, value]) => `${name} ${value}`).join(", ") || "the weights in use";
}

/**
 * What do the search options `min_relevance` and `gate` cost, and what do they save? The benchmark
 * asks questions about LoCoMo conversations. Some questions have an answer in the namespace, and
 * some do not.
 */
import { parseArgs } from "node:util";
import { instantOfMillis } from "../src/core/model/instant.js";
import type { SearchHit } from "../src/core/search/query/search.js";
import {
  type BenchService,
  createBenchService,
  openBundledEmbedder,
} from "./harness/bench-service.js";
import { printLine, printMachine, printTable, saveResults } from "./harness/report.js";
import { type Conversation, readConversations } from "./locomo/conversations.js";

const usage = `Usage: npm run bench:abstention -- --data FOLDER

FOLDER holds dev.json: conversations in the format of the LoCoMo data set.`;

const explanation = `A search has a budget of 500 tokens, and for R@10 a limit of ten hits instead.
"default": a search without min_relevance, so with the default minimum of the embedder.

R@10        mean share of the evidence among the first ten hits
B500        mean share of the evidence within 500 tokens
nothing     share of the questions without hits
tokens      mean number of tokens used
answerable  questions about the conversation
foreign     questions about the next conversation, which has other speakers
trap        questions in the words of the conversation about things that were never said`;

/** The options of the searches of one row. */
interface Setting {
  readonly name: string;
  /** Absent: the default floor of the embedder. */
  readonly minRelevance?: number;
  readonly gate?: number;
}

const settings: readonly Setting[] = [
  { name: "floor 0", minRelevance: 0 },
  { name: "floor .1", minRelevance: 0.1 },
  { name: "floor .15", minRelevance: 0.15 },
  { name: "floor .2", minRelevance: 0.2 },
  { name: "floor .25", minRelevance: 0.25 },
  { name: "floor .3", minRelevance: 0.3 },
  { name: "floor .5", minRelevance: 0.5 },
  { name: "floor .7", minRelevance: 0.7 },
  { name: "default" },
  { name: "default, gate .3", gate: 0.3 },
  { name: "default, gate .5", gate: 0.5 },
  { name: "default, gate .7", gate: 0.7 },
];
const budgetTokens = 500;
const limit = 10;

/** The answer to one question with one setting. */
interface Answer {
  readonly tokens: number;
  readonly hits: number;
  /** Share of the evidence within the budget, and among the first ten hits. NaN: no evidence. */
  readonly inBudget: number;
  readonly amongTen: number;
}

/** The answers to one question, in the order of the settings. */
interface Outcome {
  readonly embedder: string;
  readonly kind: "answerable" | "foreign" | "trap";
  readonly answers: readonly Answer[];
}

const { values } = parseArgs({ options: { data: { type: "string" } } });
if (values.data === undefined) {
  printLine(usage);
  process.exitCode = 2;
} else {
  printMachine();
  const conversations = readConversations(values.data);
  const embedders = { local: await openBundledEmbedder(), none: undefined };
  const outcomes: Outcome[] = [];
  for (const [embedder, model] of Object.entries(embedders)) {
    const service = await createBenchService(model);
    for (const [at, conversation] of conversations.entries()) {
      const ask = await load(service, conversation);
      const foreign = conversations[(at + 1) % conversations.length]?.questions ?? [];
      for (const { text, evidence } of conversation.questions)
        outcomes.push({ embedder, kind: "answerable", answers: await ask(text, evidence) });
      for (const { text } of foreign)
        outcomes.push({ embedder, kind: "foreign", answers: await ask(text, []) });
      for (const text of conversation.unanswerable)
        outcomes.push({ embedder, kind: "trap", answers: await ask(text, []) });
    }
  }
  report(outcomes, Object.keys(embedders));
}

/**
 * Stores a conversation, as the recall benchmark does. Returns a function that asks a question with
 * each setting.
 */
async function load(
  service: BenchService,
  { name, turns }: Conversation,
): Promise<(question: string, evidence: readonly string[]) => Promise<readonly Answer[]>> {
  for (const { id, content, author, session, eventTimeMs } of turns) {
    await service.add(name, {
      content,
      ...(author !== undefined && { author }),
      threadId: session,
      eventTime: instantOfMillis(eventTimeMs),
      source: id,
    });
  }
  const referenceTime = instantOfMillis(Math.max(...turns.map(({ eventTimeMs }) => eventTimeMs)));
  const shareOf = (evidence: readonly string[], hits: readonly SearchHit[]) => {
    const sources = new Set(hits.map(({ memory }) => memory.source));
    return evidence.filter((id) => sources.has(id)).length / evidence.length;
  };
  return async (question, evidence) => {
    const answers: Answer[] = [];
    for (const { name: _, ...options } of settings) {
      const search = { ...options, referenceTime };
      const { hits, summary } = await service.search(name, question, { ...search, budgetTokens });
      const ten =
        evidence.length === 0
          ? []
          : (await service.search(name, question, { ...search, limit })).hits;
      answers.push({
        tokens: summary.tokensUsed,
        hits: hits.length,
        inBudget: shareOf(evidence, hits),
        amongTen: shareOf(evidence, ten),
      });
    }
    return answers;
  };
}

function report(outcomes: readonly Outcome[], embedders: readonly string[]): void {
  const results = embedders.flatMap((embedder) =>
    settings.map(({ name }, at) => {
      const of = (kind: Outcome["kind"]) =>
        outcomes
          .filter((outcome) => outcome.embedder === embedder && outcome.kind === kind)
          .map(({ answers }) => answers[at] as Answer);
      const figures = (kind: Outcome["kind"]) => ({
        nothing: mean(of(kind).map(({ hits }) => (hits === 0 ? 1 : 0))),
        tokens: mean(of(kind).map(({ tokens }) => tokens)),
      });
      const answered = of("answerable").filter(({ inBudget }) => !Number.isNaN(inBudget));
      return {
        embedder,
        setting: name,
        recallAt10: mean(answered.map(({ amongTen }) => amongTen)),
        within500: mean(answered.map(({ inBudget }) => inBudget)),
        answerable: figures("answerable"),
        foreign: figures("foreign"),
        trap: figures("trap"),
      };
    }),
  );
  printTable(
    [
      "embedder, setting",
      "answerable: R@10",
      "B500",
      "nothing",
      "tokens",
      "foreign: nothing",
      "tokens",
      "trap: nothing",
      "tokens",
    ],
    results.map(({ embedder, setting, recallAt10, within500, answerable, foreign, trap }) => [
      `${embedder}, ${setting}`,
      recallAt10.toFixed(3),
      within500.toFixed(3),
      ...[answerable, foreign, trap].flatMap(({ nothing, tokens }) => [
        nothing.toFixed(3),
        tokens.toFixed(0),
      ]),
    ]),
  );
  printLine();
  printLine(explanation);
  saveResults("abstention", { results });
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

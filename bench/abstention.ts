/**
 * What does a minimum relevance cost, and what does it save? The benchmark asks questions about
 * LoCoMo conversations. Some have an answer in the namespace, and some do not.
 */
import { parseArgs } from "node:util";
import { instantOfMillis } from "../src/core/model/instant.js";
import {
  type BenchService,
  createBenchService,
  openBundledEmbedder,
} from "./harness/bench-service.js";
import { printLine, printMachine, printTable, saveResults } from "./harness/report.js";
import { type Conversation, readConversations } from "./locomo/conversations.js";

const usage = `Usage: npm run bench:abstention -- --data FOLDER

FOLDER holds dev.json: conversations in the format of the LoCoMo data set.`;

const explanation = `Each search has a budget of 500 tokens. The floor is its min_relevance.

keeps       mean share of the evidence at floor 0 that is still found
nothing     share of the questions without hits
tokens      mean number of tokens used
answerable  questions about the conversation
foreign     questions about the next conversation, which has other speakers
trap        questions in the words of the conversation about things that were never said`;

const floors = [0, 0.3, 0.5, 0.7, 0.9] as const;
const budgetTokens = 500;

/** The answers to one question, by minimum relevance. */
interface Outcome {
  readonly embedder: string;
  readonly kind: "answerable" | "foreign" | "trap";
  readonly floors: readonly {
    readonly tokens: number;
    readonly hits: number;
    readonly evidence: number;
  }[];
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
        outcomes.push({ embedder, kind: "answerable", floors: await ask(text, evidence) });
      for (const { text } of foreign)
        outcomes.push({ embedder, kind: "foreign", floors: await ask(text, []) });
      for (const text of conversation.unanswerable)
        outcomes.push({ embedder, kind: "trap", floors: await ask(text, []) });
    }
  }
  report(outcomes, Object.keys(embedders));
}

/**
 * Stores a conversation, as the recall benchmark does. Returns a function that asks a question with
 * each minimum relevance.
 */
async function load(
  service: BenchService,
  { name, turns }: Conversation,
): Promise<(question: string, evidence: readonly string[]) => Promise<Outcome["floors"]>> {
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
  return async (question, evidence) => {
    const answers: { tokens: number; hits: number; evidence: number }[] = [];
    for (const minRelevance of floors) {
      const { hits, summary } = await service.search(name, question, {
        budgetTokens,
        minRelevance,
        referenceTime,
      });
      const sources = new Set(hits.map(({ memory }) => memory.source));
      answers.push({
        tokens: summary.tokensUsed,
        hits: hits.length,
        evidence: evidence.filter((id) => sources.has(id)).length,
      });
    }
    return answers;
  };
}

function report(outcomes: readonly Outcome[], embedders: readonly string[]): void {
  const results = embedders.flatMap((embedder) =>
    floors.map((floor, at) => {
      const of = (kind: Outcome["kind"]) =>
        outcomes.filter((outcome) => outcome.embedder === embedder && outcome.kind === kind);
      const nothing = (kind: Outcome["kind"]) =>
        mean(of(kind).map((outcome) => (outcome.floors[at]?.hits === 0 ? 1 : 0)));
      const tokens = (kind: Outcome["kind"]) =>
        mean(of(kind).map((outcome) => outcome.floors[at]?.tokens ?? 0));
      const answered = of("answerable").filter((outcome) => (outcome.floors[0]?.evidence ?? 0) > 0);
      const keeps = mean(
        answered.map(
          (outcome) => (outcome.floors[at]?.evidence ?? 0) / (outcome.floors[0]?.evidence ?? 1),
        ),
      );
      return {
        ...{
          embedder,
          floor,
          keeps,
          answerable: { nothing: nothing("answerable"), tokens: tokens("answerable") },
        },
        ...{
          foreign: { nothing: nothing("foreign"), tokens: tokens("foreign") },
          trap: { nothing: nothing("trap"), tokens: tokens("trap") },
        },
      };
    }),
  );
  printTable(
    [
      "embedder, floor",
      "answerable: keeps",
      "nothing",
      "tokens",
      "foreign: nothing",
      "tokens",
      "trap: nothing",
      "tokens",
    ],
    results.map(({ embedder, floor, keeps, answerable, foreign, trap }) => [
      `${embedder}, ${floor}`,
      keeps.toFixed(3),
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

/**
 * How often does Search hide the right fact about a person, and how much does it return when there
 * is none? The benchmark asks people's everyday facts with several minimum relevances and gates.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { SearchHit } from "../src/core/search/query/search.js";
import { embedderOption, embedderUsage, openBenchEmbedder } from "./harness/bench-embedder.js";
import { type BenchService, createBenchService } from "./harness/bench-service.js";
import { printLine, printMachine, printTable, saveResults } from "./harness/report.js";

const usage = `Usage: npm run bench:people -- [--embedder NAME] [--kept | --all] [--misses]

--kept    ask the kept questions instead of the development questions
--all     ask both
--misses  list the development questions whose fact is not among the first five hits by default
--help    print this text
${embedderUsage}

Every second question of a person is a kept question: it checks the ranking after a change. Choose
no parameter by a kept question.`;

const explanation = `Each person has a namespace of 5 to 24 facts. A search has no limit and no budget, so it returns at
most five hits. "default": a search without min_relevance and without gate.

first       share of the answerable questions whose fact is the first hit
in five     share of the answerable questions whose fact is among the hits
empty       answerable questions without hits
noise       hits of an unanswerable question, on average, and their tokens`;

/** A person of the data file. Facts by their names. */
interface Person {
  readonly person: string;
  /** ISO 639-1 code of the language of facts and questions. */
  readonly language: string;
  readonly facts: Readonly<Record<string, string>>;
  readonly answered: readonly { readonly question: string; readonly fact: string }[];
  readonly unanswered: readonly string[];
}

/** The options of the searches of one row. */
interface Setting {
  readonly name: string;
  readonly minRelevance?: number;
  readonly gate?: number;
}

const settings: readonly Setting[] = [
  { name: "default" },
  ...[0, 0.02, 0.03, 0.05, 0.08, 0.1, 0.15, 0.2].map((minRelevance) => ({
    name: `floor ${minRelevance}`,
    minRelevance,
  })),
  ...[0.2, 0.3, 0.5].map((gate) => ({ name: `gate ${gate}`, gate })),
];

/** The answer to one question with one setting. */
interface Answer {
  readonly embedder: string;
  readonly setting: string;
  readonly language: string;
  readonly question: string;
  /** Position of the right fact among the hits, from 0; -1: hidden. Absent: there is no answer. */
  readonly position?: number;
  readonly hits: number;
  readonly tokens: number;
}

const { values } = parseArgs({
  options: {
    ...embedderOption,
    kept: { type: "boolean", default: false },
    all: { type: "boolean", default: false },
    misses: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});
if (values.help) printLine(usage);
else if (values.kept && (values.all || values.misses)) {
  printLine(usage);
  process.exitCode = 2;
} else {
  printMachine();
  const people = JSON.parse(
    readFileSync(join("bench", "data", "people.json"), "utf8"),
  ) as readonly Person[];
  await using measured = await openBenchEmbedder(values.embedder);
  const embedders = { [values.embedder]: measured, none: undefined };
  const answers: Answer[] = [];
  for (const [embedder, model] of Object.entries(embedders)) {
    const service = await createBenchService(model);
    for (const person of people) answers.push(...(await ask(service, embedder, person)));
  }
  report(answers);
}

/** Stores the facts of a person, and asks the selected questions with each setting. */
async function ask(service: BenchService, embedder: string, one: Person): Promise<Answer[]> {
  const { person, language, facts, answered, unanswered } = one;
  const ids = new Map<string, string>();
  for (const [name, content] of Object.entries(facts))
    ids.set(name, await service.add(person, { content }));
  const questions = [
    ...selected(answered),
    ...selected(unanswered).map((question) => ({ question, fact: undefined })),
  ];
  const answers: Answer[] = [];
  for (const { question, fact } of questions) {
    for (const { name: setting, ...options } of settings) {
      const { hits, summary } = await service.search(person, question, options);
      answers.push({
        embedder,
        setting,
        language,
        question,
        ...(fact !== undefined && { position: positionOf(ids.get(fact), hits) }),
        hits: hits.length,
        tokens: summary.tokensUsed,
      });
    }
  }
  return answers;
}

/** The development questions, or those that the options ask for. */
function selected<T>(questions: readonly T[]): readonly T[] {
  return questions.filter((_, at) => values.all || (at % 2 === 1) === values.kept);
}

function positionOf(id: string | undefined, hits: readonly SearchHit[]): number {
  return hits.findIndex(({ memory }) => memory.id === id);
}

function report(answers: readonly Answer[]): void {
  const groups = new Map<string, Answer[]>();
  for (const answer of answers) {
    const { embedder, setting, language } = answer;
    const names = [`${embedder}, ${setting}`];
    if (setting === "default") names.push(`${embedder}, ${setting}, ${language}`);
    for (const name of names) groups.set(name, [...(groups.get(name) ?? []), answer]);
  }
  const results = [...groups].map(([name, of]) => ({ name, ...figuresOf(of) }));
  printTable(
    ["embedder, setting", "questions", "first", "in five", "empty", "noise: hits", "tokens"],
    results
      .toSorted((a, b) => a.name.split(", ").length - b.name.split(", ").length)
      .map(({ name, answerable, first, inFive, empty, noiseHits, noiseTokens }) => [
        name,
        String(answerable),
        first.toFixed(3),
        inFive.toFixed(3),
        String(empty),
        noiseHits.toFixed(1),
        noiseTokens.toFixed(0),
      ]),
  );
  if (values.misses) {
    for (const { embedder, setting, position, question } of answers)
      if (embedder === values.embedder && setting === "default" && position === -1)
        printLine(`missed: ${question}`);
  }
  printLine();
  printLine(explanation);
  saveResults("people", { results });
}

function figuresOf(answers: readonly Answer[]) {
  const answerable = answers.filter(({ position }) => position !== undefined);
  const noise = answers.filter(({ position }) => position === undefined);
  const share = (holds: (position: number) => boolean) =>
    answerable.filter(({ position = -1 }) => holds(position)).length / answerable.length;
  return {
    answerable: answerable.length,
    first: share((position) => position === 0),
    inFive: share((position) => position >= 0),
    empty: answerable.filter(({ hits }) => hits === 0).length,
    noiseHits: mean(noise.map(({ hits }) => hits)),
    noiseTokens: mean(noise.map(({ tokens }) => tokens)),
  };
}

function mean(figures: readonly number[]): number {
  return figures.reduce((sum, figure) => sum + figure, 0) / figures.length;
}

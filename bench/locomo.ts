/**
 * How much of the evidence for an answer does Search find? Measured on LoCoMo conversations, and
 * compared with keywords alone and vectors alone.
 */
import { join } from "node:path";
import { parseArgs } from "node:util";
import { connectTo } from "./harness/client.js";
import { factor, printLine, printMachine, printTable, saveResults } from "./harness/report.js";
import { startServer } from "./harness/server-process.js";
import { createTemporaryFolder } from "./harness/temporary-folder.js";
import {
  type Category,
  type Conversation,
  categories,
  readConversations,
} from "./locomo/conversations.js";
import { type Interval, intervalOf } from "./locomo/intervals.js";
import { type Answer, type Figures, figuresOf, meanOf, ranksOf } from "./locomo/recall.js";
import {
  byMatchAlone,
  byVectorAlone,
  type LoadedConversation,
  load,
  type System,
  withDefaults,
} from "./locomo/systems.js";

const usage = `Usage: npm run bench:locomo -- --data FOLDER [--embedder NAME]

FOLDER  holds dev.json: conversations in the format of the LoCoMo data set
NAME    is the measured embedder: local (the default) or minilm`;

/** The baseline row. */
const baseline = "texts alone: BM25 only";

const explanation = `R@k                  mean share of a question's evidence turns among the first k hits
hit@10               share of the questions with any evidence turn among the first 10 hits
MRR                  mean of 1 / rank of the first evidence turn among 100 hits
in 500, 1,000, 2,000 mean share of the evidence that Search packs into this budget_tokens
low - high           95 % interval, by resampling the conversations
more than BM25       the difference to the last row, question by question

Search               only the option reference_time, at the conversation's last turn
match alone          weights of recency and importance 0
without vectors      a server with --embedder none
texts alone          memories without author, thread and event time, by the match alone
vectors only         the hits of a search in the order of their cosines, packed by the same rule
BM25 only            a server with --embedder none`;

/**
 * A row of the table. `embedder` is that of the row's server; `local` means the measured embedder.
 * `fields` are the fields of the memories.
 */
interface Row {
  readonly name: string;
  readonly embedder: "local" | "none";
  readonly fields: "all" | "text";
  readonly system: System;
}

/** The rows that ask a server. */
const rows: readonly Row[] = [
  { name: "Search", embedder: "local", fields: "all", system: withDefaults },
  { name: "Search, match alone", embedder: "local", fields: "all", system: byMatchAlone },
  {
    name: "Search, match alone, without vectors",
    embedder: "none",
    fields: "all",
    system: byMatchAlone,
  },
  {
    name: "texts alone: BM25 and vectors",
    embedder: "local",
    fields: "text",
    system: byMatchAlone,
  },
  { name: "texts alone: vectors only", embedder: "local", fields: "text", system: byVectorAlone },
  { name: baseline, embedder: "none", fields: "text", system: byMatchAlone },
];

/** The outcome of one question in every row. */
interface Outcome {
  readonly conversation: string;
  /** The position among the answerable questions of the conversation, from 0. */
  readonly question: number;
  readonly category: Category;
  readonly systems: ReadonlyMap<
    string,
    { readonly ranks: readonly (number | null)[]; readonly figures: Figures }
  >;
}

const { values } = parseArgs({
  options: {
    data: { type: "string" },
    embedder: { type: "string", default: "local" },
  },
});
if (values.data === undefined) {
  printLine(usage);
  process.exitCode = 2;
} else {
  report(await measure(readConversations(values.data), ["--embedder", values.embedder]));
}

async function measure(
  conversations: readonly Conversation[],
  embedder: readonly string[],
): Promise<readonly Outcome[]> {
  printMachine();
  using folder = createTemporaryFolder();
  await using withVectors = await startServer(join(folder.path, "local"), embedder);
  await using withoutVectors = await startServer(join(folder.path, "none"), ["--embedder", "none"]);
  using local = connectTo(withVectors.grpcAddress);
  using none = connectTo(withoutVectors.grpcAddress);
  const outcomes: Outcome[] = [];
  for (const conversation of conversations) {
    const loaded = {
      local: {
        all: await load(local, conversation, "all"),
        text: await load(local, conversation, "text"),
      },
      none: {
        all: await load(none, conversation, "all"),
        text: await load(none, conversation, "text"),
      },
    };
    outcomes.push(...(await ask(conversation, loaded)));
  }
  return outcomes;
}

/** Asks all systems all questions of a conversation. */
async function ask(
  { name, questions }: Conversation,
  loaded: Readonly<Record<Row["embedder"], Readonly<Record<Row["fields"], LoadedConversation>>>>,
): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const [index, { text, category, evidence }] of questions.entries()) {
    const systems = new Map<string, { ranks: readonly (number | null)[]; figures: Figures }>();
    const judge = (system: string, answer: Answer) =>
      systems.set(system, {
        ranks: ranksOf(answer.ranking, evidence),
        figures: figuresOf(answer, evidence),
      });
    for (const row of rows)
      judge(row.name, await row.system(loaded[row.embedder][row.fields], text));
    outcomes.push({ conversation: name, question: index, category, systems });
  }
  return outcomes;
}

function report(outcomes: readonly Outcome[]): void {
  const figuresIn = (row: string, selection: readonly Outcome[]) =>
    meanOf(selection.flatMap(({ systems }) => systems.get(row)?.figures ?? []));
  const groups = [
    { name: "all", outcomes },
    ...Object.values(categories).map((category) => ({
      name: category,
      outcomes: outcomes.filter((outcome) => outcome.category === category),
    })),
  ];
  const results = groups.map((group) => ({
    group: group.name,
    questions: group.outcomes.length,
    systems: Object.fromEntries(rows.map(({ name }) => [name, figuresIn(name, group.outcomes)])),
  }));
  for (const { group, questions, systems } of results) {
    printLine(`${group}: ${questions} questions`);
    printTable(
      [
        "",
        "R@5",
        "R@10",
        "R@20",
        "hit@10",
        "MRR",
        "in 500",
        "in 1,000",
        "in 2,000",
        "R@10 / BM25",
        "MRR / BM25",
      ],
      Object.entries(systems).map(([name, figures]) => [
        name,
        ...cells(figures, systems[baseline] ?? figures),
      ]),
    );
    printLine();
  }
  const intervals = rows.map(({ name }) => ({ name, ...intervalsOf(name, outcomes) }));
  printIntervals(intervals);
  printLine(explanation);
  const questions = outcomes.map(({ systems, ...outcome }) => ({
    ...outcome,
    systems: Object.fromEntries(systems),
  }));
  saveResults("locomo", { groups: results, intervals, questions });
}

/** The intervals of a row, and of its difference to the baseline, question by question. */
interface Intervals {
  readonly recallAt10: Interval;
  readonly reciprocalRank: Interval;
  readonly moreRecallAt10: Interval;
  readonly moreReciprocalRank: Interval;
}

function intervalsOf(row: string, outcomes: readonly Outcome[]): Intervals {
  const conversations = [...new Set(outcomes.map(({ conversation }) => conversation))];
  const interval = (valueIn: (outcome: Outcome) => number) =>
    intervalOf(
      conversations.map((name) =>
        outcomes.filter(({ conversation }) => conversation === name).map(valueIn),
      ),
    );
  const of = (figure: keyof Figures) => interval((outcome) => figureIn(outcome, row, figure));
  const more = (figure: keyof Figures) =>
    interval((one) => figureIn(one, row, figure) - figureIn(one, baseline, figure));
  return {
    recallAt10: of("recallAt10"),
    reciprocalRank: of("reciprocalRank"),
    moreRecallAt10: more("recallAt10"),
    moreReciprocalRank: more("reciprocalRank"),
  };
}

function figureIn({ systems }: Outcome, row: string, figure: keyof Figures): number {
  return systems.get(row)?.figures[figure] ?? Number.NaN;
}

function printIntervals(intervals: readonly ({ readonly name: string } & Intervals)[]): void {
  const cell = ({ low, high }: Interval) => `${low.toFixed(3)} - ${high.toFixed(3)}`;
  printTable(
    ["all, low - high", "R@10", "MRR", "R@10, more than BM25", "MRR, more than BM25"],
    intervals.map((one) => [
      one.name,
      cell(one.recallAt10),
      cell(one.reciprocalRank),
      cell(one.moreRecallAt10),
      cell(one.moreReciprocalRank),
    ]),
  );
  printLine();
}

function cells(figures: Figures, base: Figures): string[] {
  const { recallAt5, recallAt10, recallAt20, hitAt10, reciprocalRank } = figures;
  const { within500, within1000, within2000 } = figures;
  const shares = [
    recallAt5,
    recallAt10,
    recallAt20,
    hitAt10,
    reciprocalRank,
    within500,
    within1000,
    within2000,
  ];
  return [
    ...shares.map((share) => share.toFixed(3)),
    factor(recallAt10, base.recallAt10),
    factor(reciprocalRank, base.reciprocalRank),
  ];
}

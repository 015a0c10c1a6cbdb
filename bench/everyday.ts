/**
 * Does Search find what a person would expect, and nothing else? The benchmark asks small
 * namespaces everyday questions of many kinds. It counts the questions that Search answers as
 * expected, and those that plain BM25 answers as expected.
 */
import { parseArgs } from "node:util";
import type { Embedder } from "../src/core/ports/embedder.js";
import { createTokenCounter } from "../src/tokens/o200k-token-counter.js";
import { type Part, readSearchCases, type SearchKind, searchKinds } from "./everyday/cases.js";
import { type Exactness, exactnessOf, type Hit, judge } from "./everyday/judge.js";
import { readNoise, selectNoise } from "./everyday/noise.js";
import { answerByPlainBm25, rankByBm25 } from "./everyday/plain-bm25.js";
import { openSearchAnswers } from "./everyday/search-answers.js";
import { judgeSkills, readSkillCases, textOfSkill } from "./everyday/skill-cases.js";
import { embedderOption, embedderUsage, openBenchEmbedder } from "./harness/bench-embedder.js";
import { createBenchSkills } from "./harness/bench-skills.js";
import { factor, printLine, printMachine, printTable, saveResults } from "./harness/report.js";

const kinds = [...searchKinds, "skills"] as const;
type Kind = (typeof kinds)[number];

const usage = `Usage: npm run bench:everyday -- [--embedder NAME] [--kind KIND] [--failures | --kept]

--kind KIND  one kind of cases: ${kinds.slice(0, 8).join(", ")},
             ${kinds.slice(8, 14).join(", ")},
             ${kinds.slice(14).join(", ")}
--failures   list the cases that Search fails, with its first hits
${embedderUsage}
--kept       run the kept cases instead of the development cases
--help       print this text

Every third case of a kind is a kept case: it checks the ranking after a change. Choose no parameter
by a kept case. For this reason, --failures lists no kept cases.`;

const explanation = `Each case is a namespace of a few memories and 60 of 150 noise memories, with one question. It
passes if the hits meet all expectations of the case. The clock shows the time of the case.

Search  budget of 500 tokens, unless the case has another one; a few cases also have a limit or a
        time range
none    the same with --embedder none
BM25    plain BM25 (k1 1.2, b .75) over words in small letters, packed by the same budget
share   the share of the cases that Search passes
skills  RetrieveSkills with its defaults, beside the first five skills by BM25
all     all kinds but exact-sets, whose cases fail if there is any other hit
precision, recall
        means over the cases of exact-sets: the share of the hits that belong to the set, and the
        share of the set that the hits contain`;

/** The compared systems. */
const systems = ["Search", "none", "BM25"] as const;
type System = (typeof systems)[number];

/** The number of hits that --failures prints for a case. */
const printedHits = 5;

/** The outcome of one case. */
interface Outcome {
  readonly kind: Kind;
  readonly name: string;
  readonly query: string;
  /** What the answer of each system lacks. Empty: the case passes. */
  readonly faults: Readonly<Record<System, readonly string[]>>;
  /** The first hits of Search, as lines of text. */
  readonly firstHits: readonly string[];
  /** For a case of exact-sets. */
  readonly exactness?: Readonly<Record<System, Exactness>>;
}

const { values } = parseArgs({
  options: {
    ...embedderOption,
    kind: { type: "string" },
    failures: { type: "boolean", default: false },
    kept: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});
const selection = kinds.filter((kind) => values.kind === undefined || kind === values.kind);
if (values.help) printLine(usage);
else if (selection.length === 0 || (values.failures && values.kept)) {
  printLine(usage);
  process.exitCode = 2;
} else {
  printMachine();
  const part = values.kept ? "kept" : "development";
  const outcomes = await measure(selection, part);
  if (values.failures) printFailures(outcomes);
  report(outcomes, part);
}

async function measure(ofKinds: readonly Kind[], part: Part): Promise<readonly Outcome[]> {
  await using embedder = await openBenchEmbedder(values.embedder);
  const outcomes = await measureSearch(
    searchKinds.filter((kind) => ofKinds.includes(kind)),
    part,
    embedder,
  );
  return ofKinds.includes("skills")
    ? [...outcomes, ...(await measureSkills(part, embedder))]
    : outcomes;
}

async function measureSearch(
  ofKinds: readonly SearchKind[],
  part: Part,
  embedder: Embedder,
): Promise<readonly Outcome[]> {
  const pool = readNoise();
  const tokens = await createTokenCounter();
  const answerByBoth = await openSearchAnswers(embedder);
  const answerByKeywords = await openSearchAnswers(undefined);
  const outcomes: Outcome[] = [];
  for (const one of ofKinds.flatMap(readSearchCases)) {
    if (one.part !== part) continue;
    const { kind, name, query, expect } = one;
    const noise = selectNoise(pool, one);
    const hits = {
      Search: await answerByBoth(one, noise),
      none: await answerByKeywords(one, noise),
      BM25: answerByPlainBm25(one, noise, tokens),
    };
    outcomes.push({
      kind,
      name,
      query,
      faults: ofEach((system) => judge(expect, hits[system])),
      firstHits: hits.Search.slice(0, printedHits).map(lineOf),
      ...(kind === "exact-sets" && {
        exactness: ofEach((system) => exactnessOf(expect, hits[system])),
      }),
    });
  }
  return outcomes;
}

async function measureSkills(part: Part, embedder: Embedder): Promise<readonly Outcome[]> {
  const { skills, cases } = readSkillCases();
  const both = await createBenchSkills(embedder);
  const keywords = await createBenchSkills(undefined);
  for (const skill of skills) {
    await both.store(skill);
    await keywords.store(skill);
  }
  const documents = skills.map((skill) => ({ id: skill.id, content: textOfSkill(skill) }));
  const outcomes: Outcome[] = [];
  for (const { name, query, expect, part: partOfCase } of cases) {
    if (partOfCase !== part) continue;
    const found = await both.retrieve(query);
    const byKeywords = await keywords.retrieve(query);
    const byBm25 = rankByBm25(documents, query).slice(0, 5);
    const faults = {
      Search: judgeSkills(
        expect,
        found.map(({ skill }) => skill.id),
      ),
      none: judgeSkills(
        expect,
        byKeywords.map(({ skill }) => skill.id),
      ),
      BM25: judgeSkills(
        expect,
        byBm25.map(({ id }) => id),
      ),
    };
    const firstHits = found.map(({ skill, similarity }) => `${similarity.toFixed(2)}  ${skill.id}`);
    outcomes.push({ kind: "skills", name, query, faults, firstHits });
  }
  return outcomes;
}

/** Formats a hit as one line: relevance, id in the case (`-` for noise), and text. */
function lineOf({ id = "-", content, relevance = 0 }: Hit): string {
  return `${relevance.toFixed(2)}  ${id}  ${content.slice(0, 80)}`;
}

function printFailures(outcomes: readonly Outcome[]): void {
  for (const { kind, name, query, faults, firstHits } of outcomes) {
    if (faults.Search.length === 0) continue;
    printLine(`${kind}: ${name}`);
    printLine(`  asked: ${query}`);
    printLine(`  fault: ${faults.Search.join("; ")}`);
    for (const line of firstHits) printLine(`    ${line}`);
    printLine();
  }
}

function report(outcomes: readonly Outcome[], part: Part): void {
  const groups = [...selection.filter((kind) => kind !== "exact-sets"), "all" as const].map(
    (group) => {
      const ofGroup = outcomes.filter(({ kind }) =>
        group === "all" ? kind !== "exact-sets" : kind === group,
      );
      return { group, cases: ofGroup.length, passes: passesOf(ofGroup) };
    },
  );
  printTable(
    [`${part} cases`, "cases", ...systems, "share", "Search / BM25"],
    groups
      .filter(({ cases }) => cases > 0)
      .map(({ group, cases, passes }) => [
        group,
        String(cases),
        ...systems.map((system) => String(passes[system])),
        (passes.Search / cases).toFixed(3),
        passes.BM25 === 0 ? "" : factor(passes.Search, passes.BM25),
      ]),
  );
  const exactSets = outcomes.filter(({ kind }) => kind === "exact-sets");
  if (exactSets.length > 0) printExactSets(exactSets, part);
  printLine();
  printLine(explanation);
  saveResults("everyday", {
    part,
    groups,
    ...(part === "development" && { cases: outcomes }),
  });
}

/** Prints the passes of the systems, and how close their hits are to the exact sets. */
function printExactSets(outcomes: readonly Outcome[], part: Part): void {
  const passes = passesOf(outcomes);
  const mean = (system: System, figure: keyof Exactness): string => {
    const figures = outcomes.map(({ exactness }) => exactness?.[system][figure] ?? Number.NaN);
    return (figures.reduce((sum, one) => sum + one, 0) / figures.length).toFixed(3);
  };
  printLine();
  printTable(
    [`exact-sets, ${part} cases`, "cases", "passes", "precision", "recall"],
    systems.map((system) => [
      system,
      String(outcomes.length),
      String(passes[system]),
      mean(system, "precision"),
      mean(system, "recall"),
    ]),
  );
}

function passesOf(outcomes: readonly Outcome[]): Record<System, number> {
  return ofEach((system) => outcomes.filter(({ faults }) => faults[system].length === 0).length);
}

function ofEach<T>(figureOf: (system: System) => T): Record<System, T> {
  return { Search: figureOf("Search"), none: figureOf("none"), BM25: figureOf("BM25") };
}

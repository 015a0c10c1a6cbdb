/**
 * How well does Search find the text that answers a question, in several languages? Measured on
 * paragraphs of an encyclopedia, and on their sentences, beside keywords alone and plain BM25.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Embedder } from "../src/core/ports/embedder.js";
import { rankByBm25 } from "./everyday/plain-bm25.js";
import { embedderOption, embedderUsage, openBenchEmbedder } from "./harness/bench-embedder.js";
import { createBenchService } from "./harness/bench-service.js";
import { printLine, printMachine, printTable, saveResults } from "./harness/report.js";

const usage = `Usage: npm run bench:domains -- --data FOLDER [--embedder NAME]

FOLDER  holds xquad.LANGUAGE.json of XQuAD for some of the languages en, de, es, ro, tr and vi
${embedderUsage}`;

const explanation = `Each language has 240 paragraphs about 48 subjects, and 1,190 questions. Every second question is
asked. The memories of a namespace are the paragraphs, or the sentences of all paragraphs.

first   share of the questions whose first hit is the paragraph or the sentence with the answer
R@10    share of the questions for which it is among the first ten hits
MRR     mean of 1 / its rank among 100 hits
none    a server with --embedder none
BM25    plain BM25: words in small letters, no stemming, no stop words`;

const languages = ["en", "de", "es", "ro", "tr", "vi"];
const rankedHits = 100;

/** The parts of the data set's JSON that the benchmark reads. */
interface Sample {
  readonly data: readonly {
    readonly paragraphs: readonly {
      readonly context: string;
      readonly qas: readonly {
        readonly question: string;
        readonly answers: readonly { readonly answer_start: number }[];
      }[];
    }[];
  }[];
}

/** The memories of a namespace, and questions with the id of the memory that answers each. */
interface Collection {
  readonly memories: readonly { readonly id: string; readonly content: string }[];
  readonly questions: readonly { readonly text: string; readonly id: string }[];
}

/** Returns ids of memories, best first. */
type Rank = (question: string) => Promise<readonly string[]> | readonly string[];

const { values } = parseArgs({ options: { ...embedderOption, data: { type: "string" } } });
if (values.data === undefined) {
  printLine(usage);
  process.exitCode = 2;
} else {
  printMachine();
  await using embedder = await openBenchEmbedder(values.embedder);
  const rows: { name: string; system: string; first: number; recall: number; mrr: number }[] = [];
  for (const language of languages) {
    const file = join(values.data, `xquad.${language}.json`);
    if (!existsSync(file)) continue;
    const sample = JSON.parse(readFileSync(file, "utf8")) as Sample;
    for (const unit of ["paragraphs", "sentences"] as const) {
      const collection = collectionOf(sample, language, unit);
      const systems: Readonly<Record<string, Rank>> = {
        Search: await searchOf(collection, embedder),
        none: await searchOf(collection, undefined),
        BM25: (question) => rankByBm25(collection.memories, question).map(({ id }) => id),
      };
      for (const [system, rank] of Object.entries(systems))
        rows.push({ name: `${language}, ${unit}`, system, ...(await measure(collection, rank)) });
    }
  }
  printTable(
    ["", "", "first", "R@10", "MRR"],
    rows.map(({ name, system, first, recall, mrr }) => [
      name,
      system,
      ...[first, recall, mrr].map((figure) => figure.toFixed(3)),
    ]),
  );
  printLine();
  printLine(explanation);
  saveResults("domains", { rows });
}

function collectionOf(
  { data }: Sample,
  language: string,
  unit: "paragraphs" | "sentences",
): Collection {
  const segmenter = new Intl.Segmenter(language, { granularity: "sentence" });
  const memories: { id: string; content: string }[] = [];
  const questions: { text: string; id: string }[] = [];
  for (const { context, qas } of data.flatMap(({ paragraphs }) => paragraphs)) {
    const parts =
      unit === "paragraphs" ? [{ segment: context, index: 0 }] : [...segmenter.segment(context)];
    const before = memories.length;
    for (const { segment } of parts)
      memories.push({ id: String(memories.length), content: segment.trim() });
    for (const { question, answers } of qas) {
      const start = answers[0]?.answer_start ?? 0;
      const at = parts.findLastIndex(({ index }) => index <= start);
      questions.push({ text: question, id: String(before + at) });
    }
  }
  return { memories, questions: questions.filter((_, at) => at % 2 === 0) };
}

async function searchOf({ memories }: Collection, embedder: Embedder | undefined): Promise<Rank> {
  const service = await createBenchService(embedder);
  for (const { id, content } of memories) await service.add("all", { content, source: id });
  return async (question) => {
    const options = { limit: rankedHits, minRelevance: 0 };
    const { hits } = await service.search("all", question, options);
    return hits.map(({ memory }) => memory.source ?? "");
  };
}

async function measure({ questions }: Collection, rank: Rank) {
  let first = 0;
  let recall = 0;
  let mrr = 0;
  for (const { text, id } of questions) {
    const at = (await rank(text)).slice(0, rankedHits).indexOf(id);
    if (at === 0) first += 1;
    if (at >= 0 && at < 10) recall += 1;
    if (at >= 0) mrr += 1 / (at + 1);
  }
  const count = questions.length;
  return { first: first / count, recall: recall / count, mrr: mrr / count };
}

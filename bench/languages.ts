/**
 * In which languages does Search find the right memory? The bundled vectors are for English: how do
 * they affect other languages? `--embedder minilm` measures that model instead of the default.
 */
import { parseArgs } from "node:util";
import type { Embedder } from "../src/core/ports/embedder.js";
import type { SearchHit } from "../src/core/search/query/search.js";
import { embedderOption, openBenchEmbedder } from "./harness/bench-embedder.js";
import { createBenchService } from "./harness/bench-service.js";
import { printLine, printMachine, printTable, saveResults } from "./harness/report.js";
import { readPairs, splices } from "./languages/pairs.js";

const explanation = `One namespace holds 10 memories of each language, and splices: the first half of a memory with the
second half of another. Each language has 10 questions.

R@1, R@5  share of the questions whose memory is the first hit, or among the first five. A splice
          never counts, even if it answers the question. Hits of the same score may stand in any
          order. If the memory is among the first only in some of these orders, the question counts
          by the share of these orders
A@5       share of the questions that one of the first five hits answers, be it the memory or a
          splice: the hit has what the question names, and the answer
other     mean relevance of the nine other memories of the language, without splices; ideally 0
95 %      95th percentile of these relevances: a usable min_relevance for the language
keywords  --embedder none
fixed     the bundled vectors with the same weight for each query
by share  the bundled vectors as Search weights them: by the share of English letters in the query`;

/** The variants to compare, by their embedders. */
const { values } = parseArgs({ options: embedderOption });
await using bundled = await openBenchEmbedder(values.embedder);
const { knownShare: _, ...fixed } = bundled;
const embedders: Readonly<Record<string, Embedder | undefined>> = {
  keywords: undefined,
  fixed,
  "by share": bundled,
};
const variants = Object.keys(embedders);

/**
 * Scores that differ by less than this count as equal. Recency differs by the milliseconds between
 * additions.
 */
const scoreTolerance = 1e-6;

/** The place of a memory among the hits. Hits of equal scores come newest first. */
interface Place {
  /** Number of hits with a higher score. */
  readonly better: number;
  /** Number of hits with the same score, the memory included. */
  readonly equal: number;
}

/** The outcome of one question. */
interface Outcome {
  readonly language: string;
  readonly variant: string;
  /** The place of the question's memory among the hits; `null` when it is missing. */
  readonly place: Place | null;
  /** The rank of the first hit that answers the question, from 1; `null` when there is none. */
  readonly answerRank: number | null;
  /** The relevances of the other memories of the language. */
  readonly otherRelevance: readonly number[];
}

const languages = Object.entries(readPairs());
printMachine();
const outcomes: Outcome[] = [];
for (const [variant, embedder] of Object.entries(embedders)) {
  const service = await createBenchService(embedder);
  for (const [, ofLanguage] of languages) {
    const memories = ofLanguage.map(({ memory }) => memory);
    for (const content of [...memories, ...splices(memories)])
      await service.add("all", { content });
  }
  for (const [language, ofLanguage] of languages) {
    for (const { question, memory, answer } of ofLanguage) {
      const { hits } = await service.search("all", question, { limit: 1000 });
      const contents = hits.map((hit) => hit.memory.content);
      const others = ofLanguage.filter((pair) => pair.memory !== memory);
      outcomes.push({
        language,
        variant,
        place: placeOf(hits, contents.indexOf(memory)),
        answerRank: rankOf(contents, (content) => answer.every((part) => content.includes(part))),
        otherRelevance: others.map(
          (other) => hits[contents.indexOf(other.memory)]?.scores.relevance ?? 0,
        ),
      });
    }
  }
}

const mean = (values: readonly number[]) =>
  values.reduce((sum, value) => sum + value, 0) / values.length;
const results = [...languages.map(([language]) => language), "all"].map((group) => ({
  language: group,
  variants: Object.fromEntries(
    variants.map((name) => {
      const selection = outcomes.filter(
        ({ language, variant }) => variant === name && (group === "all" || language === group),
      );
      const recallAt = (count: number) =>
        mean(selection.map(({ place }) => (place === null ? 0 : shareWithin(count, place))));
      const answersAt = (count: number) =>
        mean(selection.map(({ answerRank }) => ((answerRank ?? Infinity) <= count ? 1 : 0)));
      const others = selection
        .flatMap(({ otherRelevance }) => otherRelevance)
        .sort((a, b) => a - b);
      return [
        name,
        {
          recallAt1: recallAt(1),
          recallAt5: recallAt(5),
          answersAt5: answersAt(5),
          other: mean(others),
          floor: others[Math.floor(0.95 * others.length)] ?? 0,
        },
      ];
    }),
  ),
}));
printTable(
  ["R@1 / R@5 / A@5 / other / 95 %", ...variants],
  results.map(({ language, variants: figures }) => [
    language,
    ...Object.values(figures).map(({ recallAt1, recallAt5, answersAt5, other, floor }) =>
      [recallAt1, recallAt5, answersAt5, other, floor]
        .map((figure) => figure.toFixed(2))
        .join(" / "),
    ),
  ]),
);
printLine();
printLine(explanation);
saveResults("languages", { results, questions: outcomes });

/** Returns the place of a hit; `null` for index -1. */
function placeOf(hits: readonly SearchHit[], index: number): Place | null {
  const score = hits[index]?.scores.final;
  if (score === undefined) return null;
  const margins = hits.map(({ scores }) => scores.final - score);
  return {
    better: margins.filter((margin) => margin > scoreTolerance).length,
    equal: margins.filter((margin) => Math.abs(margin) <= scoreTolerance).length,
  };
}

/** Returns the share of the orders of equal hits in which a memory is among the first `count`. */
function shareWithin(count: number, { better, equal }: Place): number {
  return Math.min(1, Math.max(0, count - better) / equal);
}

/** Returns the rank of the first text that passes a test, from 1; `null` when none does. */
function rankOf(contents: readonly string[], passes: (content: string) => boolean): number | null {
  const index = contents.findIndex(passes);
  return index < 0 ? null : index + 1;
}

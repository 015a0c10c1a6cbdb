/**
 * In which languages does Search find the right memory? And how do the bundled vectors, which know
 * English, affect other languages?
 */
import type { Embedder } from "../src/core/ports/embedder.js";
import { createBenchService, openBundledEmbedder } from "./harness/bench-service.js";
import { printLine, printMachine, printTable, saveResults } from "./harness/report.js";
import { type Pair, pairs, splices } from "./languages/pairs.js";

const explanation = `One namespace holds 10 memories of each language, and splices: the first half of a memory with the
second half of another. Each language has 10 questions.

R@1, R@5  share of the questions whose memory is the first hit, or among the first five
other     mean relevance of the nine other memories of the language, without splices; ideally 0
95 %      95th percentile of these relevances: a usable min_relevance for the language
keywords  --embedder none
fixed     the bundled vectors with the same weight for each query
by share  the bundled vectors as Search weights them: by the share of English letters in the query`;

/** The variants to compare, by their embedders. */
const bundled = await openBundledEmbedder();
const { knownShare: _, ...fixed } = bundled;
const embedders: Readonly<Record<string, Embedder | undefined>> = {
  keywords: undefined,
  fixed,
  "by share": bundled,
};
const variants = Object.keys(embedders);

/** The outcome of one question. */
interface Outcome {
  readonly language: string;
  readonly variant: string;
  /** The rank of its memory among the hits, from 1; `null` when it is missing. */
  readonly rank: number | null;
  /** The relevances of the other memories of the language. */
  readonly otherRelevance: readonly number[];
}

const languages = Object.entries<readonly Pair[]>(pairs);
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
    for (const { question, memory } of ofLanguage) {
      const { hits } = await service.search("all", question, { limit: 1000 });
      const contents = hits.map((hit) => hit.memory.content);
      const others = ofLanguage.filter((pair) => pair.memory !== memory);
      const index = contents.indexOf(memory);
      outcomes.push({
        language,
        variant,
        rank: index < 0 ? null : index + 1,
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
        mean(selection.map(({ rank }) => (rank !== null && rank <= count ? 1 : 0)));
      const others = selection
        .flatMap(({ otherRelevance }) => otherRelevance)
        .sort((a, b) => a - b);
      return [
        name,
        {
          recallAt1: recallAt(1),
          recallAt5: recallAt(5),
          other: mean(others),
          floor: others[Math.floor(0.95 * others.length)] ?? 0,
        },
      ];
    }),
  ),
}));
printTable(
  ["R@1 / R@5 / other / 95 %", ...variants],
  results.map(({ language, variants: figures }) => [
    language,
    ...Object.values(figures).map(({ recallAt1, recallAt5, other, floor }) =>
      [recallAt1, recallAt5, other, floor].map((figure) => figure.toFixed(2)).join(" / "),
    ),
  ]),
);
printLine();
printLine(explanation);
saveResults("languages", { results, questions: outcomes });

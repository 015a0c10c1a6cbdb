/** In which languages does Search find what it is asked for, and what do the bundled vectors, which know English, do to the others? */
import type { Embedder } from "../src/core/ports/embedder.js";
import { createBenchService, openBundledEmbedder } from "./harness/bench-service.js";
import { printLine, printMachine, printTable, saveResults } from "./harness/report.js";
import { type Pair, pairs, splices } from "./languages/pairs.js";

const explanation = `For each language 10 questions over one namespace with the 10 memories of each language and every memory whose first half is spliced with the second half of another.
R@1, R@5: share of the questions whose memory is the first hit, among the first five.
other: mean relevance of the nine other memories of the language that were not spliced; 0 is right.
95 %: what all but a twentieth of these relevances stay below: a floor for the language. Keywords: --embedder none.
Fixed: the bundled vectors with the same weight for each query. By share: as Search does it, weighted by the share of the query's letters that are English.`;

/** What is compared, by the embedder that does it. */
const bundled = await openBundledEmbedder();
const { knownShare: _, ...fixed } = bundled;
const embedders: Readonly<Record<string, Embedder | undefined>> = {
  keywords: undefined,
  fixed,
  "by share": bundled,
};
const ways = Object.keys(embedders);

/** One question's outcome. */
interface Outcome {
  readonly language: string;
  readonly way: string;
  /** Of its memory among the hits, 1 for the best; `null`: not found. */
  readonly place: number | null;
  /** Of the other memories of the language. */
  readonly otherRelevance: readonly number[];
}

const languages = Object.entries<readonly Pair[]>(pairs);
printMachine();
const outcomes: Outcome[] = [];
for (const [way, embedder] of Object.entries(embedders)) {
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
      const place = contents.indexOf(memory);
      outcomes.push({
        language,
        way,
        place: place < 0 ? null : place + 1,
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
  ways: Object.fromEntries(
    ways.map((name) => {
      const some = outcomes.filter(
        ({ language, way }) => way === name && (group === "all" || language === group),
      );
      const recallAt = (count: number) =>
        mean(some.map(({ place }) => (place !== null && place <= count ? 1 : 0)));
      const others = some.flatMap(({ otherRelevance }) => otherRelevance).sort((a, b) => a - b);
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
  ["R@1 / R@5 / other / 95 %", ...ways],
  results.map(({ language, ways: figures }) => [
    language,
    ...Object.values(figures).map(({ recallAt1, recallAt5, other, floor }) =>
      [recallAt1, recallAt5, other, floor].map((figure) => figure.toFixed(2)).join(" / "),
    ),
  ]),
);
printLine();
printLine(explanation);
saveResults("languages", { results, questions: outcomes });

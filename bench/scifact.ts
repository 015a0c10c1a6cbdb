/**
 * Does Search rank long texts as well as a tuned BM25? Measured on the abstracts of SciFact, where
 * the published figure of BM25 is an nDCG@10 of .679.
 */
import { parseArgs } from "node:util";
import type { Embedder } from "../src/core/ports/embedder.js";
import { embedderOption, embedderUsage, openBenchEmbedder } from "./harness/bench-embedder.js";
import { createBenchService } from "./harness/bench-service.js";
import { printLine, printMachine, printTable, saveResults } from "./harness/report.js";
import { type Collection, readCollection } from "./scifact/collection.js";

const usage = `Usage: npm run bench:scifact -- --data FOLDER [--embedder NAME]

FOLDER holds the SciFact collection in the format of BEIR: corpus.jsonl.gz, queries.tsv and qrels.txt.
${embedderUsage}`;

const explanation = `nDCG@10      discounted gain of the relevant abstracts in the first 10 hits, as a share of the best
             possible gain
R@10, R@100  mean share of the relevant abstracts among the first 10 and 100 hits
full weight  the weight that vectors have among short texts

Each abstract is one memory with title and text. The weights of recency and importance are 0.`;

/** Means over all queries, each 0 to 1. */
interface Figures {
  readonly ndcgAt10: number;
  readonly recallAt10: number;
  readonly recallAt100: number;
}

/** Recency and importance carry no information about abstracts. */
const matchAlone = { recency: 0, importance: 0, novelty: 0 };

const { values } = parseArgs({ options: { ...embedderOption, data: { type: "string" } } });
if (values.data === undefined) {
  printLine(usage);
  process.exitCode = 2;
} else {
  const collection = readCollection(values.data);
  await using bundled = await openBenchEmbedder(values.embedder);
  const { longTextWeight: _, ...fullWeight } = bundled;
  printMachine();
  const results = [
    { name: "keywords", ...(await measure(collection, undefined)) },
    { name: "keywords and vectors", ...(await measure(collection, bundled)) },
    { name: "the same, vectors at full weight", ...(await measure(collection, fullWeight)) },
  ];
  printTable(
    ["", "nDCG@10", "R@10", "R@100"],
    results.map(({ name, ndcgAt10, recallAt10, recallAt100 }) => [
      name,
      ...[ndcgAt10, recallAt10, recallAt100].map((figure) => figure.toFixed(3)),
    ]),
  );
  printLine();
  printLine(explanation);
  saveResults("scifact", { results });
}

async function measure(
  { documents, queries }: Collection,
  embedder: Embedder | undefined,
): Promise<Figures> {
  const service = await createBenchService(embedder);
  const documentIds = new Map<string, string>();
  for (const { id, content } of documents)
    documentIds.set(await service.add("all", { content }), id);
  const figures: Figures[] = [];
  for (const { text, relevant } of queries) {
    const { hits } = await service.search("all", text, { limit: 100, weights: matchAlone });
    const judgements = hits.map(({ memory }) => relevant.has(documentIds.get(memory.id) ?? ""));
    const recallAt = (count: number) =>
      judgements.slice(0, count).filter(Boolean).length / relevant.size;
    figures.push({
      ndcgAt10: ndcg(judgements, relevant.size, 10),
      recallAt10: recallAt(10),
      recallAt100: recallAt(100),
    });
  }
  const mean = (figure: keyof Figures) =>
    figures.reduce((sum, one) => sum + one[figure], 0) / figures.length;
  return {
    ndcgAt10: mean("ndcgAt10"),
    recallAt10: mean("recallAt10"),
    recallAt100: mean("recallAt100"),
  };
}

/**
 * Returns the normalized discounted cumulative gain (Järvelin and Kekäläinen, 2002) of binary
 * judgements among the first `count` hits.
 */
function ndcg(judgements: readonly boolean[], relevantCount: number, count: number): number {
  const gain = (index: number) => 1 / Math.log2(index + 2);
  const total = judgements
    .slice(0, count)
    .reduce((sum, isRelevant, index) => sum + (isRelevant ? gain(index) : 0), 0);
  const bestLength = Math.min(count, relevantCount);
  const best = Array.from({ length: bestLength }, (_, index) => gain(index)).reduce(
    (sum, value) => sum + value,
    0,
  );
  return total / best;
}

import { readFile } from "node:fs/promises";
import type { Calibration, Embedder } from "../../core/ports/embedder.js";
import { fusedScore, relevanceOf } from "../../core/search/query/scores.js";
import { createAnalyzer } from "../keyword/analyzer.js";
import { KeywordIndex } from "../keyword/keyword-index.js";
import { contextWeights } from "../thread/context-weights.js";
import { ThreadOrder } from "../thread/thread-order.js";

/** One memory of the calibration set, and two texts about it. */
interface CalibrationText {
  readonly domain: string;
  readonly memory: string;
  /** The same fact in other words. */
  readonly paraphrase: string;
  /** A question that the memory answers. */
  readonly question: string;
}

/** The scores of one kind of pairs, such as questions with memories that do not answer them. */
export interface PairFigures {
  readonly pairs: string;
  readonly meanScore: number;
  /** The 5th, 50th and 95th percentiles of the relevance of these pairs. */
  readonly relevance: readonly [number, number, number];
}

/** A calibration, and the relevance of pairs of texts under it. */
export interface CalibrationReport {
  readonly calibration: Calibration;
  readonly figures: readonly PairFigures[];
}

/**
 * Measures the fused scores of questions with other memories, of questions with their memory, and
 * of paraphrases, for one weight of the vector score. docs/reference/relevance.md explains the
 * figures.
 *
 * @param textsFile JSON with the calibration set, such as models/calibration/texts.json.
 * @param vectorWeight Weight of the vector score in the fused score, 0 to 1.
 */
export async function measureCalibration(
  embedder: Embedder,
  textsFile: string,
  vectorWeight: number,
  signal: AbortSignal,
): Promise<CalibrationReport> {
  const texts = JSON.parse(await readFile(textsFile, "utf8")) as readonly CalibrationText[];
  const keyword = keywordScorer(texts);
  const cosine = await cosineScorer(texts, embedder, signal);
  const unscaled: Calibration = { vectorWeight, randomScore: 0, paraphraseScore: 1 };
  const score = (query: string, row: number) =>
    fusedScore(keyword(query)[row] ?? 0, cosine(query)[row] ?? 0, unscaled);
  const scores = {
    "question, other memory": texts.flatMap(({ question, domain }, asked) =>
      texts.flatMap((other, row) =>
        row !== asked && other.domain === domain ? [score(question, row)] : [],
      ),
    ),
    "question, its memory": texts.map(({ question }, row) => score(question, row)),
    paraphrase: texts.map(({ paraphrase }, row) => score(paraphrase, row)),
  };
  const calibration = {
    vectorWeight,
    randomScore: rounded(mean(scores["question, other memory"])),
    paraphraseScore: rounded(mean(scores.paraphrase)),
  };
  const figures = Object.entries(scores).map(([pairs, values]): PairFigures => {
    const relevance = values.map((value) => relevanceOf(value, calibration)).sort((a, b) => a - b);
    const at = (share: number) => relevance[Math.floor(share * relevance.length)] ?? 0;
    return { pairs, meanScore: mean(values), relevance: [at(0.05), at(0.5), at(0.95)] };
  });
  return { calibration, figures };
}

/** Returns a function from a query to the keyword scores of all memories. */
function keywordScorer(texts: readonly CalibrationText[]): (query: string) => Float32Array {
  const analyzer = createAnalyzer();
  const index = new KeywordIndex(new ThreadOrder(() => ""), contextWeights.terms);
  for (const [row, { memory }] of texts.entries()) {
    index.add(row, analyzer.indexTerms({ content: memory, tags: [] }));
  }
  return memoize((query) => {
    const scores = new Float32Array(texts.length);
    index.score(analyzer.queryTerms(query), scores, new Int32Array(texts.length));
    return scores;
  });
}

/** Returns a function from a query to its cosines with all memories. */
async function cosineScorer(
  texts: readonly CalibrationText[],
  embedder: Embedder,
  signal: AbortSignal,
): Promise<(query: string) => readonly number[]> {
  const all = texts.flatMap(({ memory, paraphrase, question }) => [memory, paraphrase, question]);
  const vectors = await embedder.embed(all, signal);
  const vectorOf = new Map(all.map((text, i) => [text, vectors[i] ?? new Float32Array()]));
  const cosine = (a: string, b: string) =>
    dotProduct(vectorOf.get(a) ?? new Float32Array(), vectorOf.get(b) ?? new Float32Array());
  return memoize((query) => texts.map(({ memory }) => cosine(query, memory)));
}

function memoize<T>(scoresOf: (query: string) => T): (query: string) => T {
  const known = new Map<string, T>();
  return (query) => {
    const scores = known.get(query) ?? scoresOf(query);
    known.set(query, scores);
    return scores;
  };
}

function dotProduct(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, i) => sum + value * (b[i] ?? 0), 0);
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function rounded(value: number): number {
  return Math.round(value * 1000) / 1000;
}

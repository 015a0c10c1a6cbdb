// Measures how the scores of each way to search translate into relevance, on the texts of models/calibration: `npm run build && node scripts/calibrate.mjs`.
// Ends with exit code 1 if the figures stored differ. What they mean and where they are stored: docs/embedders.md.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { callerCalibration, keywordCalibration } from "../dist/core/calibration.js";
import { fusedScore, relevanceOf } from "../dist/core/search/scores.js";
import { openStaticEmbedder } from "../dist/embed/static/static-embedder.js";
import { createAnalyzer } from "../dist/index/keyword/analyzer.js";
import { KeywordIndex } from "../dist/index/keyword/keyword-index.js";
import { ThreadOrder } from "../dist/index/thread/thread-order.js";

const models = fileURLToPath(new URL("../models/", import.meta.url));
const texts = JSON.parse(readFileSync(`${models}calibration/texts.json`, "utf8"));
const embedder = await openStaticEmbedder({ folder: `${models}static-256` });

const keyword = keywordScorer();
const cosine = await cosineScorer();
console.log(`${texts.length} memories in ${new Set(texts.map(({ domain }) => domain)).size} domains`);
report("keywords alone", keywordCalibration);
report(`keywords and ${embedder.modelId}`, embedder.calibration);
report("keywords and callers' vectors, taken to be like the bundled model's", callerCalibration);

/** Prints the calibration for the share of the vector score in `stored`, and the relevance that pairs get by it. */
function report(name, stored) {
  const score = (query, row) => fusedScore(keyword(query)[row], cosine(query)[row], stored);
  const others = (asked) => texts.flatMap(({ domain }, row) => (row !== asked && domain === texts[asked].domain ? [row] : []));
  const scores = {
    "question, other memory": texts.flatMap(({ question }, asked) => others(asked).map((row) => score(question, row))),
    "question, its memory": texts.map(({ question }, row) => score(question, row)),
    paraphrase: texts.map(({ paraphrase }, row) => score(paraphrase, row)),
  };
  const measured = {
    vectorWeight: stored.vectorWeight,
    randomScore: rounded(mean(scores["question, other memory"])),
    paraphraseScore: rounded(mean(scores.paraphrase)),
  };
  console.log(`\n${name}: ${JSON.stringify(measured)}`);
  for (const [pairs, values] of Object.entries(scores)) {
    const relevance = values.map((value) => relevanceOf(value, measured)).sort((a, b) => a - b);
    const quantiles = [0.05, 0.5, 0.95].map((share) => relevance[Math.floor(share * relevance.length)].toFixed(2)).join(" / ");
    console.log(`  ${pairs.padEnd(22)} mean score ${mean(values).toFixed(3)}, relevance at 5 / 50 / 95 %: ${quantiles}`);
  }
  if (measured.randomScore === stored.randomScore && measured.paraphraseScore === stored.paraphraseScore) return;
  console.log(`  stored: ${JSON.stringify(stored)}`);
  process.exitCode = 1;
}

/** The keyword score of every memory for a query. */
function keywordScorer() {
  const analyze = createAnalyzer();
  const index = new KeywordIndex(new ThreadOrder());
  for (const [row, { memory }] of texts.entries()) index.add(row, analyze(memory));
  return remembered((query) => {
    const scores = new Float32Array(texts.length);
    index.score(analyze(query), scores, new Int32Array(texts.length));
    return scores;
  });
}

/** The cosine of every memory's vector with that of a query. */
async function cosineScorer() {
  const vectorOf = new Map();
  const all = texts.flatMap(({ memory, paraphrase, question }) => [memory, paraphrase, question]);
  for (const [i, vector] of (await embedder.embed(all, new AbortController().signal)).entries()) vectorOf.set(all[i], vector);
  return remembered((query) => texts.map(({ memory }) => dotProduct(vectorOf.get(query), vectorOf.get(memory))));
}

function remembered(scoresOf) {
  const known = new Map();
  return (query) => {
    if (!known.has(query)) known.set(query, scoresOf(query));
    return known.get(query);
  };
}

function dotProduct(a, b) {
  return a.reduce((sum, value, i) => sum + value * b[i], 0);
}

function mean(values) {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function rounded(value) {
  return Math.round(value * 1000) / 1000;
}

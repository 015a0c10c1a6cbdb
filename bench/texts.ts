/**
 * What does it cost to count the tokens of a text, and to embed the text? What does it cost to open
 * the token counter and the embedder?
 */
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { openStaticEmbedder } from "../src/embed/static/static-embedder.js";
import { createTokenCounter } from "../src/tokens/o200k-token-counter.js";
import { printLine, printMachine, printTable, saveResults } from "./harness/report.js";
import { sampleTexts } from "./harness/sample-texts.js";

const rounds = 7;
const texts = sampleTexts(5_000, 1);
const { signal } = new AbortController();

/** Texts of 64 KiB, the maximum of a memory, that are hard for the counter or for the embedder. */
const hardTexts = {
  "64 KiB of English": sampleTexts(400, 2).join(". ").slice(0, 65_536),
  "64 KiB in one word": sampleTexts(500, 3).join("").replaceAll(" ", "").slice(0, 65_536),
  "64 KiB of Chinese": Array.from({ length: 21_845 }, (_, i) =>
    String.fromCharCode(0x4e00 + ((i * 7_919) % 20_000)),
  ).join(""),
  "64 KiB of accents": "\u0301\u0327".repeat(16_384),
};

printMachine();
const [tokens, openCounterMs] = await measureMs(() => createTokenCounter());
const [embedder, openEmbedderMs] = await measureMs(() =>
  openStaticEmbedder({ folder: join("models", "static-256") }),
);
const countUs = await microsecondsPerText(() => {
  for (const text of texts) tokens.count(text);
});
const embedUs = await microsecondsPerText(() => embedder.embed(texts, signal));
printTable(
  ["", "open", "text of 26 words"],
  [
    ["token counter", `${openCounterMs.toFixed(0)} ms`, `${countUs.toFixed(1)} us`],
    ["embedder", `${openEmbedderMs.toFixed(0)} ms`, `${embedUs.toFixed(1)} us`],
  ],
);
printLine();
const hard = [];
for (const [name, text] of Object.entries(hardTexts)) {
  const [, countMs] = await measureMs(() => tokens.count(text));
  const [, embedMs] = await measureMs(() => embedder.embed([text], signal));
  hard.push({ name, countMs, embedMs });
}
printTable(
  ["", "count", "embed"],
  hard.map(({ name, countMs, embedMs }) => [
    name,
    `${countMs.toFixed(0)} ms`,
    `${embedMs.toFixed(0)} ms`,
  ]),
);
saveResults("texts", { openCounterMs, openEmbedderMs, countUs, embedUs, hard });

async function measureMs<T>(work: () => T | Promise<T>): Promise<[result: T, ms: number]> {
  const start = performance.now();
  const result = await work();
  return [result, performance.now() - start];
}

/** Returns the median over several rounds, each over all texts. */
async function microsecondsPerText(work: () => unknown): Promise<number> {
  const figures: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const [, ms] = await measureMs(work);
    figures.push((ms * 1000) / texts.length);
  }
  return figures.sort((a, b) => a - b)[rounds >> 1] ?? 0;
}

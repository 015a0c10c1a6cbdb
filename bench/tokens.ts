/**
 * How long does it take to count the tokens of the largest text? All other calls wait during the
 * count. The baseline is the library whose vocabulary the counter uses.
 */
import { BytePairEncodingCore } from "gpt-tokenizer/BytePairEncodingCore";
import ranks from "gpt-tokenizer/bpeRanks/o200k_base";
import { O200KBase } from "gpt-tokenizer/encodingParams/o200k_base";
import { createTokenCounter } from "../src/tokens/o200k-token-counter.js";
import { printLine, printMachine, printTable, saveResults } from "./harness/report.js";

/**
 * The library takes seconds for longer runs of letters, so it gets runs in pieces of this length.
 */
const libraryRunLength = 256;

/** The maximum size of a block's body. */
const maxBytes = 256 * 1024;

const texts = {
  "English words": fillWith("The quick brown fox jumps over the lazy dog. "),
  "Chinese, 31 characters over and over": fillWith(
    "我们今天去北京的图书馆看书然后在附近的餐厅吃了一顿非常好吃的晚饭",
  ),
  "Chinese, 20,000 characters in turn": fillWith(
    String.fromCodePoint(
      ...Array.from({ length: 20_000 }, (_, i) => 0x4e00 + ((i * 7919) % 20_000)),
    ),
  ),
  "Thai letters": fillWith(
    String.fromCodePoint(...Array.from({ length: 46 }, (_, i) => 0xe01 + ((i * 31) % 46))),
  ),
  "one Latin letter": fillWith("a"),
  "Latin letters in no order": fillWith(
    Array.from({ length: 10_007 }, (_, i) => String.fromCharCode(97 + ((i * i * i) % 26))).join(""),
  ),
  "line breaks": fillWith("\n"),
  emoji: fillWith("😀"),
};

printMachine();
const library = new BytePairEncodingCore({
  bytePairRankDecoder: ranks,
  tokenSplitRegex: withBoundedRuns(O200KBase(ranks).tokenSplitRegex),
  mergeCacheSize: 0,
});
const counter = await createTokenCounter();
const figures = Object.entries(texts).map(([kind, text]) => ({
  kind,
  ownMs: cpuMsOf(() => counter.count(text)),
  libraryMs: cpuMsOf(() => library.countNative(text)),
}));
printLine("CPU time to count a text of 256 KiB once, the median of five.");
printTable(
  ["", "ms", "library ms", "library / Vademecum"],
  figures.map(({ kind, ownMs, libraryMs }) => [
    kind,
    ownMs.toFixed(0),
    libraryMs.toFixed(0),
    (libraryMs / ownMs).toFixed(1),
  ]),
);
saveResults("tokens", { figures });

function fillWith(part: string): string {
  return part
    .repeat(Math.ceil(maxBytes / Buffer.byteLength(part)))
    .slice(0, Math.floor((maxBytes * part.length) / Buffer.byteLength(part)));
}

/** Returns the pattern with at most `libraryRunLength` repetitions instead of any number. */
function withBoundedRuns({ source, flags }: RegExp): RegExp {
  return new RegExp(
    source.replaceAll("+", `{1,${libraryRunLength}}`).replaceAll("*", `{0,${libraryRunLength}}`),
    flags,
  );
}

function cpuMsOf(work: () => unknown): number {
  const times = Array.from({ length: 5 }, () => {
    const before = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  });
  return times.sort((a, b) => a - b)[2] ?? 0;
}

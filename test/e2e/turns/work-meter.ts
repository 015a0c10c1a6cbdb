import { syncBuiltinESMExports } from "node:module";
import zlib from "node:zlib";
import type { WrittenPart } from "../../../src/core/text/written-words.js";
import { Analyzer } from "../../../src/index/keyword/analyzer.js";
import { IndexRows } from "../../../src/index/rows/index-rows.js";
import { withTurns } from "../../core/event-loop-turns.js";

/** Work in one turn of the event loop. */
export interface Work {
  /** Stored records that are read, written or deleted. */
  readonly records: number;
  /** KiB of these records. */
  readonly storedKib: number;
  /** KiB of text that is parsed, or converted to bytes or JSON. */
  readonly convertedKib: number;
  /** KiB of text that is divided into tokens. */
  readonly tokenizedKib: number;
  /** KiB of text that is divided into sentences or words, for an excerpt. */
  readonly segmentedKib: number;
  /** KiB of words that are turned into the terms of an index. */
  readonly analyzedKib: number;
  /** KiB of text that is added to an index. */
  readonly indexedKib: number;
}

/** The kinds of work. */
export const workKinds = [
  "records",
  "storedKib",
  "convertedKib",
  "tokenizedKib",
  "segmentedKib",
  "analyzedKib",
  "indexedKib",
] as const;

type WorkKind = (typeof workKinds)[number];

/** Maximum KiB of a word that count as work. Longer words become terms without any analysis. */
const analyzedWordMaxKib = 1;

const noWork: Work = {
  records: 0,
  storedKib: 0,
  convertedKib: 0,
  tokenizedKib: 0,
  segmentedKib: 0,
  analyzedKib: 0,
  indexedKib: 0,
};

/**
 * Returns the reply of a call, and the most work of each kind that this process did in one turn of
 * the event loop. The clock advances with each reading, as in `withTurns`, so that the counts do
 * not depend on the machine.
 */
export async function meterWork<T>(run: () => Promise<T>): Promise<{ reply: T; most: Work }> {
  const most = { ...noWork };
  let turn = { ...noWork };
  let isRunning = true;
  const endTurn = () => {
    for (const kind of workKinds) most[kind] = Math.max(most[kind], turn[kind]);
    turn = { ...noWork };
    if (isRunning) setImmediate(endTurn);
  };
  const stopCounting = countWork((kind, amount) => {
    turn[kind] += amount;
  });
  setImmediate(endTurn);
  try {
    const { reply } = await withTurns(run);
    return { reply, most };
  } finally {
    isRunning = false;
    stopCounting();
  }
}

/** Calls `add` for each piece of work. Returns a function that stops the counting. */
function countWork(add: (kind: WorkKind, amount: number) => void): () => void {
  const addText = (text: unknown) => add("convertedKib", kibOf(text));
  const restore = [
    // Every stored record has a checksum, which is computed when it is read, written or deleted.
    wrap(zlib, "crc32", ([data]) => {
      add("records", 1);
      add("storedKib", kibOf(data));
    }),
    wrap(JSON, "parse", ([text]) => addText(text)),
    wrap(JSON, "stringify", (_, text) => addText(text)),
    wrap(TextEncoder.prototype, "encode", ([text]) => addText(text)),
    // Only the token counter calls `encodeInto`, once for each word.
    wrap(TextEncoder.prototype, "encodeInto", ([text]) => add("tokenizedKib", kibOf(text))),
    wrap(Intl.Segmenter.prototype, "segment", ([text]) => add("segmentedKib", kibOf(text))),
    wrap(TextDecoder.prototype, "decode", ([bytes]) => addText(bytes)),
    wrap(Analyzer.prototype, "addTerms", ([part]) => {
      for (const { word } of (part as WrittenPart).words)
        add("analyzedKib", Math.min(kibOf(word), analyzedWordMaxKib));
    }),
    wrap(IndexRows.prototype, "put", ([record]) =>
      add("indexedKib", kibOf((record as { readonly content: string }).content)),
    ),
  ];
  syncBuiltinESMExports();
  return () => {
    for (const restoreOne of restore) restoreOne();
    syncBuiltinESMExports();
  };
}

/**
 * Calls `note` after each call of a method. Returns a function that restores the method.
 *
 * @throws Error when the owner has no such method, so that no work goes uncounted.
 */
function wrap(
  owner: object,
  method: string,
  note: (args: readonly unknown[], result: unknown) => void,
): () => void {
  const original = Reflect.get(owner, method) as ((...args: unknown[]) => unknown) | undefined;
  if (original === undefined) throw new Error(`there is no method ${method}`);
  Reflect.set(owner, method, function wrapper(this: unknown, ...args: unknown[]): unknown {
    const result = Reflect.apply(original, this, args);
    note(args, result);
    return result;
  });
  return () => Reflect.set(owner, method, original);
}

/** Returns the size of a text or of bytes, in KiB. */
function kibOf(value: unknown): number {
  if (typeof value === "string") return value.length / 1024;
  return ArrayBuffer.isView(value) ? value.byteLength / 1024 : 0;
}

import { wordSignature } from "../../core/text/near-copy.js";
import type { Analyzer } from "../keyword/analyzer.js";

/** What an index derives from the content of a memory. */
export interface TextAnalysis {
  /** Terms in about their order; repeated words give repeated terms. */
  readonly terms: readonly string[];
  /** See `wordSignature`. */
  readonly wordSignature: number | undefined;
}

/** Analyses of texts, by text. */
export type TextAnalyses = ReadonlyMap<string, TextAnalysis>;

/** From this number of UTF-16 units on, the analysis of a text takes turns with other work. */
const longTextLength = 4_096;

/** Whether the analysis of a text takes turns with other work. */
export function isLongText(text: string): boolean {
  return text.length >= longTextLength;
}

/** Analyzes a text in one step. */
export function analyzeText(analyzer: Analyzer, text: string): TextAnalysis {
  return { terms: analyzer.indexTerms(text), wordSignature: wordSignature(text) };
}

/** Analyzes a text in pieces, and calls `pause` after each piece. */
export async function analyzeInTurns(
  analyzer: Analyzer,
  text: string,
  pause: () => Promise<void>,
): Promise<TextAnalysis> {
  const terms: string[] = [];
  for (const piece of analyzer.indexTermPieces(text)) {
    for (const term of piece) terms.push(term);
    await pause();
  }
  const signature = wordSignature(text);
  await pause();
  return { terms, wordSignature: signature };
}

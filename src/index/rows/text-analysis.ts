import type { Memory } from "../../core/model/memory.js";
import { wordSignature } from "../../core/text/near-copy.js";
import type { Analyzer, IndexTerms } from "../keyword/analyzer.js";

/** What an index derives from the texts of a memory. */
export interface TextAnalysis {
  readonly terms: IndexTerms;
  /** See `wordSignature`. */
  readonly wordSignature: number | undefined;
}

/** The analyses of a memory before and after a change. Absent: not analyzed yet. */
export interface TextAnalyses {
  readonly before?: TextAnalysis | undefined;
  readonly after?: TextAnalysis | undefined;
}

/**
 * A text of at least this many UTF-16 units is analyzed in pieces, so that other work can run in
 * between.
 */
const longTextLength = 4_096;

/** Whether a memory must be analyzed with `analyzeInTurns`. */
export function hasLongText({ content }: Memory): boolean {
  return content.length >= longTextLength;
}

/** Analyzes a memory in one step. */
export function analyzeText(analyzer: Analyzer, memory: Memory): TextAnalysis {
  return { terms: analyzer.indexTerms(memory), wordSignature: wordSignature(memory.content) };
}

/** Analyzes a memory in pieces, and calls `pause` after each piece. */
export async function analyzeInTurns(
  analyzer: Analyzer,
  memory: Memory,
  pause: () => Promise<void>,
): Promise<TextAnalysis> {
  const terms = await analyzer.indexTermsInTurns(memory, pause);
  await pause();
  const signature = wordSignature(memory.content);
  await pause();
  return { terms, wordSignature: signature };
}

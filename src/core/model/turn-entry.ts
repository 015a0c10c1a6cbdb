import type { Instant } from "./instant.js";
import type { MemoryType } from "./memory.js";

/** Outcomes of a tool's query. */
export const turnEvents = [
  "QUERIED",
  "CACHED",
  "DENIED",
  "TRUNCATED",
  "FAILED",
  "INVALID",
] as const;
export type TurnEvent = (typeof turnEvents)[number];

/**
 * An entry in the trace of a turn: how one query of a tool ended. It belongs to the namespace that
 * was queried.
 */
export interface TurnEntry {
  readonly time: Instant;
  readonly requestId: string;
  /** Id of the task. Empty: the request belongs to no task. */
  readonly taskId: string;
  /** Id of the plan. Empty: the request belongs to no plan. */
  readonly planId: string;
  readonly queryId: string;
  readonly toolId: string;
  readonly toolVersion: string;
  /** The type of memories that the query asked for. Absent: the query named no valid type. */
  readonly memoryType?: MemoryType;
  /** The text of the query, cut to at most `tracedTextLength` UTF-16 code units. */
  readonly queryText: string;
  readonly event: TurnEvent;
  /**
   * Explanation in words. Never empty, except for two events:
   * - QUERIED: why no match opened the gate of the query (`ToolQuery.gate`), or else why the search
   *   used keywords only. Empty otherwise.
   * - CACHED: why no match opened the gate. Empty otherwise.
   */
  readonly reason: string;
  readonly tokensUsed: number;
  readonly returnedResults: number;
  readonly durationMs: number;
}

/** Maximum length of a query's text in the trace, in UTF-16 code units. */
const tracedTextLength = 1024;

/** Lifetime of entries, in milliseconds. */
export const turnEntryLifetimeMs = 30 * 24 * 60 * 60 * 1000;

/** Cuts the text of a query for the trace, never inside a character. */
export function tracedText(text: string): string {
  if (text.length <= tracedTextLength) return text;
  const cut = text.slice(0, tracedTextLength);
  return cut.isWellFormed() ? cut : cut.slice(0, -1);
}

import type { Instant } from "./instant.js";
import type { MemoryType } from "./memory.js";

/** What happened to a query of a tool. */
export const turnEvents = [
  "QUERIED",
  "CACHED",
  "DENIED",
  "TRUNCATED",
  "FAILED",
  "INVALID",
] as const;
export type TurnEvent = (typeof turnEvents)[number];

/** An entry of the trace of a turn. It belongs to the namespace that was asked. */
export interface TurnEntry {
  readonly time: Instant;
  readonly requestId: string;
  /** Empty: none. */
  readonly taskId: string;
  /** Empty: none. */
  readonly planId: string;
  readonly queryId: string;
  readonly toolId: string;
  readonly toolVersion: string;
  /** Absent: what was asked for is no type. */
  readonly memoryType?: MemoryType;
  /** At most `tracedTextLength` UTF-16 units of it. */
  readonly queryText: string;
  readonly event: TurnEvent;
  /** In words; empty for QUERIED and CACHED. */
  readonly reason: string;
  readonly tokensUsed: number;
  readonly returnedResults: number;
  readonly durationMs: number;
}

/** Longest beginning of a query's text that is kept in the trace, in UTF-16 units. */
export const tracedTextLength = 1024;

/** How long entries are kept. */
export const turnEntryLifetimeMs = 30 * 24 * 60 * 60 * 1000;

/** The beginning of a query's text that is kept. Never half of a character. */
export function tracedText(text: string): string {
  if (text.length <= tracedTextLength) return text;
  const cut = text.slice(0, tracedTextLength);
  return cut.isWellFormed() ? cut : cut.slice(0, -1);
}

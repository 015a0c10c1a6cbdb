import type { Instant } from "../instant.js";

/** What happened to a query of a tool. */
export const turnEvents = ["QUERIED", "CACHED", "DENIED", "TRUNCATED", "FAILED", "INVALID"] as const;
export type TurnEvent = (typeof turnEvents)[number];

/** An entry of the trace of a turn. It belongs to the namespace that was asked. */
export interface TurnEntry {
  readonly time: Instant;
  readonly requestId: string;
  readonly taskId: string;
  readonly planId: string;
  readonly queryId: string;
  readonly toolId: string;
  readonly event: TurnEvent;
  /** In words; empty for QUERIED and CACHED. */
  readonly reason: string;
  readonly tokensUsed: number;
  readonly durationMs: number;
}

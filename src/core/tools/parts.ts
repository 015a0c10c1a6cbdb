import type { Expression } from "../filter/expression.js";
import type { AddParts } from "../memories/add.js";
import type { Timer } from "../ports/timer.js";

/** Where to tell of what no caller is told in full. */
export interface ToolLog {
  /** A query failed; its result is empty. */
  queryFailed(error: unknown): void;
  /** Entries of a trace could not be written. */
  traceLost(error: unknown): void;
}

/** What the use cases of tools need of the world. */
export interface ToolServiceParts extends AddParts {
  readonly compileExpression: (source: string) => Expression;
  readonly timer: Timer;
  readonly log: ToolLog;
}

import type { Tally } from "../tally.js";

/** The options that every scenario takes. */
export interface ScenarioOptions {
  /** Decides all random choices. The same seed makes the same choices. */
  readonly seed: number;
  /** Receives a line about the progress. */
  readonly report: (line: string) => void;
}

/** The options of a scenario that repeats a fault. */
export interface RoundOptions extends ScenarioOptions {
  /** Number of times that the fault is caused, at least 1. */
  readonly rounds: number;
}

/** Reports the progress after a round. */
export function reportRound({ report, rounds }: RoundOptions, round: number, tally: Tally): void {
  report(`round ${round} of ${rounds}: ${tally.line()}`);
}

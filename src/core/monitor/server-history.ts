import type { Timer } from "../ports/timer.js";
import type { CallTotalsAt } from "./call-totals.js";

/** What a server has done since its start, and what it holds, at one moment. Sums only grow. */
export interface ServerSample extends CallTotalsAt {
  readonly timeMs: number;
  /** Transactions that were written. */
  readonly commits: number;
  /** Time for which groups of transactions were written and synced. */
  readonly syncMs: number;
  readonly residentBytes: number;
  readonly indexBytes: number;
  readonly hotCollections: number;
  readonly openCalls: number;
  /** Delay of the event loop in the last ten seconds, the quantile 0.99. */
  readonly loopDelayMs: number;
  readonly dataBytes?: number | undefined;
  readonly freeBytes?: number | undefined;
}

const stepMs = 10_000;
const stepsKept = 360;

/** Keeps a sample of every ten seconds of the last hour. */
export class ServerHistory {
  #samples: readonly ServerSample[] = [];
  #cancel: () => void = () => undefined;

  constructor(
    private readonly timer: Timer,
    private readonly take: () => Promise<ServerSample>,
  ) {
    this.#wait();
  }

  /** The oldest first. */
  get samples(): readonly ServerSample[] {
    return this.#samples;
  }

  stop(): void {
    this.#cancel();
  }

  #wait(): void {
    this.#cancel = this.timer.after(stepMs, () => {
      this.#wait();
      void this.take().then(
        (sample) => {
          this.#samples = [...this.#samples, sample].slice(-stepsKept);
        },
        () => undefined,
      );
    });
  }
}

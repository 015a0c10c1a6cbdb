import { setTimeout as delay } from "node:timers/promises";
import { isConnectionLoss } from "../errors.js";

/** After this many milliseconds without PostgreSQL the server reports that it does not serve. */
const graceMs = 5_000;

/** The pause between two probes while PostgreSQL is away. */
const pauseMs = 500;

/** Options of `Reachability`. */
export interface ReachabilityOptions {
  /** Resolves if PostgreSQL answers. Otherwise rejects within a few seconds. */
  readonly probe: () => Promise<void>;
  /** Called when PostgreSQL has been away for some seconds. */
  readonly onFailure: (error: unknown) => void;
  /** Called when PostgreSQL is back after `onFailure`. */
  readonly onRecovered: () => void;
}

/** Watches whether PostgreSQL can be reached, from the first lost connection on. */
export class Reachability {
  readonly #closing = new AbortController();
  #watch: Promise<void> | undefined;

  constructor(private readonly options: ReachabilityOptions) {}

  /** Begins to probe PostgreSQL if the error is a lost connection. */
  note(error: unknown): void {
    if (!isConnectionLoss(error) || this.#closing.signal.aborted) return;
    this.#watch ??= this.#look(error).finally(() => {
      this.#watch = undefined;
    });
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#watch;
  }

  async #look(error: unknown): Promise<void> {
    const { probe, onFailure, onRecovered } = this.options;
    const { signal } = this.#closing;
    const began = performance.now();
    let isReported = false;
    while (!signal.aborted) {
      const isThere = await probe().then(
        () => true,
        () => false,
      );
      if (isThere) break;
      if (!isReported && performance.now() - began > graceMs) {
        isReported = true;
        onFailure(error);
      }
      await delay(pauseMs, undefined, { signal }).catch(() => undefined);
    }
    if (isReported && !signal.aborted) onRecovered();
  }
}

import { setTimeout as delay } from "node:timers/promises";
import { storeUnavailable } from "../../errors.js";
import { ConnectionLost, isConnectionLoss } from "../errors.js";

/** After this many milliseconds without PostgreSQL the server reports that it does not serve. */
const graceMs = 5_000;

/** The pause between two probes while PostgreSQL is away. */
const pauseMs = 500;

/** Options of `Reachability`. */
export interface ReachabilityOptions {
  /** Resolves if PostgreSQL answers. Otherwise rejects within a few seconds. */
  readonly probe: () => Promise<void>;
  /** Called when PostgreSQL has been away for some seconds. Calls are refused from then on. */
  readonly onFailure: (error: unknown) => void;
  /** Called when PostgreSQL is back after `onFailure`. */
  readonly onRecovered: () => void;
}

/** Watches whether PostgreSQL can be reached, from the first lost connection on. */
export class Reachability {
  readonly #closing = new AbortController();
  #watch: Promise<void> | undefined;
  /** The error of the first lost connection, while PostgreSQL is known to be away. */
  #away: { readonly error: unknown } | undefined;

  constructor(private readonly options: ReachabilityOptions) {}

  /** Whether PostgreSQL has been away for some seconds. */
  get isAway(): boolean {
    return this.#away !== undefined;
  }

  /** @throws UNAVAILABLE (STORE_UNAVAILABLE) while PostgreSQL is known to be away */
  requireThere(): void {
    if (this.#away !== undefined)
      throw storeUnavailable("cannot reach PostgreSQL", this.#away.error);
  }

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
    const silentMs = error instanceof ConnectionLost ? error.silentMs : 0;
    const began = performance.now() - silentMs;
    while (!signal.aborted) {
      // PostgreSQL is there if it refuses a session, for example because it has too many.
      const isThere = await probe().then(
        () => true,
        (failure: unknown) => !isConnectionLoss(failure),
      );
      if (isThere) break;
      if (this.#away === undefined && performance.now() - began > graceMs) {
        this.#away = { error };
        onFailure(error);
      }
      await delay(pauseMs, undefined, { signal }).catch(() => undefined);
    }
    if (this.#away === undefined || signal.aborted) return;
    this.#away = undefined;
    onRecovered();
  }
}

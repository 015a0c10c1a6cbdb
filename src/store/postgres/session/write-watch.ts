import { setTimeout as delay } from "node:timers/promises";
import type { WritesState } from "../../../core/ports/writes-state.js";
import { sqlStateOf } from "../errors.js";

/** Time between two attempts to write while PostgreSQL takes no writes, in milliseconds. */
const retryMs = 5_000;

/** Options of `WriteWatch`. */
export interface WriteWatchOptions {
  /** Writes something and takes it back. Rejects within a few seconds if that fails. */
  readonly tryWrite: () => Promise<void>;
  /** Called when writes begin to be refused, and when they work again. */
  readonly onChange: (state: WritesState, error?: unknown) => void;
  /** Waits between attempts. Default: `retryMs`. */
  readonly pause?: (signal: AbortSignal) => Promise<void>;
}

/** Watches whether PostgreSQL takes writes, from the first refused write on. */
export class WriteWatch {
  readonly #closing = new AbortController();
  #watch: Promise<void> | undefined;

  constructor(private readonly options: WriteWatchOptions) {}

  /** Begins to try writes if the error says that PostgreSQL takes none. */
  note(error: unknown): void {
    const refused = refusalOf(error);
    if (refused !== undefined) this.#begin(refused, error);
  }

  /** Begins to try writes, because transactions of PostgreSQL are read-only by default. */
  suspectReadOnly(): void {
    this.#begin("read_only", undefined);
  }

  #begin(refused: WritesState, error: unknown): void {
    if (this.#closing.signal.aborted) return;
    this.#watch ??= this.#look(refused, error).finally(() => {
      this.#watch = undefined;
    });
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#watch;
  }

  async #look(refused: WritesState, error: unknown): Promise<void> {
    const { tryWrite, onChange, pause = pauseFor } = this.options;
    const { signal } = this.#closing;
    // After a failover, an old session leads to a standby, and a new one does not. A small write
    // may still fit on a full disk.
    let reported: WritesState = "ok";
    let state: WritesState = refused === "disk_full" ? refused : "ok";
    let cause = error;
    for (let tries = 0; !signal.aborted; tries++) {
      if (tries > 0 || state === "ok") {
        try {
          await tryWrite();
          break;
        } catch (failure) {
          // If PostgreSQL cannot be reached, the last state stays.
          state = refusalOf(failure) ?? state;
          cause = failure;
        }
      }
      if (state !== reported) onChange(state, cause);
      reported = state;
      await pause(signal);
    }
    if (reported !== "ok" && !signal.aborted) onChange("ok");
  }
}

/** Returns why PostgreSQL has refused a write; `undefined` for other errors. */
function refusalOf(error: unknown): WritesState | undefined {
  const state = sqlStateOf(error);
  if (state === "53100") return "disk_full";
  return state === "25006" ? "read_only" : undefined;
}

async function pauseFor(signal: AbortSignal): Promise<void> {
  await delay(retryMs, undefined, { signal }).catch(() => undefined);
}

import { VademecumError } from "../model/errors.js";

/** Of how many proposals a watcher that reads slowly notes that they have changed; beyond that it looks at all that wait. */
const notedMax = 1000;

/** Waits for changes of a user's proposals. Changes that happen while nobody waits are noted. */
export interface Watcher {
  /** Resolves once something has changed since it last did, or when the signal aborts: with the ids of what has, or `all` the first time and where too much has. @throws UNAVAILABLE (SERVER_STOPPING) */
  changed(signal: AbortSignal): Promise<ReadonlySet<string> | "all">;
  /** Must be called at the end. */
  close(): void;
}

/** Wakes watchers of proposals in this process when something was committed. */
export interface WakeUps {
  watch(userId: string): Watcher;
  /** Notes that these proposals of a user may have changed. */
  wake(userId: string, ids: readonly string[]): void;
  /** Ends all watchers, also those to come. */
  stop(): void;
}

export function createWakeUps(): WakeUps {
  const watchers = new Map<string, Set<NotingWatcher>>();
  let isStopped = false;
  return {
    watch(userId) {
      const ofUser = watchers.get(userId) ?? new Set();
      const watcher = new NotingWatcher(isStopped, () => {
        ofUser.delete(watcher);
        if (ofUser.size === 0 && watchers.get(userId) === ofUser) watchers.delete(userId);
      });
      watchers.set(userId, ofUser.add(watcher));
      return watcher;
    },
    wake(userId, ids) {
      for (const watcher of watchers.get(userId) ?? []) watcher.note(ids);
    },
    stop() {
      isStopped = true;
      for (const ofUser of watchers.values()) for (const watcher of ofUser) watcher.stop();
    },
  };
}

class NotingWatcher implements Watcher {
  #noted: Set<string> | "all" = "all";
  #wake: (() => void) | undefined;
  #isStopped: boolean;

  constructor(
    isStopped: boolean,
    readonly close: () => void,
  ) {
    this.#isStopped = isStopped;
  }

  note(ids: readonly string[]): void {
    if (this.#noted !== "all") for (const id of ids) this.#noted.add(id);
    if (this.#noted !== "all" && this.#noted.size > notedMax) this.#noted = "all";
    this.#wake?.();
  }

  stop(): void {
    this.#isStopped = true;
    this.#wake?.();
  }

  async changed(signal: AbortSignal): Promise<ReadonlySet<string> | "all"> {
    if (!this.#isStopped && !signal.aborted && this.#noted !== "all" && this.#noted.size === 0)
      await this.#woken(signal);
    if (this.#isStopped) {
      throw new VademecumError(
        "UNAVAILABLE",
        "SERVER_STOPPING",
        "the server is being stopped; watch again once it runs",
      );
    }
    const noted = this.#noted;
    this.#noted = new Set();
    return noted;
  }

  #woken(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const end = (): void => {
        signal.removeEventListener("abort", end);
        this.#wake = undefined;
        resolve();
      };
      signal.addEventListener("abort", end, { once: true });
      this.#wake = end;
    });
  }
}

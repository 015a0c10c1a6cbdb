import { VademecumError } from "../model/errors.js";
import type { Timer } from "../ports/timer.js";

/**
 * Maximum number of changed ids that a slow watcher keeps. Beyond it, the watcher reads all pending
 * proposals again.
 */
const changedIdsMax = 1000;

/**
 * Maximum number of watchers of one user, and of watchers of all users. There is a limit because
 * each change wakes all of them.
 */
const watchersMax = 100;

/** Waits for changes of proposals. Remembers changes that happen between two waits. */
export interface Watcher {
  /**
   * Resolves when proposals have changed since the last call, or when the signal aborts. Returns
   * the ids of the changed proposals with their users, or `all` on the first call and when too many
   * have changed.
   *
   * @throws UNAVAILABLE (SERVER_STOPPING) when the server stops.
   */
  nextChanges(signal: AbortSignal): Promise<ReadonlyMap<string, string> | "all">;
  /** Notes that any proposal may have changed. */
  addAll(): void;
  /** Releases the watcher. Every watcher must be closed. */
  close(): void;
}

/** Wakes the watchers in this process after a commit. */
export interface WakeUps {
  /**
   * Starts to watch the proposals of a user; without a user, of all users.
   *
   * @throws RESOURCE_EXHAUSTED (TOO_MANY_WATCHES) when 100 watchers of the user, or of all users,
   *   are open.
   */
  watch(userId?: string): Watcher;
  /** Tells the watchers of a user and of all users that these proposals may have changed. */
  wake(userId: string, ids: readonly string[]): void;
  /** Tells all watchers that any proposal may have changed. */
  wakeAll(): void;
  /** Ends all watchers, present and future. */
  stop(): void;
}

/**
 * Calls `onChange` when another server may have changed a user's proposals; without a user,
 * proposals of any user. Returns a function that ends the calls.
 */
export type FollowUser = (userId: string | undefined, onChange: () => void) => () => void;

/**
 * Creates wake-ups that have no watchers yet.
 *
 * @param follow reports changes that other servers make. Absent: no other server changes them
 * @param calls names the watches of one user and of all users in errors
 */
export function createWakeUps(follow?: FollowUser, calls = callsAboutProposals): WakeUps {
  /** By user. The watchers of all users are under `undefined`. */
  const watchers = new Map<string | undefined, Set<BufferedWatcher>>();
  let isStopped = false;
  return {
    watch(userId) {
      const ofUser = watchers.get(userId) ?? new Set();
      if (ofUser.size >= watchersMax) {
        const open = userId === undefined ? calls.ofAll : `${calls.ofUser} for this user`;
        throw tooManyWatches(open);
      }
      const stopFollowing = follow?.(userId, () => watcher.addAll());
      const watcher = new BufferedWatcher(isStopped, () => {
        stopFollowing?.();
        ofUser.delete(watcher);
        if (ofUser.size === 0 && watchers.get(userId) === ofUser) watchers.delete(userId);
      });
      watchers.set(userId, ofUser.add(watcher));
      return watcher;
    },
    wake(userId, ids) {
      for (const watched of [userId, undefined])
        for (const watcher of watchers.get(watched) ?? []) watcher.add(userId, ids);
    },
    wakeAll() {
      for (const ofUser of watchers.values()) for (const watcher of ofUser) watcher.addAll();
    },
    stop() {
      isStopped = true;
      for (const ofUser of watchers.values()) for (const watcher of ofUser) watcher.stop();
    },
  };
}

const callsAboutProposals = { ofUser: "WatchProposals", ofAll: "WatchInbox" };

function tooManyWatches(calls: string): VademecumError {
  return new VademecumError(
    "RESOURCE_EXHAUSTED",
    "TOO_MANY_WATCHES",
    `${watchersMax} calls of ${calls} are open; end one, or share one`,
  );
}

/** Returns the error of a watch that ends because the server stops. */
export function watchesStopped(): VademecumError {
  return new VademecumError(
    "UNAVAILABLE",
    "SERVER_STOPPING",
    "the server is stopping; watch again when it is back",
  );
}

class BufferedWatcher implements Watcher {
  /** The users of the changed proposals, by id. */
  #changedIds: Map<string, string> | "all" = "all";
  #wake: (() => void) | undefined;
  #isStopped: boolean;

  constructor(
    isStopped: boolean,
    readonly close: () => void,
  ) {
    this.#isStopped = isStopped;
  }

  add(userId: string, ids: readonly string[]): void {
    if (this.#changedIds !== "all") for (const id of ids) this.#changedIds.set(id, userId);
    if (this.#changedIds !== "all" && this.#changedIds.size > changedIdsMax)
      this.#changedIds = "all";
    this.#wake?.();
  }

  addAll(): void {
    this.#changedIds = "all";
    this.#wake?.();
  }

  stop(): void {
    this.#isStopped = true;
    this.#wake?.();
  }

  async nextChanges(signal: AbortSignal): Promise<ReadonlyMap<string, string> | "all"> {
    if (
      !this.#isStopped &&
      !signal.aborted &&
      this.#changedIds !== "all" &&
      this.#changedIds.size === 0
    )
      await this.#waitForWake(signal);
    if (this.#isStopped) throw watchesStopped();
    const changedIds = this.#changedIds;
    this.#changedIds = new Map();
    return changedIds;
  }

  #waitForWake(signal: AbortSignal): Promise<void> {
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

/**
 * Waits for changes as `Watcher.nextChanges` does, but for at most `waitMs` milliseconds. Returns
 * `none` if nothing has changed until then.
 */
export async function nextChangesWithin(
  watcher: Watcher,
  { timer, waitMs, signal }: ChangeWait,
): Promise<ReadonlyMap<string, string> | "all" | "none"> {
  if (waitMs === undefined) return watcher.nextChanges(signal);
  const waited = new AbortController();
  const cancel = timer.after(waitMs, () => waited.abort());
  try {
    const changed = await watcher.nextChanges(AbortSignal.any([signal, waited.signal]));
    return changed !== "all" && changed.size === 0 ? "none" : changed;
  } finally {
    cancel();
  }
}

/** How long to wait for changes. */
export interface ChangeWait {
  readonly timer: Timer;
  /** Absent: without a limit. */
  readonly waitMs: number | undefined;
  /** Ends the wait. */
  readonly signal: AbortSignal;
}

import { stat } from "node:fs/promises";
import type { Log } from "../core/ports/log.js";
import type { Timer } from "../core/ports/timer.js";

/** A value that is read from files again when they change. */
export interface WatchedFiles<T> {
  /** The value of the last reading that worked. */
  readonly value: T;
  /** Reads the files again if they have changed. Never rejects. */
  refresh(): Promise<void>;
  stop(): void;
}

/** The files to watch, and how to read them. */
export interface WatchOptions<T> {
  readonly paths: readonly string[];
  /** Reads the value from the files. Rejects if one of the files cannot be used. */
  readonly read: () => Promise<T>;
  /** Called with each later value. */
  readonly onChange?: (value: T) => void;
  /** Called when a change of the files cannot be used, and when they can be used again. */
  readonly onStale?: (isStale: boolean) => void;
  /** Called after each check of the files, whether they have changed or not. */
  readonly afterCheck?: () => void;
  readonly timer: Timer;
  readonly log: Log;
}

/** Watches several groups of files, and stops all of them together. */
export interface FileWatcher {
  /** See `watchFiles`. */
  watch<T>(options: Omit<WatchOptions<T>, "timer" | "log" | "onStale">): Promise<WatchedFiles<T>>;
  /** Reads all files again that have changed. Never rejects. */
  refresh(): Promise<void>;
  stop(): void;
}

/**
 * Creates a watcher that watches no files yet.
 *
 * @param onStale called when a change of some files cannot be used, and when all files can be used
 *   again
 */
export function createFileWatcher(
  timer: Timer,
  log: Log,
  onStale: (isStale: boolean) => void = () => undefined,
): FileWatcher {
  const watched: WatchedFiles<unknown>[] = [];
  const stale = new Set<object>();
  return {
    async watch(options) {
      const note = (isStale: boolean): void => {
        if (isStale) stale.add(options);
        else stale.delete(options);
        onStale(stale.size > 0);
      };
      const files = await watchFiles({ ...options, timer, log, onStale: note });
      watched.push(files);
      return files;
    },
    async refresh() {
      await Promise.all(watched.map((files) => files.refresh()));
    },
    stop() {
      for (const files of watched) files.stop();
    },
  };
}

/** The time between two checks of the files, in milliseconds. */
const intervalMs = 5_000;

/**
 * Reads a value from files, then again whenever one of them has changed. While the files cannot be
 * used, the last value stays in force. The log reports each faulty state once.
 *
 * @throws the error of the first reading
 */
export async function watchFiles<T>({
  paths,
  read,
  onChange = () => undefined,
  onStale = () => undefined,
  afterCheck = () => undefined,
  timer,
  log,
}: WatchOptions<T>): Promise<WatchedFiles<T>> {
  let seen = await stateOf(paths);
  let value = await read();
  let isStopped = false;
  let cancelNext = (): void => undefined;
  /** The faulty state that the log has reported last. */
  let reported: string | undefined;
  const look = async (): Promise<void> => {
    const now = await stateOf(paths);
    if (now === seen) return;
    try {
      const changed = await read();
      onChange(changed);
      value = changed;
      seen = now;
      if (reported !== undefined) onStale(false);
      reported = undefined;
      log("info", "read changed files again", { files: paths });
    } catch (error) {
      // The next check reads the files again, because the fault may lie outside of the files.
      if (reported === now) return;
      reported = now;
      onStale(true);
      const reason = error instanceof Error ? error.message : String(error);
      log("error", "cannot use changed files; their earlier content stays in force", {
        files: paths,
        reason,
      });
    }
  };
  let lastLook = Promise.resolve();
  const refresh = (): Promise<void> => {
    // Checks run one after the other, so that a slow check never replaces a later value.
    lastLook = lastLook.then(look).then(afterCheck);
    return lastLook;
  };
  const lookLater = (): void => {
    cancelNext = timer.after(intervalMs, () => {
      void refresh().finally(() => {
        if (!isStopped) lookLater();
      });
    });
  };
  lookLater();
  return {
    get value() {
      return value;
    },
    refresh,
    stop() {
      isStopped = true;
      cancelNext();
    },
  };
}

/** Returns a text that changes when one of the files is replaced or written. */
async function stateOf(paths: readonly string[]): Promise<string> {
  const states = await Promise.all(
    paths.map((path) =>
      stat(path, { bigint: true }).then(
        ({ ino, size, mtimeNs, ctimeNs }) => [ino, size, mtimeNs, ctimeNs].join(),
        () => "absent",
      ),
    ),
  );
  return states.join(";");
}

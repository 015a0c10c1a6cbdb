import { VademecumError } from "../model/errors.js";
import { scopeText } from "../model/namespace.js";
import type {
  BackupTarget,
  RecordPage,
  RestoredScope,
  ScopeCheck,
  ScopeState,
} from "../ports/backup.js";
import type { Call } from "../ports/call.js";
import { createPause } from "../requests/pause.js";
import type { BackupChunk } from "./backup-chunk.js";
import { type BackupVisitor, readBackup } from "./read-backup.js";

/**
 * The epoch that restored scopes get.
 * - `kept`: the epoch of the backup, so that page tokens and each `commit_seq` of the old server
 *   stay valid. Use it only for data that moves.
 * - `new`: the epoch of the target. Use it for every other restore. Requires: the target has no
 *   data, or only data from an interrupted restore of the same backup. All scopes then have the
 *   same epoch, which does not tell whether a scope comes from the backup. So a scope with the same
 *   number of commits as in the backup counts as restored.
 */
export type RestoredEpoch = "kept" | "new";

/**
 * Returns the latest commit time that a restored scope may have: an hour after the clock. A later
 * time would move the clock of everybody, because the server's clock is never behind its data.
 */
export function latestTimeAt(nowMs: number): number {
  return nowMs + 60 * 60 * 1000;
}

/**
 * Refuses a scope whose last commit is too late.
 *
 * @throws INVALID_ARGUMENT (INVALID_BACKUP)
 */
export function requireTimeUpTo(latestMs: number, { scope, lastTimeMs }: ScopeState): void {
  if (lastTimeMs <= latestMs) return;
  throw new VademecumError(
    "INVALID_ARGUMENT",
    "INVALID_BACKUP",
    `the last write of ${scopeText(scope)} is of ${new Date(lastTimeMs).toISOString()}, more than an ` +
      "hour ahead of the clock. Check the clocks of both machines. `vademecum restore` takes the " +
      "backup with --allow-future",
  );
}

/** Progress of a restore after one more scope. */
export interface RestoreProgress {
  /** Number of scopes that are whole in the target. */
  readonly scopes: number;
  /** How many of these scopes the target already had. */
  readonly unchanged: number;
  /** Number of records of all these scopes. */
  readonly records: number;
}

/** How to restore a backup. */
export interface RestoreOptions extends Pick<BackupVisitor, "header"> {
  readonly epoch: RestoredEpoch;
  /** The latest commit time of a scope, see `latestTimeAt`. `undefined`: any time. */
  readonly latestMs: number | undefined;
  /** Begins the check of a scope. */
  readonly check: () => ScopeCheck;
  /** Says whether to restore a scope. Default: all are restored. */
  readonly selects?: (state: ScopeState) => boolean;
}

/** Bytes of the records of a scope beyond which it is restored alone. */
const smallBytes = 1024 * 1024;

/**
 * Restores the scopes of a backup, each in one step. Yields after each scope. Restores small scopes
 * at the same time, if the target can. Skips a scope that the target already has at the same
 * commit, so a repeated call continues an interrupted restore.
 *
 * @throws INVALID_ARGUMENT (INVALID_BACKUP) when the chunks are not a complete backup, or a scope
 *   has records that calls could not read or find. The scopes before the fault stay restored
 * @throws FAILED_PRECONDITION (SCOPE_EXISTS) when the target has another history of a scope, or a
 *   later state. With epoch `new`: when the target has any other state of a scope
 * @throws ABORTED (SCOPE_CHANGED) when a scope of the target changes during the restore
 */
export async function* restoreBackup(
  target: BackupTarget,
  chunks: AsyncIterable<BackupChunk>,
  { epoch, header, latestMs, check, selects = () => true }: RestoreOptions,
  call: Call,
): AsyncGenerator<RestoreProgress> {
  let unchanged = 0;
  const restore = async (state: ScopeState, pages: AsyncIterable<RecordPage>): Promise<void> => {
    call.throwIfEnded();
    const { scope, head, lastTimeMs } = state;
    if (latestMs !== undefined) requireTimeUpTo(latestMs, state);
    const current = await target.head(scope);
    const isKnown = current.seq > 0 && (epoch === "new" || current.epoch === head.epoch);
    if (isKnown && current.seq === head.seq) {
      unchanged++;
      return;
    }
    if (current.seq > 0 && (epoch === "new" || !isKnown || current.seq > head.seq))
      throw scopeExists(state);
    const restored: RestoredScope = {
      scope,
      seq: head.seq,
      lastTimeMs,
      epoch: epoch === "kept" ? head.epoch : undefined,
    };
    await target.restoreScope(restored, current, checked(pages, check(), call));
  };
  const restores = new ConcurrentRestores(target.restoresAtOnce ?? 1);
  const visitor: BackupVisitor = {
    ...(header === undefined ? {} : { header }),
    async scope(state, pages) {
      if (!selects(state)) return;
      if (restores.max === 1) return restore(state, pages);
      const { taken, rest } = await takeSmall(pages);
      if (rest !== undefined) return restore(state, joined(taken, rest));
      const records = taken.reduce((sum, page) => sum + page.records.length, 0);
      await restores.start(() => restore(state, joined(taken)), records);
    },
  };
  try {
    let total = { scopes: 0, records: 0 };
    for await (const { scopes, records } of readBackup(chunks, visitor)) {
      total = { scopes, records };
      const { running } = restores;
      yield { scopes: scopes - running.scopes, unchanged, records: records - running.records };
    }
    await restores.end();
    if (restores.max > 1 && total.scopes > 0) yield { ...total, unchanged };
  } finally {
    await restores.settle();
  }
}

/** Restores several scopes at the same time. */
class ConcurrentRestores {
  readonly #running = new Set<Promise<void>>();
  #records = 0;
  #failure: { readonly error: unknown } | undefined;

  constructor(readonly max: number) {}

  /** The scopes whose restores run, and the number of their records. */
  get running(): { readonly scopes: number; readonly records: number } {
    return { scopes: this.#running.size, records: this.#records };
  }

  /** Starts a restore once fewer than `max` run. Throws the error of an earlier one. */
  async start(restore: () => Promise<void>, records: number): Promise<void> {
    while (this.#running.size >= this.max) await Promise.race(this.#running);
    this.#throwFailure();
    const running = restore()
      .catch((error: unknown) => {
        this.#failure ??= { error };
      })
      .finally(() => {
        this.#running.delete(running);
        this.#records -= records;
      });
    this.#running.add(running);
    this.#records += records;
  }

  /** Resolves when no restore runs. Throws the error of one that failed. */
  async end(): Promise<void> {
    await this.settle();
    this.#throwFailure();
  }

  /** Resolves when no restore runs. */
  async settle(): Promise<void> {
    await Promise.all(this.#running);
  }

  #throwFailure(): void {
    if (this.#failure !== undefined) throw this.#failure.error;
  }
}

/** The first pages of a scope, and the rest unless these are all. */
interface TakenPages {
  readonly taken: readonly RecordPage[];
  readonly rest: AsyncIterator<RecordPage> | undefined;
}

async function takeSmall(pages: AsyncIterable<RecordPage>): Promise<TakenPages> {
  const iterator = pages[Symbol.asyncIterator]();
  const taken: RecordPage[] = [];
  for (let bytes = 0; bytes <= smallBytes; ) {
    const next = await iterator.next();
    if (next.done === true) return { taken, rest: undefined };
    taken.push(next.value);
    for (const [key, payload] of next.value.records) bytes += key.length + payload.length;
  }
  return { taken, rest: iterator };
}

async function* joined<T>(first: readonly T[], rest?: AsyncIterator<T>): AsyncGenerator<T> {
  yield* first;
  if (rest === undefined) return;
  for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value;
}

/** Yields pages while the call has not ended. Throws if a page, or all together, are not sound. */
async function* checked(
  pages: AsyncIterable<RecordPage>,
  check: ScopeCheck,
  call: Call,
): AsyncGenerator<RecordPage> {
  const pause = createPause();
  for await (const page of pages) {
    call.throwIfEnded();
    await pause();
    check.add(page);
    yield page;
  }
  check.end();
}

function scopeExists({ scope }: ScopeState): VademecumError {
  return new VademecumError(
    "FAILED_PRECONDITION",
    "SCOPE_EXISTS",
    `the target has other data of ${scopeText(scope)}, or later data, and keeps it; ` +
      "restore into an empty store, or restore only data that came from the same store",
  );
}

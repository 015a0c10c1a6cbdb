import { VademecumError } from "../model/errors.js";
import type { Scope } from "../model/namespace.js";
import type { BackupTarget, RecordPage, RestoredScope, ScopeState } from "../ports/backup.js";
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

/** Options of a restore. */
export interface RestoreOptions extends Pick<BackupVisitor, "header"> {
  readonly epoch: RestoredEpoch;
  /** The latest commit time of a scope, see `latestTimeAt`. `undefined`: any time. */
  readonly latestMs: number | undefined;
}

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
    `the last write of ${nameOf(scope)} is of ${new Date(lastTimeMs).toISOString()}, more than an ` +
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

/**
 * Restores the scopes of a backup, each in one step. Yields after each scope. Skips a scope that
 * the target already has at the same commit, so a repeated call continues an interrupted restore.
 *
 * @throws INVALID_ARGUMENT (INVALID_BACKUP) when the chunks are not a complete backup. The scopes
 *   before the fault stay restored
 * @throws FAILED_PRECONDITION (SCOPE_EXISTS) when the target has another history of a scope, or a
 *   later state. With epoch `new`: when the target has any other state of a scope
 * @throws ABORTED (SCOPE_CHANGED) when a scope of the target changes during the restore
 */
export async function* restoreBackup(
  target: BackupTarget,
  chunks: AsyncIterable<BackupChunk>,
  { epoch, header, latestMs }: RestoreOptions,
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
    await target.restoreScope(restored, current, whileCalled(pages, call));
  };
  const visitor = { scope: restore, ...(header === undefined ? {} : { header }) };
  for await (const { scopes, records } of readBackup(chunks, visitor))
    yield { scopes, unchanged, records };
}

async function* whileCalled<T>(items: AsyncIterable<T>, call: Call): AsyncGenerator<T> {
  const pause = createPause();
  for await (const item of items) {
    call.throwIfEnded();
    await pause();
    yield item;
  }
}

function nameOf(scope: Scope): string {
  if (scope.kind === "user") return `user ${JSON.stringify(scope.userId)}`;
  return scope.kind === "run" ? `run ${JSON.stringify(scope.runId)}` : "the server itself";
}

function scopeExists({ scope }: ScopeState): VademecumError {
  return new VademecumError(
    "FAILED_PRECONDITION",
    "SCOPE_EXISTS",
    `the target has other data of ${nameOf(scope)}, or later data, and keeps it; ` +
      "restore into an empty store, or restore only data that came from the same store",
  );
}

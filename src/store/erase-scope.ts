import { VademecumError } from "../core/model/errors.js";
import type { Scope } from "../core/model/namespace.js";
import type { BackupTarget, RecordPage } from "../core/ports/backup.js";
import type { Head } from "../core/ports/store.js";

/** Number of attempts before `eraseScope` gives up: each one loses against another commit. */
const attemptsMax = 100;

/** Implements `Store.erase`: restores nothing in place of a scope. */
export async function eraseScope(
  target: Pick<BackupTarget, "head" | "restoreScope">,
  scope: Scope,
  nowMs: number,
): Promise<Head> {
  for (let attempt = 1; ; attempt++) {
    const replaced = await target.head(scope);
    if (replaced.seq === 0) return replaced;
    const { epoch } = replaced;
    const seq = replaced.seq + 1;
    try {
      await target.restoreScope({ scope, seq, epoch, lastTimeMs: nowMs }, replaced, noPages());
      return { ...replaced, seq };
    } catch (error) {
      if (!isScopeChanged(error)) throw error;
      if (attempt === attemptsMax) throw writtenMeanwhile(error);
    }
  }
}

async function* noPages(): AsyncGenerator<RecordPage> {}

function isScopeChanged(error: unknown): boolean {
  return error instanceof VademecumError && error.reason === "SCOPE_CHANGED";
}

function writtenMeanwhile(cause: unknown): VademecumError {
  return new VademecumError(
    "ABORTED",
    "SCOPE_CHANGED",
    "the user or run was written again and again during the erasure; stop its writers, then repeat " +
      "the call",
    { cause },
  );
}

import type { BackupChunk } from "../backup/backup-chunk.js";
import type { BackupService } from "../backup/service.js";
import type { ErasureService } from "../erasure/service.js";
import { scopeMapKey } from "../model/namespace.js";
import { allSlots } from "../model/slot-range.js";
import type { Call } from "../ports/call.js";
import type { PruneOutcome, Pruner } from "../pruning/pruner.js";
import { serverStopping } from "../reindex/create-reindexer.js";
import type { Reindexer } from "../reindex/reindex.js";
import { DetachedWork } from "./detached-work.js";
import { type Jobs, withCancel } from "./jobs.js";
import { untilEnded } from "./until-ended.js";

/** A reindexer whose calls may go on without their callers. */
export interface TrackedReindexer extends Reindexer {
  /**
   * Does the same as `reindex`, but goes on when the caller leaves. A caller that reads slowly gets
   * only the newest progress.
   *
   * @throws RESOURCE_EXHAUSTED (TOO_MANY_JOBS) when eight such calls are at work
   */
  reindexDetached: Reindexer["reindex"];
  /** Resolves when no detached call is at work. Requires: `stop` was called. */
  close(): Promise<void>;
}

/** Returns a reindexer whose calls are jobs of a tenant. */
export function trackReindexer(reindexer: Reindexer, jobs: Jobs, tenant: string): TrackedReindexer {
  const detached = new DetachedWork();
  const reindex: Reindexer["reindex"] = (target, call) => {
    const what = { kind: "REINDEX", tenant, ...(target !== "all" && { namespace: target }) };
    return jobs.stream({ ...what, kind: "REINDEX" }, call, async function* (job, own) {
      for await (const event of reindexer.reindex(target, own)) {
        if (event.kind === "progress") {
          const { namespace, phase, memoriesDone: done, memoriesTotal: total } = event;
          job.report({ namespace, phase, done, total });
        }
        yield event;
      }
    });
  };
  return {
    reindex,
    reindexDetached: (target, call) => detached.stream(call, (own) => reindex(target, own)),
    stop() {
      reindexer.stop();
      detached.stop(serverStopping());
    },
    close: () => detached.close(),
  };
}

/**
 * Returns an erasure service whose erasures are jobs of a tenant. They name nobody, because jobs
 * are listed after they have ended.
 */
export function trackErasures(
  erasures: ErasureService,
  jobs: Jobs,
  tenant: string,
): ErasureService {
  return {
    ...erasures,
    forget: (input, call) =>
      jobs.run({ kind: "FORGET_USER", tenant }, () => erasures.forget(input, call)),
  };
}

/** Returns a pruner whose calls, but for dry runs, are jobs of a tenant. */
export function trackPruner(pruner: Pruner, jobs: Jobs, tenant: string): Pruner {
  const track = (call: Call, prune: (call: Call) => Promise<readonly PruneOutcome[]>) => {
    const { cancellable, cancel } = withCancel(call);
    const job = jobs.begin({ kind: "PRUNE", tenant }, cancel);
    return prune(cancellable).then(
      (outcomes) => {
        const failed = outcomes.find((outcome) => "error" in outcome);
        job.end(failed?.error);
        return outcomes;
      },
      (error: unknown) => {
        job.end(error);
        throw error;
      },
    );
  };
  return {
    prune: (call, dryRun) =>
      dryRun ? pruner.prune(call, dryRun) : track(call, (own) => pruner.prune(own, dryRun)),
    pruneAndCompact: (call, acceptClock) =>
      track(call, (own) => pruner.pruneAndCompact(own, acceptClock)),
  };
}

/** The scopes of the last list of all scopes that no backup has copied since. */
class ListedScopes {
  /** Absent: no list was read, or all of its scopes were copied. */
  #left: Set<string> | undefined;

  /** Passes on a backup without records, and takes its scopes when it is whole. */
  async *readFrom(chunks: AsyncIterable<BackupChunk>): AsyncGenerator<BackupChunk> {
    const scopes = new Set<string>();
    for await (const chunk of chunks) {
      if (chunk.kind === "scope") scopes.add(scopeMapKey(chunk.state.scope));
      if (chunk.kind === "trailer") this.#left = scopes;
      yield chunk;
    }
  }

  /** Passes on a backup with records, and leaves out the scopes that it has copied. */
  async *copiedBy(chunks: AsyncIterable<BackupChunk>): AsyncGenerator<BackupChunk> {
    let key = "";
    for await (const chunk of chunks) {
      if (chunk.kind === "scope") key = scopeMapKey(chunk.state.scope);
      if (chunk.kind === "scopeEnd") this.#left?.delete(key);
      yield chunk;
    }
  }

  /** Returns whether all scopes of the list were copied, and forgets the list if so. */
  takeAllCopied(): boolean {
    const isAll = this.#left?.size === 0;
    if (isAll) this.#left = undefined;
    return isAll;
  }
}

/**
 * Returns a backup service whose backups and restores are jobs of a tenant. Only a backup of all
 * records counts as the last backup: one call for all scopes, or calls that have together copied
 * each scope of the last list of all scopes, as `vademecum backup` makes them.
 */
export function trackBackups(backups: BackupService, jobs: Jobs, tenant: string): BackupService {
  const listed = new ListedScopes();
  return {
    ...backups,
    backup(query, call) {
      const { content, range = allSlots, scopes } = query;
      const isPart =
        range.first !== allSlots.first || range.last !== allSlots.last || scopes !== undefined;
      if (content === "heads" && !isPart) return listed.readFrom(backups.backup(query, call));
      if (content !== "records") return backups.backup(query, call);
      return jobs.stream({ kind: "BACKUP", tenant, isPart }, call, async function* (job, own) {
        let done = 0;
        for await (const chunk of listed.copiedBy(backups.backup(query, own))) {
          if (chunk.kind === "header") job.report({ total: chunk.header.scopes });
          if (chunk.kind === "scopeEnd") job.report({ done: ++done });
          yield chunk;
        }
        if (listed.takeAllCopied()) job.report({ isPart: false });
      });
    },
    restore: (chunks, call) =>
      jobs.stream({ kind: "RESTORE", tenant }, call, async function* (job, own) {
        for await (const progress of backups.restore(untilEnded(chunks, own), own)) {
          job.report({ done: progress.scopes });
          yield progress;
        }
      }),
  };
}

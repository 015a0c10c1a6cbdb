import type { BackupService } from "../backup/service.js";
import { allSlots } from "../model/slot-range.js";
import type { PruneOutcome, Pruner } from "../pruning/pruner.js";
import type { Reindexer } from "../reindex/reindex.js";
import type { Jobs } from "./jobs.js";

/** Returns a reindexer whose calls are jobs of a tenant. */
export function trackReindexer(reindexer: Reindexer, jobs: Jobs, tenant: string): Reindexer {
  return {
    reindex(target, call) {
      const what = { kind: "REINDEX", tenant, ...(target !== "all" && { namespace: target }) };
      return jobs.stream({ ...what, kind: "REINDEX" }, async function* (job) {
        for await (const event of reindexer.reindex(target, call)) {
          if (event.kind === "progress") {
            const { namespace, phase, memoriesDone: done, memoriesTotal: total } = event;
            job.report({ namespace, phase, done, total });
          }
          yield event;
        }
      });
    },
    stop: () => reindexer.stop(),
  };
}

/** Returns a pruner whose calls, but for dry runs, are jobs of a tenant. */
export function trackPruner(pruner: Pruner, jobs: Jobs, tenant: string): Pruner {
  const track = (prune: () => Promise<readonly PruneOutcome[]>) => {
    const job = jobs.begin({ kind: "PRUNE", tenant });
    return prune().then(
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
      dryRun ? pruner.prune(call, dryRun) : track(() => pruner.prune(call, dryRun)),
    pruneAndCompact: (call, acceptClock) => track(() => pruner.pruneAndCompact(call, acceptClock)),
  };
}

/**
 * Returns a backup service whose backups and restores are jobs of a tenant. Only a backup of all
 * records counts as the last backup.
 */
export function trackBackups(backups: BackupService, jobs: Jobs, tenant: string): BackupService {
  return {
    ...backups,
    backup(query, call) {
      const { content, range = allSlots, scopes } = query;
      if (content !== "records") return backups.backup(query, call);
      const isPart =
        range.first !== allSlots.first || range.last !== allSlots.last || scopes !== undefined;
      return jobs.stream({ kind: "BACKUP", tenant, isPart }, async function* (job) {
        let done = 0;
        for await (const chunk of backups.backup(query, call)) {
          if (chunk.kind === "header") job.report({ total: chunk.header.scopes });
          if (chunk.kind === "scopeEnd") job.report({ done: ++done });
          yield chunk;
        }
      });
    },
    restore: (chunks, call) =>
      jobs.stream({ kind: "RESTORE", tenant }, async function* (job) {
        for await (const progress of backups.restore(chunks, call)) {
          job.report({ done: progress.scopes });
          yield progress;
        }
      }),
  };
}

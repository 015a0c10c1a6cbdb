import { describe, expect, it } from "vitest";
import type { BackupChunk } from "../../../src/core/backup/backup-chunk.js";
import type { BackupService } from "../../../src/core/backup/service.js";
import type { BackupQuery } from "../../../src/core/backup/write-backup.js";
import type { ErasureService } from "../../../src/core/erasure/service.js";
import { Jobs } from "../../../src/core/jobs/jobs.js";
import { trackBackups, trackErasures, trackPruner } from "../../../src/core/jobs/track-jobs.js";
import { userScope } from "../../../src/core/model/namespace.js";
import { type Call, endlessCall } from "../../../src/core/ports/call.js";
import type { PruneOutcome } from "../../../src/core/pruning/pruner.js";
import type { ExportRecord } from "../../../src/core/transfer/export-record.js";
import type { ExportQuery, ImportProgress } from "../../../src/core/transfer/service.js";
import { trackTransfers } from "../../../src/core/transfer/track-transfers.js";

function createJobs() {
  const clock = { ms: 1000, nowMs: () => clock.ms };
  return { clock, jobs: new Jobs(clock) };
}

async function drain(stream: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of stream);
}

describe("jobs", () => {
  it("a tenant sees its own running jobs, the newest first", () => {
    const { jobs } = createJobs();
    const first = jobs.begin({ kind: "PRUNE", tenant: "" });
    jobs.begin({ kind: "BACKUP", tenant: "" });
    jobs.begin({ kind: "PRUNE", tenant: "acme" });
    first.report({ phase: "skills", done: 3 });
    expect(jobs.running("")).toMatchObject([
      { kind: "BACKUP", phase: "" },
      { kind: "PRUNE", phase: "skills", done: 3, startMs: 1000 },
    ]);
    first.end();
    expect(jobs.running("").map(({ kind }) => kind)).toEqual(["BACKUP"]);
    expect(jobs.running("acme")).toHaveLength(1);
  });

  it("a cancelled job ends its work at the next step, and only its own tenant can cancel it", async () => {
    const { jobs } = createJobs();
    const steps: number[] = [];
    const what = { kind: "REINDEX", tenant: "acme" } as const;
    const work = jobs.stream(what, endlessCall, async function* (_, call) {
      for (let step = 1; ; step++) {
        call.throwIfEnded();
        steps.push(step);
        yield step;
      }
    });
    await work.next();
    const [running] = jobs.running("acme");
    expect(running?.canCancel).toBe(true);
    expect(jobs.cancel("", running?.id ?? "")).toBe(false);
    expect(jobs.cancel("acme", running?.id ?? "")).toBe(true);
    await expect(work.next()).rejects.toMatchObject({ code: "CANCELLED", reason: "JOB_CANCELLED" });
    expect(steps).toEqual([1]);
    expect(jobs.cancel("acme", running?.id ?? "")).toBe(false);
    expect(jobs.list("acme")).toMatchObject([
      { kind: "REINDEX", error: { reason: "JOB_CANCELLED" }, canCancel: false },
    ]);
  });

  it("only a whole backup that has ended well is the last one", async () => {
    const { jobs, clock } = createJobs();
    async function* chunks(fault?: Error): AsyncGenerator<BackupChunk> {
      yield { kind: "scopeEnd", records: 0, digest: "" } as unknown as BackupChunk;
      if (fault !== undefined) throw fault;
    }
    let fault: Error | undefined;
    const service = { backup: () => chunks(fault) } as unknown as BackupService;
    const backups = trackBackups(service, jobs, "");
    const part = { content: "records", range: { first: 0, last: 9 } } as const;
    await drain(backups.backup(part, endlessCall));
    await drain(backups.backup({ content: "heads" }, endlessCall));
    fault = new Error("disk");
    await expect(drain(backups.backup({ content: "records" }, endlessCall))).rejects.toBe(fault);
    fault = undefined;
    for await (const _ of backups.backup({ content: "records" }, endlessCall)) break;
    expect(jobs.lastDoneMs("", "BACKUP")).toBeUndefined();
    clock.ms = 5000;
    await drain(backups.backup({ content: "records" }, endlessCall));
    expect(jobs.lastDoneMs("", "BACKUP")).toBe(5000);
    expect(jobs.lastDoneMs("acme", "BACKUP")).toBeUndefined();
    expect(jobs.running("")).toEqual([]);
  });

  it("a backup of scope after scope is the last one when all listed scopes are copied", async () => {
    const { jobs, clock } = createJobs();
    const users = ["ann", "bob"];
    async function* chunks({ scopes }: BackupQuery): AsyncGenerator<BackupChunk> {
      for (const scope of scopes ?? users.map((user) => userScope(user)))
        yield* [{ kind: "scope", state: { scope } }, { kind: "scopeEnd" }] as BackupChunk[];
      yield { kind: "trailer" } as BackupChunk;
    }
    const service = { backup: chunks } as unknown as BackupService;
    const backups = trackBackups(service, jobs, "");
    const copy = async (...userIds: string[]) => {
      const scopes = userIds.map((user) => userScope(user));
      await drain(backups.backup({ content: "records", scopes }, endlessCall));
    };
    await copy("ann", "bob");
    await drain(backups.backup({ content: "heads" }, endlessCall));
    await copy("ann");
    await copy("ann");
    expect(jobs.lastDoneMs("", "BACKUP")).toBeUndefined();
    clock.ms = 5000;
    await copy("bob");
    expect(jobs.lastDoneMs("", "BACKUP")).toBe(5000);
    clock.ms = 6000;
    await copy("bob");
    expect(jobs.lastDoneMs("", "BACKUP")).toBe(5000);
  });

  it("pruning of which one kind has failed is not the last one, nor is a dry run", async () => {
    const { jobs } = createJobs();
    let outcomes: readonly PruneOutcome[] = [{ name: "skills", error: new Error("x") }];
    const prune = async () => outcomes;
    const pruner = trackPruner({ prune, pruneAndCompact: prune }, jobs, "");
    await pruner.pruneAndCompact(endlessCall, false);
    outcomes = [{ name: "skills", removed: 1 }];
    await pruner.prune(endlessCall, true);
    expect(jobs.lastDoneMs("", "PRUNE")).toBeUndefined();
    await pruner.prune(endlessCall, false);
    expect(jobs.lastDoneMs("", "PRUNE")).toBe(1000);
  });

  it("exports, imports and erasures are jobs; dry runs are none, and an erasure names nobody", async () => {
    const { jobs } = createJobs();
    const cancellable: boolean[] = [];
    const noteRunning = (): void => {
      cancellable.push(...jobs.running("acme").map(({ canCancel }) => canCancel));
    };
    const transfers = trackTransfers(
      {
        async *exportData() {
          noteRunning();
          yield { kind: "header" } as unknown as ExportRecord;
          yield { kind: "key" } as unknown as ExportRecord;
          yield { kind: "trailer" } as unknown as ExportRecord;
        },
        async *importData() {
          noteRunning();
          yield { records: 7 } as unknown as ImportProgress;
        },
      },
      jobs,
      "acme",
    );
    const query = {} as unknown as ExportQuery;
    await drain(transfers.exportData(query, endlessCall));
    const batches = (async function* () {})();
    await drain(transfers.importData({ mode: "SKIP", dryRun: true }, batches, endlessCall));
    await drain(transfers.importData({ mode: "SKIP", dryRun: false }, batches, endlessCall));
    const erasures = trackErasures(
      {
        forget: () => {
          noteRunning();
          return Promise.reject(new Error("disk"));
        },
      } as unknown as ErasureService,
      jobs,
      "acme",
    );
    await expect(erasures.forget({ userId: "kim", runIds: [] }, endlessCall)).rejects.toThrow();
    expect(jobs.list("acme")).toMatchObject([
      { kind: "EXPORT", done: 1, endMs: 1000 },
      { kind: "IMPORT", done: 7, endMs: 1000 },
      { kind: "FORGET_USER", error: { message: "disk" } },
    ]);
    expect(cancellable).toEqual([true, true, false]);
    expect(JSON.stringify(jobs.list("acme"))).not.toContain("kim");
  });

  it("a job has the rights of its caller, whatever its call is made of", async () => {
    class PrivateCall implements Call {
      readonly #principal = { ...endlessCall.principal, name: "kim" };
      readonly signal = endlessCall.signal;
      throwIfEnded(): void {}
      get principal() {
        return this.#principal;
      }
      get allowance() {
        return { ...endlessCall.allowance, maker: this.#principal.name };
      }
    }
    const { jobs } = createJobs();
    const what = { kind: "IMPORT", tenant: "" } as const;
    const names = jobs.stream(what, new PrivateCall(), async function* (_, own) {
      yield [own.principal.name, JSON.stringify(own.allowance)];
    });
    const next = await names.next();
    expect(next.value).toEqual(["kim", expect.stringContaining("kim")]);
  });
});

import type { Logger } from "pino";
import type { Config } from "../config/server-settings.js";
import { createBackupService } from "../core/backup/create-service.js";
import type { BackupService } from "../core/backup/service.js";
import { createBlockService } from "../core/blocks/create-service.js";
import { oldBlockVersions } from "../core/blocks/prune-versions.js";
import { createContextService } from "../core/context/create-service.js";
import { createErasureService } from "../core/erasure/create-service.js";
import {
  trackBackups,
  trackErasures,
  trackPruner,
  trackReindexer,
} from "../core/jobs/track-jobs.js";
import { createKeyValueService } from "../core/key-values/create-service.js";
import { createMemoryService } from "../core/memories/create-service.js";
import { createMemoryUses } from "../core/memories/memory-uses.js";
import { expiredMemories } from "../core/memories/prune-expired.js";
import { createMemoryEventService } from "../core/memory-events/create-service.js";
import { type Scope, userScope } from "../core/model/namespace.js";
import type { LargeNamespaceWarning, NamespaceSizes } from "../core/model/namespace-size.js";
import type { TimeZone } from "../core/model/time-zone.js";
import { turnEntryLifetimeMs } from "../core/model/turn-entry.js";
import { createServerService } from "../core/monitor/create-service.js";
import type { MonitoredServer } from "../core/monitor/server-monitor.js";
import { createOverviewService } from "../core/overview/create-service.js";
import type { ListAuditLines } from "../core/ports/audit.js";
import type { RawRecords } from "../core/ports/backup.js";
import type { Clock } from "../core/ports/clock.js";
import type { Embedders } from "../core/ports/embedder.js";
import type { WriteHolds } from "../core/ports/holds.js";
import type { Meter } from "../core/ports/meter.js";
import type { SearchIndex } from "../core/ports/search-index.js";
import type { Store } from "../core/ports/store.js";
import type { Timer } from "../core/ports/timer.js";
import type { TokenCounter } from "../core/ports/token-counter.js";
import { createProposalService } from "../core/proposals/create-service.js";
import { decidedProposals } from "../core/proposals/prune-decided.js";
import { dueStore, settleDueScopes } from "../core/pruning/due-scopes.js";
import type { Prunable } from "../core/pruning/prunable.js";
import { createPruner, type Pruner } from "../core/pruning/pruner.js";
import type { PruningGate } from "../core/pruning/pruning-gate.js";
import { createReindexer } from "../core/reindex/create-reindexer.js";
import type { UseTimes } from "../core/requests/use-times.js";
import { createWakeUps, type WakeUps } from "../core/requests/wake-ups.js";
import { createThreadService } from "../core/threads/create-service.js";
import { createToolService } from "../core/tools/create-service.js";
import { createTurnPruning } from "../core/tools/prune-turns.js";
import type { ToolLog } from "../core/tools/service.js";
import { createToolsetService } from "../core/toolsets/create-service.js";
import { createTransferService } from "../core/transfer/create-service.js";
import type { TransferParts, TransferService } from "../core/transfer/service.js";
import { trackTransfers } from "../core/transfer/track-transfers.js";
import { createWriteGate } from "../core/vectors/write-gate.js";
import { productVersion } from "../edge/version.js";
import type { Domain } from "../rpc/services/services.js";
import { PageCheck } from "../store/codec/owned-tables.js";
import { createIdSource } from "../system/ids.js";
import { notedPrunable } from "./noted-prunable.js";
import { openSkills } from "./open-skills.js";
import { partLog } from "./part-log.js";

/** The adapters below the use cases of one tenant. The caller closes them, after the domain. */
export interface DomainParts {
  readonly config: Config;
  readonly store: Store;
  /** The name of the tenant. `undefined` stands for the data without a tenant. */
  readonly tenant: string | undefined;
  /** The records of the tenant, for backups and restores, which bypass transactions. */
  readonly records: RawRecords;
  readonly holds: WriteHolds;
  /** Wakes after each commit through `store`. */
  readonly commits: WakeUps;
  /** Called after a restore of any data of the tenant. */
  readonly onReplaced: () => void;
  /** The index of memories. */
  readonly index: SearchIndex;
  /** The index of skills. */
  readonly skillIndex: SearchIndex;
  readonly embedders: Embedders;
  readonly tokens: TokenCounter;
  readonly clock: Clock;
  /** The time zone of queries that name none. */
  readonly timeZone: TimeZone;
  readonly pruningGate: PruningGate;
  readonly timer: Timer;
  readonly server: MonitoredServer;
  readonly sizes: NamespaceSizes;
  readonly onLargeNamespace: LargeNamespaceWarning;
  readonly log: Logger;
  readonly meter: Meter;
  /** Removes the files of the audit trail that are too old. Absent: there is no trail. */
  readonly auditFiles?: Prunable | undefined;
  /** Lists lines of the audit trail. Absent: there is no trail. */
  readonly listAuditLines?: ListAuditLines | undefined;
  /** Makes lines of the audit trail about a user or a run of a tenant untraceable. */
  readonly forgetNames?: ((tenant: string, scope: Scope) => Promise<void>) | undefined;
}

/** The use cases of all services for one tenant, and their background work. */
export interface DomainHandle {
  readonly domain: Domain;
  /** Stops background work early on shutdown, so that calls in flight get the drain time. */
  stop(): void;
  /** Closes the services. Requires: no call is running. */
  close(): Promise<void>;
}

/** Connects the use cases with their adapters. */
export function openDomain(parts: DomainParts): DomainHandle {
  const { config, store, index, skillIndex, embedders, tokens, clock, timer, timeZone } = parts;
  const { sizes, onLargeNamespace, pruningGate, log, listAuditLines } = parts;
  const gate = createWriteGate();
  const wakeUps = createWakeUps(
    (userId, onChange) =>
      store.followProposals?.(userId === undefined ? undefined : userScope(userId), onChange) ??
      (() => undefined),
  );
  const ids = createIdSource();
  const uses = openMemoryUses(parts);
  const adapters = {
    ...{ store, index, embedders, gate, tokens, clock, timer, ids, wakeUps },
    ...{ sizes, onLargeNamespace, versionsMax: config.memoryVersions, uses },
  };
  const pruned = dueStore(store, clock);
  const memories = createMemoryService({ ...adapters, allowReset: config.allowReset, timeZone });
  const memoryEvents = createMemoryEventService(parts);
  const threads = createThreadService(adapters);
  const blocks = createBlockService({ store, tokens, clock, wakeUps });
  const proposals = createProposalService(
    { ...adapters, lifetimeMs: config.proposalLifetimeMs },
    pruned,
  );
  const keyValues = createKeyValueService({ store, clock });
  const tools = createToolService({ ...adapters, timeZone, log: toolLog(log) });
  const skillParts = { ...adapters, index: skillIndex, pruningGate };
  const skillOptions = { isOn: config.skills, pruned, log: partLog(log) };
  const { skills, ...openParts } = openSkills(skillParts, skillOptions);
  const toolsets = createToolsetService({
    ...{ keyValues, blocks, proposals, memories, skills, timeZone },
  });
  const { jobs } = parts.server;
  const tenant = parts.tenant ?? "";
  const reindexer = trackReindexer(createReindexer({ store, embedders, gate }), jobs, tenant);
  const contexts = createContextService({ ...adapters, timeZone, skills });
  const erasures = createErasureService({ ...adapters, forgetNames: forgetNamesOf(parts) });
  const prunables = [
    erasures.unfinished,
    expiredMemories({ ...adapters, store: pruned }),
    proposals.overdue,
    ...retention(parts, wakeUps, pruned),
    ...openParts.prunables,
  ];
  const pruner = trackPruner(openPruner(parts, prunables), jobs, tenant);
  const backups = trackBackups(openBackups(parts, wakeUps), jobs, tenant);
  const transfers = trackTransfers(openTransfers(adapters), jobs, tenant);
  const domain: Domain = {
    ...{ memories, memoryEvents, contexts, threads, blocks, proposals, keyValues, skills },
    ...{ toolsets, tools, reindexer, pruner, backups, transfers },
    overview: createOverviewService(adapters),
    erasures: trackErasures(erasures, jobs, tenant),
    moves: parts.holds,
    server: createServerService({ ...parts.server, store, clock, timer, listAuditLines }),
  };
  return {
    domain,
    stop() {
      reindexer.stop();
      proposals.stopWatches();
      memoryEvents.stopWatches();
      domain.server.stopWatches();
    },
    async close() {
      await reindexer.close();
      await openParts.close();
      await Promise.all([tools.close(), uses.close()]);
    },
  };
}

/** The kinds of records of which the settings say how long they are kept. */
function retention(
  { config, store, clock, tenant, auditFiles }: DomainParts,
  wakeUps: WakeUps,
  pruned: Store,
): readonly Prunable[] {
  const { keepDecidedMs, blockVersions, keepTracesMs: keepMs } = config;
  // A store knows when entries of the default lifetime are due, and not when others are.
  const due = keepMs === turnEntryLifetimeMs ? pruned : store;
  return [
    createTurnPruning({ store: due, clock, keepMs }),
    ...(keepDecidedMs === undefined
      ? []
      : [decidedProposals({ store, clock, wakeUps }, keepDecidedMs)]),
    ...(blockVersions === undefined ? [] : [oldBlockVersions({ store }, blockVersions)]),
    // The trail is of the whole server, so the tenants leave it alone.
    ...(tenant === undefined && auditFiles !== undefined ? [auditFiles] : []),
  ];
}

function forgetNamesOf({ forgetNames, tenant = "" }: DomainParts) {
  return forgetNames && ((scope: Scope) => forgetNames(tenant, scope));
}

function openPruner(
  { store, clock, pruningGate, log, meter }: DomainParts,
  prunables: readonly Prunable[],
): Pruner {
  return createPruner(
    prunables.map((prunable) => notedPrunable(prunable, log, meter)),
    () => store.compact(),
    pruningGate,
    (call) => settleDueScopes(store, clock, call),
  );
}

function openBackups(
  { records, tenant, holds, clock, commits, onReplaced: noteReplaced }: DomainParts,
  wakeUps: WakeUps,
): BackupService {
  const onReplaced = (): void => {
    wakeUps.wakeAll();
    commits.wakeAll();
    noteReplaced();
  };
  const version = { productVersion: productVersion() };
  const check = (): PageCheck => new PageCheck();
  return createBackupService({ records, tenant, holds, clock, check, ...version, onReplaced });
}

function openMemoryUses({ store, timer, log }: DomainParts): UseTimes {
  const onFailure = (err: unknown): void =>
    log.error({ err }, "cannot write when tools read memories");
  return createMemoryUses({ store, timer, onFailure });
}

function openTransfers(parts: Omit<TransferParts, "productVersion">): TransferService {
  return createTransferService({ ...parts, productVersion: productVersion() });
}

/** Logs failures that callers of tools do not see in full. */
function toolLog(log: Logger): ToolLog {
  return {
    queryFailed: (error) => log.warn({ err: error }, "a tool's query failed; its result is empty"),
    traceLost: (error) =>
      log.warn({ err: error }, "cannot write trace entries of a turn; they are lost"),
  };
}

import type { BackupService } from "../../core/backup/service.js";
import type { BlockService } from "../../core/blocks/service.js";
import type { ContextService } from "../../core/context/service.js";
import type { ErasureService } from "../../core/erasure/service.js";
import type { GuardRule } from "../../core/guard/guard.js";
import type { TrackedReindexer } from "../../core/jobs/track-jobs.js";
import type { KeyValueService } from "../../core/key-values/service.js";
import type { MemoryService } from "../../core/memories/service.js";
import type { MemoryEventService } from "../../core/memory-events/service.js";
import type { ServerService } from "../../core/monitor/service.js";
import type { OverviewService } from "../../core/overview/service.js";
import type { WriteHolds } from "../../core/ports/holds.js";
import type { ProposalService } from "../../core/proposals/service.js";
import type { Pruner } from "../../core/pruning/pruner.js";
import type { SkillService } from "../../core/skills/service.js";
import type { ThreadService } from "../../core/threads/service.js";
import type { ToolService } from "../../core/tools/service.js";
import type { ToolsetService } from "../../core/toolsets/service.js";
import type { TransferService } from "../../core/transfer/service.js";
import { pathOf } from "../access/access.js";
import type { AdapterParts } from "../adapt/adapter-parts.js";
import type { Implementation } from "../adapt/handler.js";
import { forwardMoved } from "../forward/forward-moved.js";
import type { Forwarder } from "../forward/forwarder.js";
import type { GuardLines } from "../logs/guard-lines.js";
import { createAccessRpcs } from "./access-rpcs.js";
import { createAdminRpcs } from "./admin-rpcs.js";
import { createBlocksRpcs } from "./blocks-rpcs.js";
import { guardedServices } from "./guarded-services.js";
import { createKeyValuesRpcs } from "./key-values-rpcs.js";
import { createMemoriesRpcs } from "./memories-rpcs.js";
import { perTenant } from "./per-tenant.js";
import { createProposalsRpcs } from "./proposals-rpcs.js";
import { createSkillsRpcs } from "./skills-rpcs.js";
import { createThreadsRpcs } from "./threads-rpcs.js";
import { createToolsRpcs } from "./tools-rpcs.js";

/** The use cases behind the RPCs. */
export interface Domain {
  readonly memories: MemoryService;
  readonly memoryEvents: Pick<MemoryEventService, "watch">;
  readonly contexts: ContextService;
  readonly threads: ThreadService;
  readonly blocks: BlockService;
  readonly proposals: ProposalService;
  readonly keyValues: KeyValueService;
  readonly skills: SkillService;
  readonly toolsets: ToolsetService;
  readonly reindexer: Pick<TrackedReindexer, "reindex" | "reindexDetached">;
  readonly tools: ToolService;
  readonly pruner: Pruner;
  readonly backups: BackupService;
  readonly overview: OverviewService;
  readonly transfers: TransferService;
  readonly server: ServerService;
  readonly erasures: ErasureService;
  /** Says which scopes have moved to other servers. */
  readonly moves: Pick<WriteHolds, "hasEntries" | "routeOf" | "allowReads">;
}

/** The dependencies of all services. */
export interface ServicesParts extends AdapterParts {
  /** Makes the calls of moved users to the servers that have their data. */
  readonly forwarder: Forwarder;
  /** What to do with texts that look like secrets. Empty: nothing. */
  readonly guardRules: readonly GuardRule[];
  /** Notes texts that look like secrets. */
  readonly guardLines: Pick<GuardLines, "note">;
}

/**
 * Creates all services of Vademecum. Each call runs on the use cases of its caller's tenant.
 *
 * @param domainOf returns the use cases of a tenant; an empty name stands for data without a tenant
 */
export function createServices(
  domainOf: (tenant: string) => Domain,
  parts: ServicesParts,
): readonly Implementation[] {
  return perTenant(domainOf, (domain) => servicesOf(domain, parts));
}

function servicesOf(domain: Domain, parts: ServicesParts): readonly Implementation[] {
  const { memories, memoryEvents, contexts, threads, blocks, proposals } = domain;
  const { keyValues, skills, toolsets, tools } = domain;
  const { reindexer, pruner, backups, moves, overview, transfers, server, erasures } = domain;
  const services = [
    createMemoriesRpcs({ ...parts, memories, memoryEvents, contexts, proposals, backups }),
    createThreadsRpcs(threads),
    createBlocksRpcs(blocks),
    createProposalsRpcs({ proposals, backups }),
    createKeyValuesRpcs(keyValues, overview),
    createSkillsRpcs(skills),
    createToolsRpcs({ ...parts, tools, toolsets }),
    createAdminRpcs({
      ...parts,
      reindexer,
      pruner,
      backups,
      overview,
      transfers,
      server,
      erasures,
    }),
    createAccessRpcs(),
  ];
  const guarded = guardedServices(services, {
    rules: parts.guardRules,
    validator: parts.validator,
    onFound: (method, action, kinds) => parts.guardLines.note(pathOf(method), action, kinds),
  });
  return forwardMoved(guarded, { ...parts, moves, storeId: () => backups.storeId() });
}

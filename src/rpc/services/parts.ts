import type { BackupService } from "../../core/backup/service.js";
import type { ContextService } from "../../core/context/service.js";
import type { ErasureService } from "../../core/erasure/service.js";
import type { TrackedReindexer } from "../../core/jobs/track-jobs.js";
import type { MemoryService } from "../../core/memories/service.js";
import type { MemoryEventService } from "../../core/memory-events/service.js";
import type { ServerService } from "../../core/monitor/service.js";
import type { OverviewService } from "../../core/overview/service.js";
import type { ProposalService } from "../../core/proposals/service.js";
import type { Pruner } from "../../core/pruning/pruner.js";
import type { ToolService } from "../../core/tools/service.js";
import type { ToolsetService } from "../../core/toolsets/service.js";
import type { TransferService } from "../../core/transfer/service.js";
import type { AdapterParts } from "../adapt/adapter-parts.js";
import type { Forwarder } from "../forward/forwarder.js";

/** The dependencies of the RPCs of `MemoryProvider`. */
export interface MemoriesRpcsParts extends AdapterParts {
  readonly memories: MemoryService;
  readonly memoryEvents: Pick<MemoryEventService, "watch">;
  readonly contexts: ContextService;
  readonly proposals: ProposalService;
  readonly backups: Pick<BackupService, "movedUsers">;
}

/** The dependencies of the RPCs of `ProposalService`. */
export type ProposalsRpcsParts = Pick<MemoriesRpcsParts, "proposals" | "backups">;

/** The dependencies of the RPCs of `ToolService`. */
export interface ToolsRpcsParts extends Pick<AdapterParts, "validator"> {
  readonly tools: ToolService;
  readonly toolsets: ToolsetService;
}

/** The dependencies of the RPCs that back up and restore data, and hold writes. */
export interface BackupRpcsParts extends Pick<AdapterParts, "validator"> {
  readonly backups: BackupService;
  readonly forwarder: Pick<Forwarder, "calls" | "require">;
}

/** The dependencies of the RPCs that export and import data. */
export interface TransferRpcsParts extends Pick<AdapterParts, "validator"> {
  readonly transfers: TransferService;
  readonly backups: Pick<BackupService, "movedUsers">;
}

/** The dependencies of the RPCs of `AdminService`. */
export interface AdminRpcsParts
  extends BackupRpcsParts,
    Omit<TransferRpcsParts, "backups">,
    Pick<AdapterParts, "report"> {
  readonly reindexer: Pick<TrackedReindexer, "reindex" | "reindexDetached">;
  readonly pruner: Pruner;
  readonly overview: OverviewService;
  readonly server: ServerService;
  readonly erasures: Pick<ErasureService, "forget" | "preview">;
}

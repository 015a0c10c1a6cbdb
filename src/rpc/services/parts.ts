import type { MemoryService } from "../../core/memories/memory-service.js";
import type { ProposalService } from "../../core/proposals/proposal-service.js";
import type { Pruner } from "../../core/pruning/pruner.js";
import type { Reindexer } from "../../core/reindex/reindex.js";
import type { ToolService } from "../../core/tools/tool-service.js";
import type { ToolsetService } from "../../core/toolsets/toolset-service.js";
import type { AdapterParts } from "../adapt/adapter-parts.js";

/** What the RPCs of `MemoryProvider` depend on. */
export interface MemoriesRpcsParts extends AdapterParts {
  readonly memories: MemoryService;
  readonly proposals: ProposalService;
}

/** What the RPCs of `ToolService` depend on. */
export interface ToolsRpcsParts extends Pick<AdapterParts, "validator"> {
  readonly tools: ToolService;
  readonly toolsets: ToolsetService;
}

/** What the RPCs of `AdminService` depend on. */
export interface AdminRpcsParts extends Pick<AdapterParts, "report"> {
  readonly reindexer: Reindexer;
  readonly pruner: Pruner;
}

import type { DescMessage } from "@bufbuild/protobuf";
import { AdminService } from "#gen/vademecum/v1/admin_pb.js";
import { BlockService } from "#gen/vademecum/v1/block_service_pb.js";
import { MemoryProvider } from "#gen/vademecum/v1/memory_provider_pb.js";
import { ProposalService } from "#gen/vademecum/v1/proposal_service_pb.js";
import { ToolService } from "#gen/vademecum/v1/tool_service_pb.js";
import type { BlockService as DomainBlockService } from "../core/blocks/block-service.js";
import type { MemoryService } from "../core/memories/memory-service.js";
import type { ProposalService as DomainProposalService } from "../core/proposals/proposal-service.js";
import type { Pruner } from "../core/pruning/pruner.js";
import type { Reindexer } from "../core/reindex/reindex.js";
import type { AdapterParts } from "./adapter-parts.js";
import { createAdminService } from "./admin-service.js";
import { createBlockService } from "./block-service.js";
import type { Implementation } from "./handler.js";
import { createMemoryProvider } from "./memory-provider.js";
import { createProposalService } from "./proposal-service.js";
import { createToolService } from "./tool-service.js";

/** The use cases behind the RPCs. */
export interface Domain {
  readonly memories: MemoryService;
  readonly blocks: DomainBlockService;
  readonly proposals: DomainProposalService;
  readonly reindexer: Reindexer;
  readonly pruner: Pruner;
}

const services = [MemoryProvider, BlockService, ProposalService, AdminService, ToolService];

/** What clients send to the product's services: all of it is validated. */
export const requestTypes: readonly DescMessage[] = services.flatMap(({ methods }) => methods.map(({ input }) => input));

/** The product's services over the domain. */
export function createServices(domain: Domain, parts: AdapterParts): readonly Implementation[] {
  const { memories, blocks, proposals, reindexer, pruner } = domain;
  return [
    createMemoryProvider({ ...parts, memories, proposals }),
    createBlockService(blocks),
    createProposalService(proposals),
    createAdminService({ ...parts, reindexer, pruner }),
    createToolService(),
  ];
}

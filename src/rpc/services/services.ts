import type { DescMessage } from "@bufbuild/protobuf";
import { AdminService } from "#gen/vademecum/v1/admin_pb.js";
import { BlockService as BlockServiceDescriptor } from "#gen/vademecum/v1/block_service_pb.js";
import { KeyValueService as KeyValueServiceDescriptor } from "#gen/vademecum/v1/key_value_service_pb.js";
import { MemoryProvider } from "#gen/vademecum/v1/memory_provider_pb.js";
import { ProposalService as ProposalServiceDescriptor } from "#gen/vademecum/v1/proposal_service_pb.js";
import { SkillService as SkillServiceDescriptor } from "#gen/vademecum/v1/skill_service_pb.js";
import { ToolService } from "#gen/vademecum/v1/tool_service_pb.js";
import type { BlockService } from "../../core/blocks/block-service.js";
import type { KeyValueService } from "../../core/key-values/key-value-service.js";
import type { MemoryService } from "../../core/memories/memory-service.js";
import type { ProposalService } from "../../core/proposals/proposal-service.js";
import type { Pruner } from "../../core/pruning/pruner.js";
import type { Reindexer } from "../../core/reindex/reindex.js";
import type { SkillService } from "../../core/skills/skill-service.js";
import type { ToolService as ToolUseCases } from "../../core/tools/tool-service.js";
import type { ToolsetService } from "../../core/toolsets/toolset-service.js";
import type { AdapterParts } from "../adapt/adapter-parts.js";
import type { Implementation } from "../adapt/handler.js";
import { createAdminService } from "./admin-service.js";
import { createBlockRpcs } from "./block-service.js";
import { createKeyValueRpcs } from "./key-value-service.js";
import { createMemoryProvider } from "./memory-provider.js";
import { createProposalRpcs } from "./proposal-service.js";
import { createSkillRpcs } from "./skill-service.js";
import { createToolRpcs } from "./tool-service.js";

/** The use cases behind the RPCs. */
export interface Domain {
  readonly memories: MemoryService;
  readonly blocks: BlockService;
  readonly proposals: ProposalService;
  readonly keyValues: KeyValueService;
  readonly skills: SkillService;
  readonly toolsets: ToolsetService;
  readonly reindexer: Reindexer;
  readonly tools: ToolUseCases;
  readonly pruner: Pruner;
}

const services = [
  MemoryProvider,
  BlockServiceDescriptor,
  ProposalServiceDescriptor,
  KeyValueServiceDescriptor,
  SkillServiceDescriptor,
  ToolService,
  AdminService,
];

/** What clients send to the product's services: all of it is validated. */
export const requestTypes: readonly DescMessage[] = services.flatMap(({ methods }) =>
  methods.map(({ input }) => input),
);

/** The product's services over the domain. */
export function createServices(domain: Domain, parts: AdapterParts): readonly Implementation[] {
  const { memories, blocks, proposals, keyValues, skills, toolsets, tools, reindexer, pruner } =
    domain;
  return [
    createMemoryProvider({ ...parts, memories, proposals }),
    createBlockRpcs(blocks),
    createProposalRpcs(proposals),
    createKeyValueRpcs(keyValues),
    createSkillRpcs(skills),
    createToolRpcs({ ...parts, tools, toolsets }),
    createAdminService({ ...parts, reindexer, pruner }),
  ];
}

import type { DescMessage, DescService } from "@bufbuild/protobuf";
import { AccessService } from "#gen/vademecum/v1/access_service_pb.js";
import { AdminService } from "#gen/vademecum/v1/admin_pb.js";
import { BlockService } from "#gen/vademecum/v1/block_service_pb.js";
import { KeyValueService } from "#gen/vademecum/v1/key_value_service_pb.js";
import { MemoryProvider } from "#gen/vademecum/v1/memory_provider_pb.js";
import { ProposalService } from "#gen/vademecum/v1/proposal_service_pb.js";
import { SkillService } from "#gen/vademecum/v1/skill_service_pb.js";
import { ThreadService } from "#gen/vademecum/v1/thread_service_pb.js";
import { ToolService } from "#gen/vademecum/v1/tool_service_pb.js";

/** The descriptors of all services of Vademecum. */
export const descriptors: readonly DescService[] = [
  MemoryProvider,
  ThreadService,
  BlockService,
  ProposalService,
  KeyValueService,
  SkillService,
  ToolService,
  AdminService,
  AccessService,
];

/** The request messages of all RPCs. */
export const requestTypes: readonly DescMessage[] = descriptors.flatMap(({ methods }) =>
  methods.map(({ input }) => input),
);

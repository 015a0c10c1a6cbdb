import type { DescService } from "@bufbuild/protobuf";
import { Health } from "#gen/grpc/health/v1/health_pb.js";
import { ServerReflection } from "#gen/grpc/reflection/v1/reflection_pb.js";
import { ServerReflection as ServerReflectionAlpha } from "#gen/grpc/reflection/v1alpha/reflection_pb.js";
import { AdminService } from "#gen/vademecum/v1/admin_pb.js";
import { BlockService } from "#gen/vademecum/v1/block_service_pb.js";
import { KeyValueService } from "#gen/vademecum/v1/key_value_service_pb.js";
import { MemoryProvider } from "#gen/vademecum/v1/memory_provider_pb.js";
import { ProposalService } from "#gen/vademecum/v1/proposal_service_pb.js";
import { SkillService } from "#gen/vademecum/v1/skill_service_pb.js";
import { ToolService } from "#gen/vademecum/v1/tool_service_pb.js";
import type { Role } from "../../core/model/principal.js";

/**
 * Who may call an RPC:
 *
 * - a role: principals with this role
 * - several roles: principals with one of them; the request decides which
 * - `any credentials`: callers with valid credentials, whatever their roles
 * - `everybody`: callers without credentials too
 */
export type RpcRule = Role | readonly Role[] | "any credentials" | "everybody";

/** A rule for each method of a service. A method without a rule does not compile. */
type RulesOf<S extends DescService> = Readonly<Record<keyof S["method"] & string, RpcRule>>;

const memoryProvider: RulesOf<typeof MemoryProvider> = {
  add: "writer",
  addTrace: "writer",
  addBatch: "writer",
  search: "reader",
  recall: "reader",
  explain: "reader",
  getAll: "reader",
  get: "reader",
  update: "writer",
  delete: "writer",
  deleteWhere: "writer",
  // A reset of one namespace needs `writer`; a reset of everything needs `operator`.
  reset: ["writer", "operator"],
  proposeEdit: "proposer",
};

const blockService: RulesOf<typeof BlockService> = {
  listBlocks: "reader",
  getBlock: "reader",
  putBlock: "writer",
  deleteBlock: "writer",
  listBlockVersions: "reader",
  restoreBlock: "approver",
};

const proposalService: RulesOf<typeof ProposalService> = {
  listProposals: "reader",
  getProposal: "reader",
  approveProposal: "approver",
  rejectProposal: "approver",
  watchProposals: "reader",
};

const keyValueService: RulesOf<typeof KeyValueService> = {
  writeKey: "writer",
  readKey: "reader",
  listKeys: "reader",
  deleteKey: "writer",
  searchKeys: "reader",
};

const skillService: RulesOf<typeof SkillService> = {
  storeSkill: "writer",
  retrieveSkills: "reader",
  listSkills: "reader",
  deleteSkill: "writer",
  updateSuccessCount: "writer",
  pruneStale: "writer",
};

const toolService: RulesOf<typeof ToolService> = {
  registerTool: "operator",
  listTools: "reader",
  deleteTool: "operator",
  queryMemory: "tool",
  submitToolResponse: "tool",
  getTurnTrace: "reader",
  getToolDefinitions: "reader",
  // The tool that the request names decides which role the call needs besides this one.
  dispatch: "reader",
};

const adminService: RulesOf<typeof AdminService> = {
  reindex: "operator",
  prune: "operator",
  backup: "operator",
  restore: "operator",
  holdWrites: "operator",
};

/**
 * A check or watch of the whole server needs no credentials, so these RPCs admit everybody.
 * `needsNoCredentials` tells such a request from a request about one service, which needs
 * credentials.
 */
const health: RulesOf<typeof Health> = {
  check: "everybody",
  list: "any credentials",
  watch: "everybody",
};

const reflection: RulesOf<typeof ServerReflection> = { serverReflectionInfo: "any credentials" };

const rulesByPath: ReadonlyMap<string, RpcRule> = new Map([
  ...pathsOf(MemoryProvider, memoryProvider),
  ...pathsOf(BlockService, blockService),
  ...pathsOf(ProposalService, proposalService),
  ...pathsOf(KeyValueService, keyValueService),
  ...pathsOf(SkillService, skillService),
  ...pathsOf(ToolService, toolService),
  ...pathsOf(AdminService, adminService),
  ...pathsOf(Health, health),
  ...pathsOf(ServerReflection, reflection),
  ...pathsOf(ServerReflectionAlpha, reflection),
]);

/**
 * Returns who may call the RPC at a path such as `/vademecum.v1.MemoryProvider/Add`; `undefined`
 * if no RPC is there.
 */
export function ruleOf(path: string): RpcRule | undefined {
  return rulesByPath.get(path);
}

function pathsOf(
  service: DescService,
  rules: Readonly<Record<string, RpcRule>>,
): (readonly [string, RpcRule])[] {
  return service.methods.map(({ name, localName }) => {
    const rule = rules[localName];
    if (rule === undefined) throw new Error(`no rule for ${service.typeName}/${name}`);
    return [`/${service.typeName}/${name}`, rule] as const;
  });
}

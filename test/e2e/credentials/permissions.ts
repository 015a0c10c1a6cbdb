import type { Role } from "../../../src/core/model/principal.js";

/** The permission that a call needs: one of several roles, any valid credentials, or nothing. */
export type Permission = readonly Role[] | "any credentials" | "nothing";

const reader = ["reader", "writer", "proposer", "approver"] as const;
const writer = ["writer"] as const;
const approver = ["approver"] as const;
const operator = ["operator"] as const;
const tool = ["tool"] as const;

/** The permission of each RPC in `intrusions`, by its full name. A new RPC needs a row here. */
export const permissions: Readonly<Record<string, Permission>> = {
  "vademecum.v1.MemoryProvider/Add": writer,
  "vademecum.v1.MemoryProvider/AddTrace": writer,
  "vademecum.v1.MemoryProvider/AddBatch": writer,
  "vademecum.v1.MemoryProvider/Search": reader,
  "vademecum.v1.MemoryProvider/Recall": reader,
  "vademecum.v1.MemoryProvider/Explain": reader,
  "vademecum.v1.MemoryProvider/GetAll": reader,
  "vademecum.v1.MemoryProvider/Get": reader,
  "vademecum.v1.MemoryProvider/Update": writer,
  "vademecum.v1.MemoryProvider/Delete": writer,
  "vademecum.v1.MemoryProvider/DeleteWhere": writer,
  "vademecum.v1.MemoryProvider/Reset": writer,
  "vademecum.v1.MemoryProvider/ProposeEdit": ["proposer"],
  "vademecum.v1.BlockService/ListBlocks": reader,
  "vademecum.v1.BlockService/GetBlock": reader,
  "vademecum.v1.BlockService/PutBlock": writer,
  "vademecum.v1.BlockService/DeleteBlock": writer,
  "vademecum.v1.BlockService/ListBlockVersions": reader,
  "vademecum.v1.BlockService/RestoreBlock": approver,
  "vademecum.v1.ProposalService/ListProposals": reader,
  "vademecum.v1.ProposalService/GetProposal": reader,
  "vademecum.v1.ProposalService/ApproveProposal": approver,
  "vademecum.v1.ProposalService/RejectProposal": approver,
  "vademecum.v1.ProposalService/WatchProposals": reader,
  "vademecum.v1.KeyValueService/WriteKey": writer,
  "vademecum.v1.KeyValueService/ReadKey": reader,
  "vademecum.v1.KeyValueService/ListKeys": reader,
  "vademecum.v1.KeyValueService/DeleteKey": writer,
  "vademecum.v1.KeyValueService/SearchKeys": reader,
  "vademecum.v1.SkillService/StoreSkill": writer,
  "vademecum.v1.SkillService/RetrieveSkills": reader,
  "vademecum.v1.SkillService/ListSkills": reader,
  "vademecum.v1.SkillService/DeleteSkill": writer,
  "vademecum.v1.SkillService/UpdateSuccessCount": writer,
  "vademecum.v1.SkillService/PruneStale": writer,
  "vademecum.v1.ToolService/RegisterTool": operator,
  "vademecum.v1.ToolService/DeleteTool": operator,
  "vademecum.v1.ToolService/ListTools": reader,
  "vademecum.v1.ToolService/GetToolDefinitions": reader,
  "vademecum.v1.ToolService/QueryMemory": tool,
  "vademecum.v1.ToolService/SubmitToolResponse": tool,
  "vademecum.v1.ToolService/GetTurnTrace": reader,
  "vademecum.v1.ToolService/Dispatch": reader,
  "vademecum.v1.AdminService/Reindex": operator,
  "vademecum.v1.AdminService/Prune": operator,
  "vademecum.v1.AdminService/Backup": operator,
  "vademecum.v1.AdminService/Restore": operator,
  "vademecum.v1.AdminService/HoldWrites": operator,
};

/** The role that Dispatch needs for each tool. A tool that is not listed needs `reader`. */
export const rolesOfTools: Readonly<Record<string, Role>> = {
  write: "writer",
  delete: "writer",
  add_memory: "writer",
  propose_memory_edit: "proposer",
};

/**
 * RPCs that no pattern of a principal restricts. They name no user, agent or run, or they need the
 * role `operator`.
 */
export const withoutPatterns: ReadonlySet<string> = new Set([
  ...Object.keys(permissions).filter((name) => permissions[name] === operator),
  "vademecum.v1.ToolService/ListTools",
  "vademecum.v1.ToolService/GetToolDefinitions",
]);

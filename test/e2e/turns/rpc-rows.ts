import type { Work } from "./work-meter.js";

/** How much work an RPC may do in one turn of the event loop, or why its turns are always cheap. */
export type RpcRow =
  /** `most`: maximums of some kinds of work, in place of the maximums of `turnMax`. */
  { readonly most?: Partial<Work> } | { readonly cheap: string };

/**
 * The most work in one turn of the event loop, for most RPCs. It includes the server's own tasks,
 * which may run at the same time. Each amount takes a few milliseconds. `storedKib` is about five
 * records of 256 KiB. `convertedKib` is about five pieces of a large reply in JSON.
 */
export const turnMax: Work = {
  records: 2_100,
  storedKib: 1_400,
  convertedKib: 1_400,
  tokenizedKib: 70,
  segmentedKib: 200,
  analyzedKib: 20,
  indexedKib: 200,
};

const oneRecord: RpcRow = { cheap: "reads or writes one record of bounded size" };
const noRecord: RpcRow = { cheap: "reads no records" };

/** A row for each RPC, by service and name. */
export const rpcRows: Readonly<Record<string, RpcRow>> = {
  "AdminService/Backup": {},
  "AdminService/HoldWrites": oneRecord,
  "AdminService/Prune": {},
  "AdminService/Reindex": {},
  "AdminService/Restore": {},
  "BlockService/DeleteBlock": {},
  "BlockService/GetBlock": oneRecord,
  "BlockService/ListBlockVersions": {},
  "BlockService/ListBlocks": {},
  "BlockService/PutBlock": {},
  "BlockService/RestoreBlock": {},
  "KeyValueService/DeleteKey": oneRecord,
  "KeyValueService/ListKeys": {},
  "KeyValueService/ReadKey": oneRecord,
  "KeyValueService/SearchKeys": {},
  "KeyValueService/WriteKey": {},
  "MemoryProvider/Add": {},
  "MemoryProvider/AddBatch": {},
  "MemoryProvider/AddTrace": {},
  "MemoryProvider/Delete": {},
  "MemoryProvider/DeleteWhere": {},
  "MemoryProvider/Explain": {},
  "MemoryProvider/Get": oneRecord,
  "MemoryProvider/GetAll": {},
  "MemoryProvider/ProposeEdit": {},
  // Recall counts the tokens of a memory of 64 KiB in one step. The clock of the test advances by
  // 2 ms in each step, and Recall lets other calls run after 10 ms, which is after five steps.
  "MemoryProvider/Recall": { most: { tokenizedKib: 400 } },
  "MemoryProvider/Reset": {},
  "MemoryProvider/Search": {},
  "MemoryProvider/Update": {},
  "ProposalService/ApproveProposal": {},
  "ProposalService/GetProposal": {},
  "ProposalService/ListProposals": {},
  "ProposalService/RejectProposal": {},
  "ProposalService/WatchProposals": {},
  "SkillService/DeleteSkill": oneRecord,
  "SkillService/ListSkills": {},
  "SkillService/PruneStale": {},
  "SkillService/RetrieveSkills": {},
  "SkillService/StoreSkill": {},
  "SkillService/UpdateSuccessCount": oneRecord,
  "ToolService/DeleteTool": oneRecord,
  "ToolService/Dispatch": {},
  "ToolService/GetToolDefinitions": noRecord,
  "ToolService/GetTurnTrace": {},
  "ToolService/ListTools": {},
  "ToolService/QueryMemory": {},
  "ToolService/RegisterTool": oneRecord,
  // A message of 4 MiB is decoded in one step.
  "ToolService/SubmitToolResponse": { most: { convertedKib: 4_100 } },
  "grpc.health.v1.Health/Check": noRecord,
  "grpc.health.v1.Health/List": noRecord,
  "grpc.health.v1.Health/Watch": noRecord,
  "grpc.reflection.v1.ServerReflection/ServerReflectionInfo": noRecord,
  "grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo": noRecord,
};

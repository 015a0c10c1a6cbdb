import type { JsonObject } from "@bufbuild/protobuf";

/** The ids of one user's records, for the requests about them. */
export interface Holdings {
  readonly userId: string;
  readonly memoryId: string;
  /** A memory with an earlier version. */
  readonly changedId: string;
  readonly skillId: string;
  readonly proposalId: string;
}

/** The text of requests that add data. */
export const text = "a text that is longer than what a new time and a new version may add";

/** Returns the namespace of the records. */
export const namespaceOf = ({ userId }: Holdings) => ({ userId, agentId: "a" });

/** A request for every RPC with which a caller adds data to a user or a run. */
export const additions: Readonly<Record<string, (held: Holdings) => JsonObject>> = {
  "MemoryProvider/Add": (held) => ({ namespace: namespaceOf(held), content: text }),
  "MemoryProvider/AddTrace": (held) => ({ ...namespaceOf(held), workflowId: "wf", traceData: {} }),
  "MemoryProvider/AddMany": (held) => ({
    namespace: namespaceOf(held),
    memories: [{ content: text }],
  }),
  "MemoryProvider/AddBatch": (held) => ({ add: { namespace: namespaceOf(held), content: text } }),
  "MemoryProvider/Update": (held) => ({
    namespace: namespaceOf(held),
    id: held.memoryId,
    changes: { source: text },
  }),
  "ThreadService/AppendTurns": (held) => ({
    ...{ namespace: namespaceOf(held), threadId: "t" },
    turns: [{ content: text }],
  }),
  "ThreadService/ReplaceThread": (held) => ({
    ...{ namespace: namespaceOf(held), threadId: "t" },
    turns: [{ content: text }],
  }),
  "ThreadService/ForkThread": (held) => ({
    ...{ namespace: namespaceOf(held), threadId: "fork", newThreadId: "u" },
  }),
  "MemoryProvider/ProposeEdit": (held) => ({
    namespace: namespaceOf(held),
    blockLabel: "persona",
    oldString: "first",
    newString: "other",
    reasoning: text,
  }),
  "BlockService/PutBlock": ({ userId }) => ({ userId, label: "persona", body: "short" }),
  "BlockService/RestoreBlock": ({ userId }) => ({ userId, label: "persona", version: "1" }),
  "ProposalService/ApproveProposal": ({ userId, proposalId }) => ({ userId, id: proposalId }),
  "SkillService/StoreSkill": (held) => ({
    namespace: namespaceOf(held),
    context: text,
    lesson: text,
  }),
  "SkillService/UpdateSuccessCount": (held) => ({
    namespace: namespaceOf(held),
    id: held.skillId,
    increment: 1_000_000,
    failureIncrement: 1_000_000,
  }),
  "KeyValueService/WriteKey": () => ({ runId: "run", key: "k", value: "x".repeat(2000) }),
  "ToolService/SubmitToolResponse": ({ userId }) => ({
    requestId: "turn",
    toolId: "tool",
    toolVersion: "1",
    userId,
    agentContext: { agentId: "a", taskId: "task" },
    memoryWrites: [{ content: text }],
  }),
  "ToolService/Dispatch": (held) => ({
    runId: "run",
    namespace: namespaceOf(held),
    toolName: "add_memory",
    arguments: { content: text },
  }),
};

/** A request for every other RPC that changes something. No quota of a user refuses it. */
export const others: Readonly<Record<string, (held: Holdings) => JsonObject>> = {
  "AdminService/ForgetUser": ({ userId }) => ({ userId }),
  "MemoryProvider/RestoreMemory": (held) => ({
    ...{ namespace: namespaceOf(held), id: held.changedId, version: "1" },
  }),
  "MemoryProvider/RedactVersion": (held) => ({
    ...{ namespace: namespaceOf(held), id: held.changedId, version: "1" },
  }),
  "ThreadService/PopTurn": (held) => ({ namespace: namespaceOf(held), threadId: "t" }),
  "ThreadService/ClearThread": (held) => ({ namespace: namespaceOf(held), threadId: "t" }),
  "MemoryProvider/Delete": (held) => ({ namespace: namespaceOf(held), id: held.memoryId }),
  "MemoryProvider/DeleteMany": (held) => ({ namespace: namespaceOf(held), ids: ["absent"] }),
  "MemoryProvider/DeleteWhere": (held) => ({
    namespace: namespaceOf(held),
    filter: { expression: "true" },
  }),
  "MemoryProvider/Reset": (held) => ({ namespace: namespaceOf(held) }),
  "BlockService/DeleteBlocks": ({ userId }) => ({ userId, labelPrefix: "per" }),
  "BlockService/RenameBlock": ({ userId }) => ({ userId, label: "persona", newLabel: "style" }),
  "BlockService/DeleteBlock": ({ userId }) => ({ userId, label: "persona" }),
  "ProposalService/RejectProposal": ({ userId, proposalId }) => ({
    userId,
    id: proposalId,
    reason: text,
  }),
  "ProposalService/DeleteProposal": ({ userId }) => ({ userId, id: "absent" }),
  "SkillService/DeleteSkill": (held) => ({ namespace: namespaceOf(held), id: held.skillId }),
  "SkillService/PruneStale": (held) => ({ namespace: namespaceOf(held) }),
  "KeyValueService/DeleteKey": ({ userId }) => ({ runId: userId, key: "k" }),
  "ToolService/RegisterTool": () => ({ manifest: { toolId: "tool", version: "1" } }),
  "ToolService/DeleteTool": () => ({ toolId: "tool" }),
};

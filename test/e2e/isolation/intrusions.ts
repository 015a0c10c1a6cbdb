import type { JsonObject } from "@bufbuild/protobuf";

/** The names that an intruder knows. */
export interface Intruder {
  /** A namespace that is not the owner's. */
  readonly namespace: { readonly userId: string; readonly agentId: string };
  /** The id of a memory of the owner. */
  readonly ownersId: string;
  /** The content of that memory and the body of the block `zebra`, which no reply may contain. */
  readonly ownersContent: string;
  /** The id of a proposal about that block. */
  readonly ownersProposalId: string;
}

/** The id of a skill of the owner, chosen by the owner. */
export const ownersSkillId = "zebra skill";
/** The user whose records the intruder tries to reach. */
export const ownersUserId = "ann/x";

/** A run named after one namespace. */
export function runOf({ userId, agentId }: Intruder["namespace"]): string {
  return `${userId}\0${agentId}`;
}

/**
 * Calls that try to reach the owner's memory. Each call is a list of requests; only request streams
 * have several.
 */
export type Intrusion = (intruder: Intruder) => readonly (readonly JsonObject[])[];

/** A fixed time, so that scores do not depend on the time of the test. */
const referenceTime = "2030-01-01T00:00:00Z";

const searches = ({ namespace, ownersContent, ownersId }: Intruder): JsonObject[] => [
  { namespace, query: "", limit: 1000, includeSuperseded: true, referenceTime },
  { namespace, query: ownersContent, limit: 1000, includeSuperseded: true, referenceTime },
  { namespace, query: ownersContent, budgetTokens: 1, referenceTime },
  { namespace, query: ownersId, filter: { expression: `id == "${ownersId}"` }, referenceTime },
];

const proposals: Intrusion = ({ namespace, ownersId, ownersContent }) => [
  [{ namespace, memoryId: ownersId, oldString: "a", newString: "b", reasoning: "to see" }],
  ...ofAnotherUser(() => [
    [
      {
        namespace,
        blockLabel: "zebra",
        oldString: ownersContent,
        newString: "b",
        reasoning: "to see",
      },
    ],
  ])({
    namespace,
  }),
];

/**
 * Limits calls to intruders who are another user. These calls are about records that all agents of
 * a user share, so other agents of the owner's user may make them.
 */
function ofAnotherUser<T extends Pick<Intruder, "namespace">>(
  calls: (intruder: T) => readonly (readonly JsonObject[])[],
): (intruder: T) => readonly (readonly JsonObject[])[] {
  return (intruder) => (intruder.namespace.userId === ownersUserId ? [] : calls(intruder));
}

/** The fields that all requests of a tool in the intruder's namespace have. */
const toolRequest = ({ namespace: { userId, agentId } }: Intruder): JsonObject => ({
  requestId: "turn",
  toolId: "tool",
  userId,
  agentContext: { agentId, taskId: "task" },
});

/** Calls about the owner's block and a missing block. */
function aboutBlock(more: JsonObject): Intrusion {
  return ofAnotherUser(({ namespace: { userId } }) =>
    ["zebra", "another"].map((label) => [{ userId, label, ...more }]),
  );
}

/** Calls about the owner's proposal and a missing proposal. */
function aboutProposal(more: JsonObject): Intrusion {
  return ofAnotherUser(({ namespace: { userId }, ownersProposalId }) =>
    [ownersProposalId, "another"].map((id) => [{ userId, id, ...more }]),
  );
}

/** Calls of tools about the owner's keys and memories. */
const toolCalls = ({ ownersContent }: Intruder): JsonObject[] => [
  { toolName: "read", arguments: { key: "zebra" } },
  { toolName: "list" },
  { toolName: "pattern_search", arguments: { pattern: "" } },
  { toolName: "delete", arguments: { key: "zebra" } },
  { toolName: "write", arguments: { key: "zebra", value: ownersContent } },
  { toolName: "search_memory", arguments: { query: ownersContent, limit: 100 } },
  { toolName: "search_memory", arguments: { query: "" } },
];

/** Calls of tools about the owner's block. */
const blockToolCalls = ({ ownersContent }: Intruder): JsonObject[][] => [
  [
    { toolName: "list_memory_blocks" },
    { toolName: "read_memory_block", arguments: { block_label: "zebra" } },
    {
      toolName: "propose_memory_edit",
      arguments: {
        block_label: "zebra",
        old_string: ownersContent,
        new_string: "b",
        reasoning: "to see",
      },
    },
  ],
];

/** At least one call for every RPC, by full name. A new RPC needs a row here. */
export const intrusions: Readonly<Record<string, Intrusion>> = {
  // The target `all` is for operators only. Its reply names the namespaces of all users.
  "vademecum.v1.AdminService/Reindex": ({ namespace }) => [[{ namespace }]],
  "vademecum.v1.BlockService/ListBlocks": ofAnotherUser(({ namespace: { userId } }) => [
    [{ userId, limit: 1000 }],
  ]),
  "vademecum.v1.BlockService/GetBlock": aboutBlock({}),
  "vademecum.v1.BlockService/PutBlock": ofAnotherUser(({ namespace: { userId } }) => [
    [{ userId, label: "zebra", body: "mine", expectedVersion: "2" }],
    [{ userId, label: "zebra", body: "mine", idempotencyKey: "key" }],
  ]),
  "vademecum.v1.BlockService/DeleteBlock": aboutBlock({}),
  "vademecum.v1.BlockService/ListBlockVersions": aboutBlock({ limit: 1000 }),
  "vademecum.v1.BlockService/RestoreBlock": aboutBlock({ version: "1" }),
  "vademecum.v1.ProposalService/ListProposals": ofAnotherUser(({ namespace: { userId } }) => [
    [{ userId, limit: 1000 }],
    [{ userId, limit: 1000, status: "PROPOSAL_STATUS_REJECTED" }],
  ]),
  "vademecum.v1.ProposalService/GetProposal": aboutProposal({}),
  "vademecum.v1.ProposalService/ApproveProposal": aboutProposal({}),
  "vademecum.v1.ProposalService/RejectProposal": aboutProposal({ reason: "no" }),
  "vademecum.v1.ProposalService/WatchProposals": ofAnotherUser(({ namespace: { userId } }) => [
    [{ userId }],
  ]),
  "vademecum.v1.KeyValueService/WriteKey": ({ namespace, ownersContent }) => [
    [{ runId: runOf(namespace), key: "zebra", value: ownersContent }],
    [{ runId: runOf(namespace), key: "another", value: "", idempotencyKey: "key" }],
  ],
  "vademecum.v1.KeyValueService/ReadKey": ({ namespace }) => [
    [{ runId: runOf(namespace), key: "zebra" }],
  ],
  "vademecum.v1.KeyValueService/ListKeys": ({ namespace }) => [[{ runId: runOf(namespace) }]],
  "vademecum.v1.KeyValueService/DeleteKey": ({ namespace }) => [
    [{ runId: runOf(namespace), key: "zebra" }],
    [{ runId: runOf(namespace), key: "door", idempotencyKey: "key" }],
  ],
  "vademecum.v1.KeyValueService/SearchKeys": ({ namespace }) => [
    [{ runId: runOf(namespace), pattern: "" }],
    [{ runId: runOf(namespace), pattern: "zebra" }],
  ],
  "vademecum.v1.SkillService/StoreSkill": ({ namespace, ownersContent }) => [
    [{ namespace, id: ownersSkillId, context: ownersContent, lesson: ownersContent }],
    [{ namespace, context: ownersContent, lesson: ownersContent, embedding: [1] }],
  ],
  "vademecum.v1.SkillService/RetrieveSkills": ({ namespace, ownersContent }) => [
    [{ namespace, query: ownersContent }],
    [{ namespace, query: ownersContent, topK: 1000, minSimilarity: 0, includeEmbedding: true }],
  ],
  "vademecum.v1.SkillService/ListSkills": ({ namespace }) => [
    [{ namespace, limit: 1000, includeEmbedding: true }],
  ],
  "vademecum.v1.SkillService/DeleteSkill": ({ namespace }) => [[{ namespace, id: ownersSkillId }]],
  "vademecum.v1.SkillService/UpdateSuccessCount": ({ namespace }) => [
    [{ namespace, id: ownersSkillId }],
    [{ namespace, id: ownersSkillId, increment: 0 }],
  ],
  "vademecum.v1.SkillService/PruneStale": ({ namespace }) => [
    [{ namespace, dryRun: true }],
    [{ namespace }],
  ],
  // Prune is for operators only. Its reply counts the removed records of all users.
  "vademecum.v1.AdminService/Prune": () => [[{ dryRun: true }], [{}]],
  // Operators may copy everything, so these calls name a run that nobody has.
  "vademecum.v1.AdminService/Backup": () =>
    ["RECORDS", "DIGESTS", "HEADS"].map((content) => [
      {
        content: `BACKUP_CONTENT_${content}`,
        scopes: [{ kind: "SCOPE_KIND_RUN", id: "another" }],
      },
    ]),
  "vademecum.v1.AdminService/Restore": () => [
    [{ chunk: { scope: { id: { kind: "SCOPE_KIND_RUN", id: "another" }, seq: "1" } } }],
  ],
  "vademecum.v1.AdminService/HoldWrites": () => [[{ listOnly: true }]],
  "vademecum.v1.MemoryProvider/Add": ({ namespace, ownersContent, ownersId }) => [
    [{ namespace, content: ownersContent }],
    [{ namespace, content: "replacement", supersedes: ownersId }],
  ],
  "vademecum.v1.MemoryProvider/AddTrace": ({ namespace, ownersContent }) => [
    [{ ...namespace, workflowId: "wf", traceData: { text: ownersContent } }],
  ],
  "vademecum.v1.MemoryProvider/AddBatch": ({ namespace, ownersContent, ownersId }) => [
    [
      { add: { namespace, content: ownersContent } },
      { add: { namespace, content: "replacement", supersedes: ownersId } },
    ],
  ],
  "vademecum.v1.MemoryProvider/Search": (intruder) => searches(intruder).map((search) => [search]),
  "vademecum.v1.MemoryProvider/Recall": (intruder) =>
    searches(intruder).map((search) => [{ search }]),
  "vademecum.v1.MemoryProvider/GetAll": ({ namespace, ownersId }) => [
    [{ namespace, limit: 1000, includeSuperseded: true }],
    [{ namespace, filter: { expression: `id == "${ownersId}"` } }],
  ],
  "vademecum.v1.MemoryProvider/Get": ({ namespace, ownersId }) => [[{ namespace, id: ownersId }]],
  "vademecum.v1.MemoryProvider/Update": ({ namespace, ownersId }) => [
    [{ namespace, id: ownersId, changes: { content: "changed" } }],
    [{ namespace, id: ownersId, changes: {}, expectedVersion: "7" }],
  ],
  "vademecum.v1.MemoryProvider/Delete": ({ namespace, ownersId }) => [
    [{ namespace, id: ownersId }],
  ],
  "vademecum.v1.MemoryProvider/DeleteWhere": ({ namespace, ownersId }) => [
    [{ namespace, filter: { expression: `id == "${ownersId}"` }, dryRun: true }],
    [{ namespace, filter: { expression: "true" } }],
  ],
  "vademecum.v1.MemoryProvider/Reset": ({ namespace }) => [[{ namespace }], [{ everything: true }]],
  "vademecum.v1.MemoryProvider/ProposeEdit": proposals,
  "vademecum.v1.ToolService/RegisterTool": () => [
    [{ manifest: { toolId: "another", version: "1" } }],
  ],
  "vademecum.v1.ToolService/ListTools": () => [[{}]],
  "vademecum.v1.ToolService/DeleteTool": () => [[{ toolId: "another" }]],
  "vademecum.v1.ToolService/GetToolDefinitions": () => [[{ toolset: "memory" }]],
  "vademecum.v1.ToolService/Dispatch": (intruder) =>
    [...toolCalls(intruder), ...ofAnotherUser(blockToolCalls)(intruder).flat()].map((request) => [
      { runId: runOf(intruder.namespace), namespace: intruder.namespace, ...request },
    ]),
  "vademecum.v1.ToolService/QueryMemory": (intruder) => [
    [
      {
        ...toolRequest(intruder),
        toolVersion: "1",
        queries: [
          { queryId: "all", memoryType: "MEMORY_TYPE_EPISODIC", limit: 1000 },
          {
            queryId: "text",
            memoryType: "MEMORY_TYPE_EPISODIC",
            queryText: intruder.ownersContent,
          },
          {
            queryId: "id",
            memoryType: "MEMORY_TYPE_EPISODIC",
            filter: { expression: `id == "${intruder.ownersId}"` },
          },
        ],
      },
    ],
  ],
  "vademecum.v1.ToolService/SubmitToolResponse": (intruder) => [
    [{ ...toolRequest(intruder), memoryWrites: [{ content: intruder.ownersContent }] }],
  ],
  "vademecum.v1.ToolService/GetTurnTrace": ({ namespace }) => [
    [{ ...namespace, requestId: "turn" }],
    [{ ...namespace, taskId: "task" }],
  ],
  "vademecum.v1.MemoryProvider/Explain": (intruder) =>
    searches(intruder).map((search) => [{ search, id: intruder.ownersId }]),
};

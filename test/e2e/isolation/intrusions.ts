import type { DescMethod, JsonObject } from "@bufbuild/protobuf";
import type { FieldValues } from "../../../bench/worst/plain-request.js";
import { generatedRequests } from "./generated-requests.js";

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

/** Calls to one RPC. Each call is a list of requests; only request streams have several. */
type Calls = readonly (readonly JsonObject[])[];

/**
 * Returns calls that try to reach the owner's records: calls with generated requests that name
 * these records, the same about missing records, or the hand-written calls of the RPC.
 */
export function intrusionsOf(method: DescMethod, intruder: Intruder): Calls {
  const name = `${method.parent.name}/${method.name}`;
  const written = writtenCalls[name];
  if (written !== undefined) return written(intruder);
  const values = [ownersNames(method, intruder), missingNames(method, intruder)];
  const requests = [...generatedRequests(method, values), ...(addedRequests[name] ?? [])];
  const calls = requests.map((request) => [request]);
  // All agents of a user share the user's blocks and proposals, whose calls name no agent.
  return isOfUser(method) ? ofAnotherUser(() => calls)(intruder) : calls;
}

/** Whether an RPC is about records that all agents of a user share. */
export function isOfUser({ input }: DescMethod): boolean {
  return (
    input.field["userId"] !== undefined &&
    input.field["namespace"] === undefined &&
    input.field["agentId"] === undefined &&
    input.field["agentContext"] === undefined
  );
}

/** The values of fields of calls about the owner's records. */
function ownersNames(
  { parent, name }: DescMethod,
  { namespace, ownersId, ownersContent, ownersProposalId }: Intruder,
): FieldValues {
  const ids: Readonly<Record<string, string>> = {
    ProposalService: ownersProposalId,
    SkillService: ownersSkillId,
  };
  return {
    ...namesOf(namespace),
    // The tool of the intruders, which no call may change.
    tool_id: [/Register|Delete/.test(name) ? "another" : "tool"],
    id: [ids[parent.name] ?? ownersId],
    ids: [ownersId],
    supersedes: [ownersId],
    label: ["zebra"],
    thread_id: ["zebra"],
    before_id: [ownersId],
    last_id: [ownersId],
    key: ["zebra"],
    keys: ["zebra"],
    pattern: ["zebra"],
    query: [ownersContent],
    query_text: [ownersContent],
    content: [ownersContent],
    context: [ownersContent],
    lesson: [ownersContent],
    value: [ownersContent],
    expression: [`id == "${ownersId}"`],
  };
}

/** The values of fields of calls about records that nobody has. */
function missingNames(method: DescMethod, intruder: Intruder): FieldValues {
  return {
    ...ownersNames(method, intruder),
    id: ["another"],
    label: ["another"],
    key: ["another"],
    pattern: [""],
    query: [""],
    expression: ["true"],
    idempotency_key: ["another"],
  };
}

/** The values of fields of every call of an intruder. */
function namesOf(namespace: Intruder["namespace"]): FieldValues {
  return {
    user_id: [namespace.userId],
    agent_id: [namespace.agentId],
    run_id: [runOf(namespace)],
    request_id: ["turn"],
    task_id: ["task"],
    tool_version: ["1"],
    version: ["1"],
    expected_version: ["2"],
    min_similarity: ["0"],
    body: ["mine"],
    toolset: ["memory"],
    idempotency_key: ["key"],
  };
}

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

/** Calls of tools about the owner's keys and memories. */
const toolCalls = ({ ownersContent, ownersId }: Intruder): JsonObject[] => [
  { toolName: "read", arguments: { key: "zebra" } },
  { toolName: "list" },
  { toolName: "pattern_search", arguments: { pattern: "" } },
  { toolName: "delete", arguments: { key: "zebra" } },
  { toolName: "write", arguments: { key: "zebra", value: ownersContent } },
  { toolName: "search_memory", arguments: { query: ownersContent, limit: 100 } },
  { toolName: "search_memory", arguments: { query: "" } },
  { toolName: "search_memory", arguments: { query: ownersContent, since: "2020-01-01" } },
  { toolName: "correct_memory", arguments: { id: ownersId, content: "b", reasoning: "to see" } },
  { toolName: "forget_memory", arguments: { id: ownersId } },
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

type Intrusion = (intruder: Intruder) => Calls;

/** The hand-written calls of RPCs to which generated requests would do harm or too little. */
export const writtenCalls: Readonly<Record<string, Intrusion>> = {
  // Operators may copy everything, so these calls name a run that nobody has.
  "AdminService/Backup": () =>
    ["RECORDS", "DIGESTS", "HEADS"].map((content) => [
      {
        content: `BACKUP_CONTENT_${content}`,
        scopes: [{ kind: "SCOPE_KIND_RUN", id: "another" }],
      },
    ]),
  "AdminService/Restore": () => [
    [{ chunk: { scope: { id: { kind: "SCOPE_KIND_RUN", id: "another" }, seq: "1" } } }],
  ],
  // Only the kinds that belong to an agent: all agents of a user share the user's blocks.
  "AdminService/Export": ({ namespace: { userId, agentId } }) => [
    [
      {
        users: [userId],
        agents: [agentId],
        kinds: ["EXPORT_KIND_MEMORIES", "EXPORT_KIND_SKILLS", "EXPORT_KIND_TURN_ENTRIES"],
        vectors: true,
      },
    ],
  ],
  "AdminService/Import": () => [
    [
      {
        records: [
          { header: { format: 1 } },
          { key: { runId: "another", entry: { key: "zebra", value: "mine", version: "1" } } },
          { trailer: { counts: [{ kind: "key", records: "1" }] } },
        ],
      },
    ],
  ],
  // Operators may erase everybody, so this call names a run that nobody has.
  "AdminService/ForgetUser": () => [[{ runIds: ["of nobody"] }]],
  // Any other call holds the writes of everybody.
  "AdminService/HoldWrites": () => [[{ listOnly: true }]],
  // One stream, so that its items share their turns.
  "MemoryProvider/AddBatch": ({ namespace, ownersContent, ownersId }) => [
    [
      { add: { namespace, content: ownersContent } },
      { add: { namespace, content: "replacement", supersedes: ownersId } },
    ],
  ],
  // Only some of the calls are about blocks, which the agents of a user share.
  "MemoryProvider/ProposeEdit": proposals,
  // Each function has arguments of its own.
  "ToolService/Dispatch": (intruder) =>
    [...toolCalls(intruder), ...ofAnotherUser(blockToolCalls)(intruder).flat()].map((request) => [
      { runId: runOf(intruder.namespace), namespace: intruder.namespace, ...request },
    ]),
  // The smallest budget makes the server count the tokens that it leaves out.
  "MemoryProvider/Search": (intruder) => searches(intruder).map((search) => [search]),
  "MemoryProvider/Recall": (intruder) => searches(intruder).map((search) => [{ search }]),
  "MemoryProvider/Explain": (intruder) =>
    searches(intruder).map((search) => [{ search, id: intruder.ownersId }]),
};

/** Hand-written requests besides the generated ones. */
export const addedRequests: Readonly<Record<string, readonly JsonObject[]>> = {
  // It names nobody, but it is about everybody's records.
  "MemoryProvider/Reset": [{ everything: true }],
};

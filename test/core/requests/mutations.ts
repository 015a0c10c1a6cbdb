import type { Scope } from "../../../src/core/model/namespace.js";
import type { Idempotent } from "../../../src/core/requests/idempotency.js";
import { call, namespace, registerWriter, vector, type World } from "./world.js";

/** A mutation with an input that has every field. */
export interface Example {
  readonly rpc: string;
  /** The scope of the idempotency keys. */
  readonly scope: Scope;
  /** The agent that owns the idempotency keys. Absent: the whole scope owns them. */
  readonly agentId: string | undefined;
  readonly input: Idempotent;
  readonly run: (world: World, input: Idempotent) => Promise<unknown>;
}

function exampleOf<I extends object>(
  rpc: string,
  input: I,
  run: (world: World, input: I) => Promise<unknown>,
  scope: Scope = { kind: "user", userId: "kim" },
): Example {
  return {
    rpc,
    scope,
    agentId: agentOf(input),
    input: { ...input, idempotencyKey: "key" },
    run: (world, given) => run(world, given as unknown as I),
  };
}

/** Returns the agent whose records an input addresses. */
function agentOf(input: object): string | undefined {
  const owner = "namespace" in input ? input.namespace : "target" in input ? input.target : {};
  return typeof owner === "object" ? (owner as { agentId?: string }).agentId : undefined;
}

const instant = { seconds: 2_000_000_000, nanos: 1 };
const memory = {
  content: "white wine",
  memoryType: "SEMANTIC",
  kind: "taste",
  tags: ["wine"],
  importance: 0.7,
  source: "chat",
  status: "RESOLVED",
  restricted: true,
  author: "kim",
  threadId: "t",
  metadata: { nested: { value: 1 } },
  eventTime: instant,
  expireTime: instant,
} as const;
const { memoryType: _, status: __, threadId: ___, ...turnFields } = memory;
const turn = { ...turnFields, embedding: vector(1, 3), externalId: "turn" };
const server: Scope = { kind: "server" };
const run: Scope = { kind: "run", runId: "r" };
const filter = {
  memoryTypes: ["SEMANTIC"],
  tagsAny: ["wine"],
  tagsAll: ["red"],
  expression: "importance > 0.1",
} as const;
const written = { ...memory, memoryType: "WORKING", supersedes: "id22" } as const;

/** Examples of every RPC that takes an idempotency key. */
export const examples: readonly Example[] = [
  exampleOf(
    "Add",
    {
      ...{ namespace, ...memory, supersedes: "id22", embedding: vector(1, 3) },
      ...{ externalId: "mail-1", onConflict: "KEEP" as const },
    },
    (world, input) => world.memories.add(input, call),
  ),
  exampleOf(
    "AddMany",
    {
      namespace,
      memories: [
        { ...memory, supersedes: "id22", embedding: vector(1, 3) },
        { content: "rose", externalId: "mail-2", onConflict: "REPLACE" as const },
      ],
    },
    (world, input) => world.memories.addMany(input, call),
  ),
  exampleOf(
    "AddTrace",
    { namespace, workflowId: "w", traceData: { step: 1 }, threadId: "t", eventTime: instant },
    (world, input) => world.memories.addTrace(input, call),
  ),
  exampleOf(
    "Update",
    { namespace, id: "id22", changes: { ...memory, embedding: vector(1, 3) }, expectedVersion: 1 },
    (world, input) => world.memories.update(input, call),
  ),
  exampleOf(
    "RestoreMemory",
    { namespace, id: "id22", version: 1, expectedVersion: 2 },
    async (world, input) => {
      await changeOnce(world);
      return world.memories.restore(input, call);
    },
  ),
  exampleOf("RedactVersion", { namespace, id: "id22", version: 1 }, async (world, input) => {
    await changeOnce(world);
    return world.memories.redactVersion(input, call);
  }),
  exampleOf("Delete", { namespace, id: "id22" }, (world, input) =>
    world.memories.delete(input, call),
  ),
  exampleOf("DeleteMany", { namespace, ids: ["id22", "other"] }, (world, input) =>
    world.memories.deleteMany(input, call),
  ),
  exampleOf("DeleteWhere", { namespace, filter, dryRun: false }, (world, input) =>
    world.memories.deleteWhere(input, call),
  ),
  exampleOf("Reset", { target: namespace }, (world, input) => world.memories.reset(input, call)),
  exampleOf(
    "Reset",
    { target: "everything" as const },
    (world, input) => world.memories.reset(input, call),
    server,
  ),
  exampleOf("AppendTurns", { namespace, threadId: "t", turns: [turn] }, (world, input) =>
    world.threads.append(input, call),
  ),
  exampleOf("PopTurn", { namespace, threadId: "t" }, (world, input) =>
    world.threads.pop(input, call),
  ),
  exampleOf(
    "ReplaceThread",
    { namespace, threadId: "t", turns: [turn], expectedVersion: 0 },
    (world, input) => world.threads.replace(input, call),
  ),
  exampleOf("ClearThread", { namespace, threadId: "t" }, (world, input) =>
    world.threads.clear(input, call),
  ),
  exampleOf(
    "ForkThread",
    { namespace, threadId: "first", newThreadId: "t" },
    async (world, input) => {
      await world.threads.append({ namespace, threadId: "first", turns: [turn] }, call);
      return world.threads.fork(input, call);
    },
  ),
  exampleOf(
    "PutBlock",
    {
      userId: "kim",
      label: "notes",
      title: "Notes",
      body: "white wine",
      schemaRef: "schema",
      expectedVersion: 1,
      writtenBy: "kim",
    },
    (world, input) => world.blocks.put(input),
  ),
  exampleOf("DeleteBlock", { userId: "kim", label: "notes" }, (world, input) =>
    world.blocks.delete(input),
  ),
  exampleOf("DeleteBlocks", { userId: "kim", labelPrefix: "no", dryRun: false }, (world, input) =>
    world.blocks.deleteAll(input),
  ),
  exampleOf(
    "RenameBlock",
    { userId: "kim", label: "notes", newLabel: "wines", expectedVersion: 1 },
    (world, input) => world.blocks.rename(input),
  ),
  exampleOf(
    "RestoreBlock",
    { userId: "kim", label: "notes", version: 1, writtenBy: "kim" },
    (world, input) => world.blocks.restore(input),
  ),
  exampleOf(
    "RestoreBlock",
    { userId: "kim", label: "notes", version: 1, expectedVersion: 1, writtenBy: "kim" },
    (world, input) => world.blocks.restore(input),
  ),
  exampleOf(
    "ProposeEdit",
    {
      namespace,
      target: { kind: "block", label: "notes" } as const,
      oldString: "red",
      newString: "white",
      replaceAll: false,
      reasoning: "said so",
      confidence: "HIGH" as const,
    },
    (world, input) => world.proposals.propose(input),
  ),
  exampleOf(
    "ProposeEdit",
    {
      namespace,
      target: { kind: "block", label: "notes" } as const,
      whole: "APPEND" as const,
      oldString: "",
      newString: "white",
      replaceAll: false,
      reasoning: "said so",
      confidence: "HIGH" as const,
    },
    (world, input) => world.proposals.propose(input),
  ),
  exampleOf(
    "ApproveProposal",
    {
      ...{ userId: "kim", id: "id", editedNewString: "rose", decidedBy: "kim" },
      ...{ expectedVersion: 1, note: "well said" },
    },
    (world, input) => world.proposals.approve(input, call),
  ),
  exampleOf(
    "RejectProposal",
    { userId: "kim", id: "id", reason: "no", decidedBy: "kim" },
    (world, input) => world.proposals.reject(input),
  ),
  exampleOf("DeleteProposal", { userId: "kim", id: "id222" }, (world, input) =>
    world.proposals.delete(input),
  ),
  exampleOf(
    "WriteKey",
    { runId: "r", key: "k", value: "v", expectedVersion: 0 },
    (world, input) => world.keyValues.write(input, call),
    run,
  ),
  exampleOf(
    "DeleteKey",
    { runId: "r", key: "k" },
    (world, input) => world.keyValues.delete(input, call),
    run,
  ),
  exampleOf(
    "StoreSkill",
    {
      namespace,
      id: "s",
      context: "a situation",
      lesson: "a lesson",
      toolName: "t",
      embedding: vector(1, 3),
      ...{ successCount: 1, failureCount: 1 },
      createTime: { seconds: 1_700_000_000, nanos: 1 },
      lastUsedTime: { seconds: 1_700_000_010, nanos: 1 },
    },
    (world, input) => world.skills.store(input, call),
  ),
  exampleOf("DeleteSkill", { namespace, id: "s" }, (world, input) =>
    world.skills.delete(input, call),
  ),
  exampleOf(
    "UpdateSuccessCount",
    { namespace, id: "s", increment: 2, failureIncrement: 1 },
    (world, input) => world.skills.updateSuccessCount(input, call),
  ),
  exampleOf("PruneStale", { namespace, dryRun: false }, (world, input) =>
    world.skills.pruneStale(input, call),
  ),
  exampleOf(
    "RegisterTool",
    {
      manifest: {
        toolId: "tool",
        version: "1",
        memoryAccess: [
          {
            memoryType: "SEMANTIC" as const,
            enabled: true,
            write: true,
            kinds: ["taste"],
            tags: ["wine"],
            maxQueries: 2,
            maxBudgetTokens: 100,
          },
        ],
      },
    },
    (world, input) => world.tools.registerTool(input),
    server,
  ),
  exampleOf(
    "ForgetUser",
    { userId: "lee", runIds: ["r"] },
    (world, input) => world.erasures.forget(input, call),
    server,
  ),
  exampleOf(
    "DeleteTool",
    { toolId: "tool", version: "1" },
    (world, input) => world.tools.deleteTool(input),
    server,
  ),
  exampleOf(
    "SubmitToolResponse",
    {
      namespace,
      requestId: "r",
      toolId: "writer",
      toolVersion: "1",
      taskId: "t",
      planId: "p",
      memoryWrites: [{ ...written, embedding: vector(1, 3) }],
      scratchPageWrites: [{ content: "a note" }],
    },
    async (world, input) => {
      await registerWriter(world);
      return world.tools.submitToolResponse(input, call);
    },
  ),
];

/** Gives the memory `id22` an earlier version, unless it has one. */
async function changeOnce({ memories }: World): Promise<void> {
  const { memory } = await memories.get({ namespace, id: "id22" }, call);
  if (memory.version > 1) return;
  await memories.update({ namespace, id: "id22", changes: { content: "white wine" } }, call);
}

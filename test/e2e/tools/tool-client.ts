import type { MessageInitShape } from "@bufbuild/protobuf";
import { type Client, createClient } from "@connectrpc/connect";
import { test as base, expect } from "vitest";
import { MemoryType } from "#gen/vademecum/v1/memory_pb.js";
import { MemoryProvider } from "#gen/vademecum/v1/memory_provider_pb.js";
import type {
  MemoryAccessSchema,
  QueryResult,
  ToolMemory,
  ToolQuerySchema,
  TurnEntry,
} from "#gen/vademecum/v1/tool_pb.js";
import { TurnEvent } from "#gen/vademecum/v1/tool_pb.js";
import {
  type QueryMemoryRequestSchema,
  type SubmitToolResponseRequestSchema,
  type SubmitToolResponseResponse,
  ToolService,
} from "#gen/vademecum/v1/tool_service_pb.js";
import {
  collect,
  createNamespaceClient,
  type NamespaceClient,
} from "../harness/namespace-client.js";
import type { Connection } from "../harness/protocols.js";

type Fields<T extends Parameters<typeof Object.keys>[0]> = Omit<T, "$typeName" | "$unknown">;

/** A query in a request. */
export type Query = Fields<
  Exclude<MessageInitShape<typeof ToolQuerySchema>, { $typeName: string }>
>;
/** Access to a memory type, as a manifest declares it. */
export type Access = Fields<
  Exclude<MessageInitShape<typeof MemoryAccessSchema>, { $typeName: string }>
>;
type RequestFields = Fields<
  Exclude<MessageInitShape<typeof QueryMemoryRequestSchema>, { $typeName: string }>
>;
type Submission = Fields<
  Exclude<MessageInitShape<typeof SubmitToolResponseRequestSchema>, { $typeName: string }>
>;

/** All messages about one query. */
export interface Outcome {
  readonly queryId: string;
  readonly memories: readonly ToolMemory[];
  readonly contents: readonly string[];
  /** The last message, which has the counts. */
  readonly last: QueryResult;
}

/** A tool that works for one agent. */
export interface ToolClient {
  readonly stub: Client<typeof ToolService>;
  readonly toolId: string;
  /** Client of the agent's memories. */
  readonly memories: NamespaceClient;
  /** Registers the tool's only version. */
  readonly declare: (...memoryAccess: readonly Access[]) => Promise<void>;
  /**
   * Sends queries in a new request. `fields` replace the default fields of the request. Checks the
   * counts of every result.
   */
  ask(queries: readonly Query[], fields?: Partial<RequestFields>): Promise<Outcome[]>;
  submit(fields: Partial<Submission>): Promise<SubmitToolResponseResponse>;
  /** Returns the trace of the last request, or of another one. */
  trace(requestId?: string): Promise<TurnEntry[]>;
  /** Events of the last request's trace with their queries, such as `q1 QUERIED`. */
  events(requestId?: string): Promise<string[]>;
  /** Returns the client of the tool for another agent of the user. */
  forAgent(agentId: string): ToolClient;
}

/** A type that a tool may read and write without limits. */
export const open = (memoryType: MemoryType): Access => ({
  memoryType,
  enabled: true,
  write: true,
});

/** Every type that tools may read. */
export const allTypes = [
  MemoryType.WORKING,
  MemoryType.EPISODIC,
  MemoryType.SEMANTIC,
  MemoryType.SCRATCH_PAGE,
  MemoryType.CONVERSATION,
];

export function createToolClient(
  { transport }: Connection,
  userId: string,
  agentId: string,
): ToolClient {
  const stub = createClient(ToolService, transport);
  const memories = createNamespaceClient(createClient(MemoryProvider, transport), {
    userId,
    agentId,
  });
  const toolId = `tool of ${userId}`;
  let requests = 0;
  const lastRequest = () => `request ${requests}`;
  const trace = async (requestId = lastRequest()) => {
    const responses = await collect(
      stub.getTurnTrace({ userId, agentId, turn: { case: "requestId", value: requestId } }),
    );
    return responses.flatMap(({ entries }) => entries);
  };
  return {
    stub,
    toolId,
    memories,
    async declare(...memoryAccess) {
      await stub.registerTool({
        manifest: { toolId, version: "1", memoryAccess: [...memoryAccess] },
      });
    },
    async ask(queries, fields = {}) {
      requests += 1;
      const request = {
        requestId: lastRequest(),
        toolId,
        toolVersion: "1",
        userId,
        agentContext: { agentId },
        ...fields,
      };
      const outcomes = outcomesOf(
        await collect(stub.queryMemory({ ...request, queries: [...queries] })),
      );
      expect(outcomes.map(({ queryId }) => queryId)).toEqual(
        queries.map(({ queryId = "" }) => queryId),
      );
      for (const outcome of outcomes) expectToAddUp(outcome);
      return outcomes;
    },
    submit: (fields) =>
      stub.submitToolResponse({
        requestId: "response",
        toolId,
        toolVersion: "1",
        userId,
        agentContext: { agentId },
        ...fields,
      }),
    trace,
    events: async (requestId) =>
      (await trace(requestId)).map(({ queryId, event }) => `${queryId} ${TurnEvent[event]}`),
    forAgent: (other) => createToolClient({ transport, close: () => undefined }, userId, other),
  };
}

function outcomesOf(messages: readonly { readonly result?: QueryResult | undefined }[]): Outcome[] {
  const outcomes: Outcome[] = [];
  let memories: ToolMemory[] = [];
  for (const { result } of messages) {
    if (result === undefined) throw new Error("a message without a result");
    memories.push(...result.results);
    if (result.continued) continue;
    outcomes.push({
      queryId: result.queryId,
      memories,
      contents: memories.map(({ memory }) => memory?.content ?? ""),
      last: result,
    });
    memories = [];
  }
  expect(memories).toEqual([]);
  return outcomes;
}

/** Checks the counts of a result. */
function expectToAddUp({ memories, last }: Outcome): void {
  const {
    returnedResults,
    omitted,
    omittedCount,
    totalResults,
    tokensUsed,
    budgetTokens,
    searchMetadata,
  } = last;
  expect(returnedResults).toBe(memories.length);
  expect(BigInt(returnedResults + omitted.length) + omittedCount).toBe(totalResults);
  expect(tokensUsed).toBe(memories.reduce((sum, { tokens }) => sum + tokens, 0));
  expect(tokensUsed).toBeLessThanOrEqual(budgetTokens);
  expect(searchMetadata?.rankingScores).toEqual(memories.map(({ score }) => score));
  for (const { memory } of memories) {
    expect(memory?.memoryType).toBe(last.memoryType);
    expect(memory?.restricted).toBe(false);
  }
}

/** Vitest's `it` for cases of tools. Each case gets a new tool and user. */
export type ToolTest = ReturnType<typeof toolTestOver>;

/** `it` over the connection that `connection` returns when the case runs. */
export function toolTestOver(connection: () => Connection) {
  return base.extend<{ readonly tool: ToolClient }>({
    tool: async ({ task }, use) => {
      await use(createToolClient(connection(), `user ${task.id}`, "agent"));
    },
  });
}

// Generated from the definitions by `npm run generate`. Do not edit.
import { DeleteToolRequestSchema, type DeleteToolResponse, GetTurnTraceRequestSchema, type GetTurnTraceResponse, ListToolsRequestSchema, type ListToolsResponse, QueryMemoryRequestSchema, type QueryMemoryResponse, RegisterToolRequestSchema, type RegisterToolResponse, SubmitToolResponseRequestSchema, type SubmitToolResponseResponse, ToolService } from "#gen/vademecum/v1/tool_service_pb.js";
import { DispatchRequestSchema, type DispatchResponse, GetToolDefinitionsRequestSchema, type GetToolDefinitionsResponse } from "#gen/vademecum/v1/toolset_pb.js";
import type { CallOptions, Calls, ResponseStream } from "../calls.js";
import { newIdempotencyKey } from "../idempotency-key.js";
import type { Fields } from "../request-fields.js";

/**
 * Gives tools limited access to an agent's memories, and stores what tools learn.
 *
 * A manifest declares what a tool may read; QueryMemory returns nothing beyond it. Tools read
 * memories and add new ones; they cannot change memories.
 *
 * When a query fails, its result is empty and the trace of the turn says why. The call itself does
 * not fail, so the tool can continue with the other results.
 *
 * Every mutation takes an `idempotency_key`; see MemoryProvider.
 */
export class Tools {
  readonly #calls: Calls;

  constructor(calls: Calls) {
    this.#calls = calls;
  }

  /**
   * Stores the manifest of a version of a tool. An identical manifest changes nothing; a different
   * one replaces the old one.
   *
   * A manifest decides what a tool may read. On a server with credentials, only principals with the
   * role `operator` may store or delete one. On a server without credentials, every caller may.
   *
   * Fails with FAILED_PRECONDITION (TOO_MANY_TOOL_VERSIONS) when the tool would have more than 100
   * versions.
   */
  registerTool(fields: Fields<typeof RegisterToolRequestSchema, never, "manifest">, options?: CallOptions): Promise<RegisterToolResponse> {
    return this.#calls.unary(ToolService.method.registerTool, { ...fields, idempotencyKey: fields.idempotencyKey ?? newIdempotencyKey() }, options);
  }

  /** Lists manifests page by page, ordered by the UTF-8 bytes of the tool, then of the version. */
  listTools(fields: Fields<typeof ListToolsRequestSchema> = {}, options?: CallOptions): Promise<ListToolsResponse> {
    return this.#calls.unary(ToolService.method.listTools, { ...fields }, options);
  }

  /**
   * Deletes a tool, or one of its versions. An unknown tool or version is not an error: `deleted`
   * is 0. Needs the role `operator`, as RegisterTool does.
   */
  deleteTool(fields: Fields<typeof DeleteToolRequestSchema, never, "toolId">, options?: CallOptions): Promise<DeleteToolResponse> {
    return this.#calls.unary(ToolService.method.deleteTool, { ...fields, idempotencyKey: fields.idempotencyKey ?? newIdempotencyKey() }, options);
  }

  /**
   * Answers the queries of a tool, each for one type of memories of one agent. The queries run in
   * parallel. The results come in the order of the queries, one message for each. A result of more
   * than 32 memories or 64 KiB takes several messages.
   *
   * The queries draw on shared budgets, in the order of the request. Each query may use what
   * earlier queries left of the request's budget and of its type's budget. The same request over
   * the same memories therefore always has the same results.
   *
   * A query has an empty result when it breaks a rule, asks for memories that the tool may not
   * read, fails, or takes more than 5 seconds. GetTurnTrace tells these cases apart. An unknown
   * tool or version may read nothing.
   *
   * A result is cached for 5 minutes. The cache drops it when a memory of the namespace changes, a
   * memory of the type expires or the manifest changes.
   */
  queryMemory(fields: Fields<typeof QueryMemoryRequestSchema, never, "requestId" | "toolId" | "toolVersion" | "agentContext" | "userId" | "queries">, options?: CallOptions): ResponseStream<QueryMemoryResponse> {
    return this.#calls.stream(ToolService.method.queryMemory, { ...fields }, options);
  }

  /**
   * Stores what a tool has learned in one atomic step, with `source` set to the tool. The tool
   * needs no manifest.
   */
  submitToolResponse(fields: Fields<typeof SubmitToolResponseRequestSchema, never, "requestId" | "toolId" | "agentContext" | "userId">, options?: CallOptions): Promise<SubmitToolResponseResponse> {
    return this.#calls.unary(ToolService.method.submitToolResponse, { ...fields, idempotencyKey: fields.idempotencyKey ?? newIdempotencyKey() }, options);
  }

  /**
   * Streams the trace of a request, or of all requests of a task, oldest entry first. The trace
   * contains every QueryMemory whose stream has ended. Without entries, the stream is empty.
   * Entries are kept for 30 days; the most recent ones may be lost if the server is killed.
   */
  getTurnTrace(fields: Fields<typeof GetTurnTraceRequestSchema, never, "userId" | "agentId" | "turn">, options?: CallOptions): ResponseStream<GetTurnTraceResponse> {
    return this.#calls.stream(ToolService.method.getTurnTrace, { ...fields }, options);
  }

  /**
   * Returns the definitions of a toolset: functions that a language model may call to use this
   * service, in the format that the model's API expects.
   */
  getToolDefinitions(fields: Fields<typeof GetToolDefinitionsRequestSchema, never, "toolset">, options?: CallOptions): Promise<GetToolDefinitionsResponse> {
    return this.#calls.unary(ToolService.method.getToolDefinitions, { ...fields }, options);
  }

  /**
   * Runs a tool that a language model called, and returns the text for the model.
   *
   * Mistakes of the model (an unknown tool, wrong arguments, an unknown key) and failures of the
   * tool do not fail the call. The result describes them, with `is_error` set.
   *
   * The call fails only when it is interrupted, or with INVALID_ARGUMENT when the host's run_id,
   * namespace or idempotency_key is invalid.
   */
  dispatch(fields: Fields<typeof DispatchRequestSchema> = {}, options?: CallOptions): Promise<DispatchResponse> {
    return this.#calls.unary(ToolService.method.dispatch, { ...fields, idempotencyKey: fields.idempotencyKey ?? newIdempotencyKey() }, options);
  }
}

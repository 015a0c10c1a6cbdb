// Generated from the definitions by `npm run generate`. Do not edit.
import { DeleteToolRequestSchema, type DeleteToolResponse, GetTurnTraceRequestSchema, type GetTurnTraceResponse, ListToolsRequestSchema, type ListToolsResponse, ListTurnEntriesRequestSchema, type ListTurnEntriesResponse, ListTurnsRequestSchema, type ListTurnsResponse, QueryMemoryRequestSchema, type QueryMemoryResponse, QueryMemoryUnaryRequestSchema, type QueryMemoryUnaryResponse, RegisterToolRequestSchema, type RegisterToolResponse, SubmitToolResponseRequestSchema, type SubmitToolResponseResponse, ToolService } from "#gen/vademecum/v1/tool_service_pb.js";
import { DispatchRequestSchema, type DispatchResponse, GetToolDefinitionsRequestSchema, type GetToolDefinitionsResponse } from "#gen/vademecum/v1/toolset_pb.js";
import type { CallOptions, Calls, ResponseStream } from "../calls.js";
import { newIdempotencyKey } from "../idempotency-key.js";
import type { Fields } from "../request-fields.js";

/**
 * Serves two kinds of tools:
 *
 * - Programs that work for an agent, such as a wine recommender. QueryMemory gives them limited
 *   access to the agent's memories, and SubmitToolResponse stores what they have learned. How to
 *   use these calls: docs/guides/tools.md.
 * - Functions that a language model may call. GetToolDefinitions returns their definitions, and
 *   Dispatch runs them. How to use these calls: docs/guides/toolsets.md.
 *
 * The manifest of a program declares which memories the program may read and write. QueryMemory
 * returns no other memories, and SubmitToolResponse stores no others. Programs read memories and
 * add new ones, but cannot change memories. When one query of a QueryMemory call fails, its result
 * is empty, and GetTurnTrace returns the reason. The call itself does not fail, so the program can
 * use the results of the other queries.
 *
 * Functions have no manifest.
 *
 * Every mutation takes an `idempotency_key`, as in MemoryProvider.
 */
export class Tools {
  readonly #calls: Calls;

  constructor(calls: Calls) {
    this.#calls = calls;
  }

  /**
   * Stores the manifest of one version of a tool. If the version already has another manifest, the
   * new manifest replaces it. If the version already has the same manifest, nothing changes.
   *
   * On a server with credentials, the caller needs the role `operator`, because a manifest decides
   * what a tool may read and write. On a server without credentials, every caller may store and
   * delete manifests.
   *
   * Fails with FAILED_PRECONDITION (TOO_MANY_TOOL_VERSIONS) when the tool would have more than 100
   * versions.
   */
  register(fields: Fields<typeof RegisterToolRequestSchema, never, "manifest">, options?: CallOptions): Promise<RegisterToolResponse> {
    return this.#calls.unary(ToolService.method.registerTool, { ...fields, idempotencyKey: fields.idempotencyKey ?? newIdempotencyKey() }, options);
  }

  /** Lists manifests page by page, ordered by the UTF-8 bytes of tool_id, then of version. */
  list(fields: Fields<typeof ListToolsRequestSchema> = {}, options?: CallOptions): Promise<ListToolsResponse> {
    return this.#calls.unary(ToolService.method.listTools, { ...fields }, options);
  }

  /**
   * Deletes the manifests of all versions of a tool, or of one version. An unknown tool or version
   * is not an error: `deleted` is 0. On a server with credentials, the caller needs the role
   * `operator`.
   */
  delete(fields: Fields<typeof DeleteToolRequestSchema, never, "toolId">, options?: CallOptions): Promise<DeleteToolResponse> {
    return this.#calls.unary(ToolService.method.deleteTool, { ...fields, idempotencyKey: fields.idempotencyKey ?? newIdempotencyKey() }, options);
  }

  /**
   * Answers the queries of a tool. All queries of a request read the memories of one user and
   * agent, and each query reads memories of one type. The queries run in parallel, but the results
   * come in the order of the queries. Each result is one message, or several if it has more than 32
   * memories or more than 64 KiB.
   *
   * The queries share token budgets: one for the request (QueryMemoryRequest.budget_tokens), and
   * one for each memory type (MemoryAccess.max_budget_tokens). The queries use a budget in the
   * order of the request, even if a later query finishes first. Each query may use the tokens that
   * the queries before it have left.
   *
   * The result of a query is empty in the following cases. GetTurnTrace says which case it is.
   *
   * - The query is faulty (QueryMemoryRequest.queries).
   * - Earlier queries of the request have used up MemoryAccess.max_queries.
   * - The tool may read none of the memories that the query asks for. A tool or version without a
   *   manifest may read nothing.
   * - No memory matches, or the gate of the query is closed (ToolQuery.gate).
   * - Earlier queries of the request have left too few tokens.
   * - The search fails, for example because the query takes more than 5 seconds.
   *
   * The server may search twice for one query. Because the queries run in parallel, the first
   * search does not know how many tokens the earlier queries will leave. If its hits do not fit
   * into the remaining tokens, the server searches again within these tokens. The limit of 5
   * seconds is for both searches together.
   *
   * The server caches a result for at most 5 minutes. It stops using the cached result after any of
   * these events:
   *
   * - The manifest changes.
   * - A memory of the namespace is added, changed or deleted.
   * - Reindex puts new vectors in use.
   * - A memory of the query's type expires.
   * - A successor expires, whose predecessor has the query's type (Memory.superseded_by). The
   *   predecessor may then become current again.
   */
  queryMemory(fields: Fields<typeof QueryMemoryRequestSchema, never, "requestId" | "toolId" | "toolVersion" | "agentContext" | "userId" | "queries">, options?: CallOptions): ResponseStream<QueryMemoryResponse> {
    return this.#calls.stream(ToolService.method.queryMemory, { ...fields }, options);
  }

  /**
   * Answers the queries of a tool as QueryMemory does, in one message, for clients that do not read
   * streams. The results of all queries must fit into a reply of 4 MiB.
   */
  queryMemoryUnary(fields: Fields<typeof QueryMemoryUnaryRequestSchema, never, "request">, options?: CallOptions): Promise<QueryMemoryUnaryResponse> {
    return this.#calls.unary(ToolService.method.queryMemoryUnary, { ...fields }, options);
  }

  /**
   * Stores the memories that a tool has learned, in one atomic step. The `source` of each memory is
   * the tool's id.
   *
   * Fails with PERMISSION_DENIED (NOT_IN_MANIFEST) when the version of the tool has no manifest, or
   * when the manifest does not allow a memory: its type is not declared with `write`, or its kind
   * or tags are not allowed. Nothing is stored then, and GetTurnTrace returns a TURN_EVENT_DENIED
   * entry with the reason.
   */
  submitResponse(fields: Fields<typeof SubmitToolResponseRequestSchema, never, "requestId" | "toolId" | "agentContext" | "userId" | "toolVersion">, options?: CallOptions): Promise<SubmitToolResponseResponse> {
    return this.#calls.unary(ToolService.method.submitToolResponse, { ...fields, idempotencyKey: fields.idempotencyKey ?? newIdempotencyKey() }, options);
  }

  /**
   * Streams the trace of one request, or of all requests of a task, oldest entry first. A trace
   * says what happened to each query of QueryMemory (TurnEntry). If there are no entries, the
   * stream is empty.
   *
   * The entries of a QueryMemory call can be read when the stream of that call has ended. If
   * several servers share one PostgreSQL database, the other servers may see the entries slightly
   * later. Entries are kept for at least 30 days, unless Reset deletes them. The last entries may
   * be lost if the server is killed. Entries are also lost if the server cannot store them, for
   * example because the user's storage quota is used up.
   */
  getTurnTrace(fields: Fields<typeof GetTurnTraceRequestSchema, never, "userId" | "agentId" | "turn">, options?: CallOptions): ResponseStream<GetTurnTraceResponse> {
    return this.#calls.stream(ToolService.method.getTurnTrace, { ...fields }, options);
  }

  /** Lists the entries of a trace as GetTurnTrace does, page by page, oldest entry first. */
  listTurnEntries(fields: Fields<typeof ListTurnEntriesRequestSchema, never, "trace">, options?: CallOptions): Promise<ListTurnEntriesResponse> {
    return this.#calls.unary(ToolService.method.listTurnEntries, { ...fields }, options);
  }

  /**
   * Lists the requests of QueryMemory whose traces are kept, newest first, page by page. Reads all
   * entries from the newest to the last request of the page.
   */
  listTurns(fields: Fields<typeof ListTurnsRequestSchema, never, "userId" | "agentId">, options?: CallOptions): Promise<ListTurnsResponse> {
    return this.#calls.unary(ToolService.method.listTurns, { ...fields }, options);
  }

  /**
   * Returns the definitions of the tools of a toolset, in the format that the API of a language
   * model expects. The model may call these tools, and Dispatch runs them.
   *
   * Fails with INVALID_ARGUMENT (INVALID_FIELD) when there is no such toolset.
   */
  getDefinitions(fields: Fields<typeof GetToolDefinitionsRequestSchema, never, "toolset">, options?: CallOptions): Promise<GetToolDefinitionsResponse> {
    return this.#calls.unary(ToolService.method.getToolDefinitions, { ...fields }, options);
  }

  /**
   * Runs a tool of a toolset, and returns a text for the language model that called the tool. The
   * program that runs the model makes this call.
   *
   * The following problems do not fail the call. Instead, `is_error` is true, and `result`
   * describes the problem:
   *
   * - mistakes of the model, such as an unknown tool, wrong arguments or the key of a note that
   *   does not exist,
   * - failures of the tool, such as UNAVAILABLE (STORE_UNAVAILABLE).
   *
   * The call fails with these errors, which docs/reference/errors.md explains:
   *
   * - PERMISSION_DENIED (ROLE_REQUIRED) when the caller lacks the role that the tool needs.
   * - RESOURCE_EXHAUSTED (REQUEST_TOO_COMPLEX) when arguments_json has too many elements or levels.
   * - INVALID_ARGUMENT when `arguments` and arguments_json are both set, when arguments_json has
   *   more than 512 KiB, or when run_id, namespace, tool_name or idempotency_key is invalid.
   * - INVALID_ARGUMENT (IDEMPOTENCY_KEY_REUSED) when idempotency_key was used for a different
   *   request before.
   * - CANCELLED, DEADLINE_EXCEEDED and INTERNAL, even if they occur in the tool.
   * - Any error that occurs outside the tool, such as RESOURCE_EXHAUSTED (OVERLOADED).
   */
  dispatch(fields: Fields<typeof DispatchRequestSchema> = {}, options?: CallOptions): Promise<DispatchResponse> {
    return this.#calls.unary(ToolService.method.dispatch, { ...fields, idempotencyKey: fields.idempotencyKey ?? newIdempotencyKey() }, options);
  }
}

// Generated from the definitions by `npm run generate`. Do not edit.
package vademecum.client;

import vademecum.v1.DeleteToolRequest;
import vademecum.v1.DeleteToolResponse;
import vademecum.v1.DispatchRequest;
import vademecum.v1.DispatchResponse;
import vademecum.v1.GetToolDefinitionsRequest;
import vademecum.v1.GetToolDefinitionsResponse;
import vademecum.v1.GetTurnTraceRequest;
import vademecum.v1.GetTurnTraceResponse;
import vademecum.v1.ListToolsRequest;
import vademecum.v1.ListToolsResponse;
import vademecum.v1.ListTurnEntriesRequest;
import vademecum.v1.ListTurnEntriesResponse;
import vademecum.v1.ListTurnsRequest;
import vademecum.v1.ListTurnsResponse;
import vademecum.v1.QueryMemoryRequest;
import vademecum.v1.QueryMemoryResponse;
import vademecum.v1.QueryMemoryUnaryRequest;
import vademecum.v1.QueryMemoryUnaryResponse;
import vademecum.v1.RegisterToolRequest;
import vademecum.v1.RegisterToolResponse;
import vademecum.v1.SubmitToolResponseRequest;
import vademecum.v1.SubmitToolResponseResponse;
import vademecum.v1.ToolServiceGrpc;

/**
 * Serves two kinds of tools:
 *
 * <ul>
 * <li>Programs that work for an agent, such as a wine recommender. QueryMemory gives them limited
 * access to the agent's memories, and SubmitToolResponse stores what they have learned. How to use
 * these calls: docs/guides/tools.md.
 * <li>Functions that a language model may call. GetToolDefinitions returns their definitions, and
 * Dispatch runs them. How to use these calls: docs/guides/toolsets.md.
 * </ul>
 *
 * <p>The manifest of a program declares which memories the program may read and write. QueryMemory
 * returns no other memories, and SubmitToolResponse stores no others. Programs read memories and
 * add new ones, but cannot change memories. When one query of a QueryMemory call fails, its result
 * is empty, and GetTurnTrace returns the reason. The call itself does not fail, so the program can
 * use the results of the other queries.
 *
 * <p>Functions have no manifest.
 *
 * <p>Every mutation takes an `idempotency_key`, as in MemoryProvider.
 */
public final class Tools {
  private final Calls calls;

  Tools(Calls calls) {
    this.calls = calls;
  }

  /**
   * Stores the manifest of one version of a tool. If the version already has another manifest, the
   * new manifest replaces it. If the version already has the same manifest, nothing changes.
   *
   * <p>On a server with credentials, the caller needs the role `operator`, because a manifest
   * decides what a tool may read and write. On a server without credentials, every caller may store
   * and delete manifests.
   *
   * <p>Fails with FAILED_PRECONDITION (TOO_MANY_TOOL_VERSIONS) when the tool would have more than
   * 100 versions.
   */
  public RegisterToolResponse register(RegisterToolRequest.Builder request) {
    RegisterToolRequest.Builder copy = request.clone();
    if (!copy.hasIdempotencyKey()) {
      copy.setIdempotencyKey(Calls.newIdempotencyKey());
    }
    return calls.unary(ToolServiceGrpc.getRegisterToolMethod(), copy.build());
  }

  /**
   * Lists manifests page by page, ordered by the UTF-8 bytes of tool_id, then of version.
   */
  public ListToolsResponse list(ListToolsRequest.Builder request) {
    ListToolsRequest.Builder copy = request.clone();
    return calls.unary(ToolServiceGrpc.getListToolsMethod(), copy.build());
  }

  /**
   * Deletes the manifests of all versions of a tool, or of one version. An unknown tool or version
   * is not an error: `deleted` is 0. On a server with credentials, the caller needs the role
   * `operator`.
   */
  public DeleteToolResponse delete(DeleteToolRequest.Builder request) {
    DeleteToolRequest.Builder copy = request.clone();
    if (!copy.hasIdempotencyKey()) {
      copy.setIdempotencyKey(Calls.newIdempotencyKey());
    }
    return calls.unary(ToolServiceGrpc.getDeleteToolMethod(), copy.build());
  }

  /**
   * Answers the queries of a tool. All queries of a request read the memories of one user and
   * agent, and each query reads memories of one type. The queries run in parallel, but the results
   * come in the order of the queries. Each result is one message, or several if it has more than 32
   * memories or more than 64 KiB.
   *
   * <p>The queries share token budgets: one for the request (QueryMemoryRequest.budget_tokens), and
   * one for each memory type (MemoryAccess.max_budget_tokens). The queries use a budget in the
   * order of the request, even if a later query finishes first. Each query may use the tokens that
   * the queries before it have left.
   *
   * <p>The result of a query is empty in the following cases. GetTurnTrace says which case it is.
   *
   * <ul>
   * <li>The query is faulty (QueryMemoryRequest.queries).
   * <li>Earlier queries of the request have used up MemoryAccess.max_queries.
   * <li>The tool may read none of the memories that the query asks for. A tool or version without a
   * manifest may read nothing.
   * <li>No memory matches, or the gate of the query is closed (ToolQuery.gate).
   * <li>Earlier queries of the request have left too few tokens.
   * <li>The search fails, for example because the query takes more than 5 seconds.
   * </ul>
   *
   * <p>The server may search twice for one query. Because the queries run in parallel, the first
   * search does not know how many tokens the earlier queries will leave. If its hits do not fit
   * into the remaining tokens, the server searches again within these tokens. The limit of 5
   * seconds is for both searches together.
   *
   * <p>The server caches a result for at most 5 minutes. It stops using the cached result after any
   * of these events:
   *
   * <ul>
   * <li>The manifest changes.
   * <li>A memory of the namespace is added, changed or deleted.
   * <li>Reindex puts new vectors in use.
   * <li>A memory of the query's type expires.
   * <li>A successor expires, whose predecessor has the query's type (Memory.superseded_by). The
   * predecessor may then become current again.
   * </ul>
   */
  public ResponseStream<QueryMemoryResponse> queryMemory(QueryMemoryRequest.Builder request) {
    QueryMemoryRequest.Builder copy = request.clone();
    return calls.stream(ToolServiceGrpc.getQueryMemoryMethod(), copy.build());
  }

  /**
   * Answers the queries of a tool as QueryMemory does, in one message, for clients that do not read
   * streams. The results of all queries must fit into a reply of 4 MiB.
   */
  public QueryMemoryUnaryResponse queryMemoryUnary(QueryMemoryUnaryRequest.Builder request) {
    QueryMemoryUnaryRequest.Builder copy = request.clone();
    return calls.unary(ToolServiceGrpc.getQueryMemoryUnaryMethod(), copy.build());
  }

  /**
   * Stores the memories that a tool has learned, in one atomic step. The `source` of each memory is
   * the tool's id.
   *
   * <p>Fails with PERMISSION_DENIED (NOT_IN_MANIFEST) when the version of the tool has no manifest,
   * or when the manifest does not allow a memory: its type is not declared with `write`, or its
   * kind or tags are not allowed. Nothing is stored then, and GetTurnTrace returns a
   * TURN_EVENT_DENIED entry with the reason.
   */
  public SubmitToolResponseResponse submitResponse(SubmitToolResponseRequest.Builder request) {
    SubmitToolResponseRequest.Builder copy = request.clone();
    if (!copy.hasIdempotencyKey()) {
      copy.setIdempotencyKey(Calls.newIdempotencyKey());
    }
    return calls.unary(ToolServiceGrpc.getSubmitToolResponseMethod(), copy.build());
  }

  /**
   * Streams the trace of one request, or of all requests of a task, oldest entry first. A trace
   * says what happened to each query of QueryMemory (TurnEntry). If there are no entries, the
   * stream is empty.
   *
   * <p>The entries of a QueryMemory call can be read when the stream of that call has ended. If
   * several servers share one PostgreSQL database, the other servers may see the entries slightly
   * later. Entries are kept for at least 30 days, unless Reset deletes them. The last entries may
   * be lost if the server is killed. Entries are also lost if the server cannot store them, for
   * example because the user's storage quota is used up.
   */
  public ResponseStream<GetTurnTraceResponse> getTurnTrace(GetTurnTraceRequest.Builder request) {
    GetTurnTraceRequest.Builder copy = request.clone();
    return calls.stream(ToolServiceGrpc.getGetTurnTraceMethod(), copy.build());
  }

  /**
   * Lists the entries of a trace as GetTurnTrace does, page by page, oldest entry first.
   */
  public ListTurnEntriesResponse listTurnEntries(ListTurnEntriesRequest.Builder request) {
    ListTurnEntriesRequest.Builder copy = request.clone();
    return calls.unary(ToolServiceGrpc.getListTurnEntriesMethod(), copy.build());
  }

  /**
   * Lists the requests of QueryMemory whose traces are kept, newest first, page by page. Reads all
   * entries from the newest to the last request of the page.
   */
  public ListTurnsResponse listTurns(ListTurnsRequest.Builder request) {
    ListTurnsRequest.Builder copy = request.clone();
    return calls.unary(ToolServiceGrpc.getListTurnsMethod(), copy.build());
  }

  /**
   * Returns the definitions of the tools of a toolset, in the format that the API of a language
   * model expects. The model may call these tools, and Dispatch runs them.
   *
   * <p>Fails with INVALID_ARGUMENT (INVALID_FIELD) when there is no such toolset.
   */
  public GetToolDefinitionsResponse getDefinitions(GetToolDefinitionsRequest.Builder request) {
    GetToolDefinitionsRequest.Builder copy = request.clone();
    return calls.unary(ToolServiceGrpc.getGetToolDefinitionsMethod(), copy.build());
  }

  /**
   * Runs a tool of a toolset, and returns a text for the language model that called the tool. The
   * program that runs the model makes this call.
   *
   * <p>The following problems do not fail the call. Instead, `is_error` is true, and `result`
   * describes the problem:
   *
   * <ul>
   * <li>mistakes of the model, such as an unknown tool, wrong arguments or the key of a note that
   * does not exist,
   * <li>failures of the tool, such as UNAVAILABLE (STORE_UNAVAILABLE).
   * </ul>
   *
   * <p>The call fails with these errors, which docs/reference/errors.md explains:
   *
   * <ul>
   * <li>PERMISSION_DENIED (ROLE_REQUIRED) when the caller lacks the role that the tool needs.
   * <li>RESOURCE_EXHAUSTED (REQUEST_TOO_COMPLEX) when arguments_json has too many elements or
   * levels.
   * <li>INVALID_ARGUMENT when `arguments` and arguments_json are both set, when arguments_json has
   * more than 512 KiB, or when run_id, namespace, tool_name or idempotency_key is invalid.
   * <li>INVALID_ARGUMENT (IDEMPOTENCY_KEY_REUSED) when idempotency_key was used for a different
   * request before.
   * <li>CANCELLED, DEADLINE_EXCEEDED and INTERNAL, even if they occur in the tool.
   * <li>Any error that occurs outside the tool, such as RESOURCE_EXHAUSTED (OVERLOADED).
   * </ul>
   */
  public DispatchResponse dispatch(DispatchRequest.Builder request) {
    DispatchRequest.Builder copy = request.clone();
    if (!copy.hasIdempotencyKey()) {
      copy.setIdempotencyKey(Calls.newIdempotencyKey());
    }
    return calls.unary(ToolServiceGrpc.getDispatchMethod(), copy.build());
  }
}

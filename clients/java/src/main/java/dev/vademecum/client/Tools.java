// Generated from the definitions by `npm run generate`. Do not edit.
package dev.vademecum.client;

import dev.vademecum.v1.DeleteToolRequest;
import dev.vademecum.v1.DeleteToolResponse;
import dev.vademecum.v1.DispatchRequest;
import dev.vademecum.v1.DispatchResponse;
import dev.vademecum.v1.GetToolDefinitionsRequest;
import dev.vademecum.v1.GetToolDefinitionsResponse;
import dev.vademecum.v1.GetTurnTraceRequest;
import dev.vademecum.v1.GetTurnTraceResponse;
import dev.vademecum.v1.ListToolsRequest;
import dev.vademecum.v1.ListToolsResponse;
import dev.vademecum.v1.QueryMemoryRequest;
import dev.vademecum.v1.QueryMemoryResponse;
import dev.vademecum.v1.RegisterToolRequest;
import dev.vademecum.v1.RegisterToolResponse;
import dev.vademecum.v1.SubmitToolResponseRequest;
import dev.vademecum.v1.SubmitToolResponseResponse;
import dev.vademecum.v1.ToolServiceGrpc;

/**
 * Serves two kinds of tools.
 *
 * <p>Tools of the first kind are programs that work for an agent, such as a wine recommender.
 * QueryMemory gives them limited access to the agent's memories, and SubmitToolResponse stores what
 * they have learned. How to use these calls: docs/tools.md.
 *
 * <p>The manifest of such a tool declares which memories the tool may read. QueryMemory returns no
 * other memories. These tools read memories and add new ones, but cannot change memories. When a
 * query fails, its result is empty, and GetTurnTrace returns the reason. The call itself does not
 * fail, so the tool can use the results of the other queries.
 *
 * <p>Tools of the second kind are functions that a language model may call. GetToolDefinitions
 * returns their definitions, and Dispatch runs them. They need no manifest. How to use these calls:
 * docs/toolsets.md.
 *
 * <p>Every mutation takes an `idempotency_key`, as in MemoryProvider.
 */
public final class Tools {
  private final Calls calls;

  Tools(Calls calls) {
    this.calls = calls;
  }

  /**
   * Stores the manifest of one version of a tool. If the version has a different manifest, the new
   * one replaces it. If the version has the same manifest, nothing changes.
   *
   * <p>On a server with credentials, the caller needs the role `operator`, because a manifest
   * decides what a tool may read. On a server without credentials, every caller may store and
   * delete manifests.
   *
   * <p>Fails with FAILED_PRECONDITION (TOO_MANY_TOOL_VERSIONS) when the tool would have more than
   * 100 versions.
   */
  public RegisterToolResponse registerTool(RegisterToolRequest.Builder request) {
    RegisterToolRequest.Builder copy = request.clone();
    if (!copy.hasIdempotencyKey()) {
      copy.setIdempotencyKey(Calls.newIdempotencyKey());
    }
    return calls.unary(ToolServiceGrpc.getRegisterToolMethod(), copy.build());
  }

  /**
   * Lists manifests page by page, ordered by the UTF-8 bytes of tool_id, then of version.
   */
  public ListToolsResponse listTools(ListToolsRequest.Builder request) {
    ListToolsRequest.Builder copy = request.clone();
    return calls.unary(ToolServiceGrpc.getListToolsMethod(), copy.build());
  }

  /**
   * Deletes the manifests of all versions of a tool, or of one version. An unknown tool or version
   * is not an error: `deleted` is 0. On a server with credentials, the caller needs the role
   * `operator`.
   */
  public DeleteToolResponse deleteTool(DeleteToolRequest.Builder request) {
    DeleteToolRequest.Builder copy = request.clone();
    if (!copy.hasIdempotencyKey()) {
      copy.setIdempotencyKey(Calls.newIdempotencyKey());
    }
    return calls.unary(ToolServiceGrpc.getDeleteToolMethod(), copy.build());
  }

  /**
   * Answers the queries of a tool. All queries of a request read the memories of one user and
   * agent; each query reads memories of one type. The queries run in parallel. The results come in
   * the order of the queries, one message for each query. A result of more than 32 memories, or of
   * more than 64 KiB, takes several messages.
   *
   * <p>The queries share token budgets: one for the request (QueryMemoryRequest.budget_tokens), and
   * one for each memory type (MemoryAccess.max_budget_tokens). Each query may use the tokens that
   * the queries before it in the request have left. The order in which the searches finish makes no
   * difference.
   *
   * <p>The result of a query is empty when the query is faulty or fails. A search fails when it
   * takes more than 5 seconds. If the hits need more tokens than earlier queries have left, the
   * server searches again with the rest of the tokens. This may take another 5 seconds. The result
   * is also empty when the query asks only for memories that the tool may not read, when no memory
   * matches, or when the queries before it have left too few tokens. GetTurnTrace tells these cases
   * apart. A tool or version without a manifest may read nothing.
   *
   * <p>The server caches a result for at most 5 minutes. A cached result is no longer used once the
   * manifest, or any memory of the namespace, has changed. It is also no longer used once a memory
   * of the query's type has expired, or once the successor of such a memory has expired.
   */
  public ResponseStream<QueryMemoryResponse> queryMemory(QueryMemoryRequest.Builder request) {
    QueryMemoryRequest.Builder copy = request.clone();
    return calls.stream(ToolServiceGrpc.getQueryMemoryMethod(), copy.build());
  }

  /**
   * Stores the memories that a tool has learned, in one atomic step. The `source` of each memory is
   * the tool's id. The tool needs no manifest.
   */
  public SubmitToolResponseResponse submitToolResponse(SubmitToolResponseRequest.Builder request) {
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
   * <p>The entries of a QueryMemory call can be read when the stream of that call has ended.
   * Entries are kept for at least 30 days, unless Reset deletes them. The last entries may be lost
   * if the server is killed. Entries are also lost if the server cannot store them, for example
   * because the user's storage quota is used up.
   */
  public ResponseStream<GetTurnTraceResponse> getTurnTrace(GetTurnTraceRequest.Builder request) {
    GetTurnTraceRequest.Builder copy = request.clone();
    return calls.stream(ToolServiceGrpc.getGetTurnTraceMethod(), copy.build());
  }

  /**
   * Returns the definitions of the tools of a toolset, in the format that the API of a language
   * model expects. The model may call these tools, and Dispatch runs them.
   *
   * <p>Fails with INVALID_ARGUMENT (INVALID_FIELD) when there is no such toolset.
   */
  public GetToolDefinitionsResponse getToolDefinitions(GetToolDefinitionsRequest.Builder request) {
    GetToolDefinitionsRequest.Builder copy = request.clone();
    return calls.unary(ToolServiceGrpc.getGetToolDefinitionsMethod(), copy.build());
  }

  /**
   * Runs a tool of a toolset, and returns a text for the language model that called the tool. The
   * program that runs the model makes this call.
   *
   * <p>Mistakes of the model (an unknown tool, wrong arguments, an unknown key) and failures of the
   * tool do not fail the call. In these cases, `is_error` is true and `result` describes the
   * problem.
   *
   * <p>Fails with PERMISSION_DENIED (ROLE_REQUIRED) when the caller lacks the role that the tool
   * needs. Fails with RESOURCE_EXHAUSTED (REQUEST_TOO_COMPLEX) when arguments_json has too many
   * elements or levels. Fails with INVALID_ARGUMENT when `arguments` and arguments_json are both
   * set, or when run_id, namespace or idempotency_key is invalid. Fails with INVALID_ARGUMENT
   * (IDEMPOTENCY_KEY_REUSED) when idempotency_key was used for a different request before.
   *
   * <p>An error outside of the tool, such as RESOURCE_EXHAUSTED (OVERLOADED), fails the call. Of
   * the errors in the tool, only CANCELLED, DEADLINE_EXCEEDED, INTERNAL and IDEMPOTENCY_KEY_REUSED
   * fail the call. The result describes all others, such as UNAVAILABLE (STORE_UNAVAILABLE). The
   * errors are listed in docs/errors.md.
   */
  public DispatchResponse dispatch(DispatchRequest.Builder request) {
    DispatchRequest.Builder copy = request.clone();
    if (!copy.hasIdempotencyKey()) {
      copy.setIdempotencyKey(Calls.newIdempotencyKey());
    }
    return calls.unary(ToolServiceGrpc.getDispatchMethod(), copy.build());
  }
}

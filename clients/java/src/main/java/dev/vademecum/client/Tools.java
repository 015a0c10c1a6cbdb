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
 * Gives tools limited access to an agent's memories, and stores what tools learn.
 *
 * <p>A manifest declares what a tool may read; QueryMemory returns nothing beyond it. Tools read
 * memories and add new ones; they cannot change memories.
 *
 * <p>When a query fails, its result is empty and the trace of the turn says why. The call itself
 * does not fail, so the tool can continue with the other results.
 *
 * <p>Every mutation takes an `idempotency_key`; see MemoryProvider.
 */
public final class Tools {
  private final Calls calls;

  Tools(Calls calls) {
    this.calls = calls;
  }

  /**
   * Stores the manifest of a version of a tool. An identical manifest changes nothing; a different
   * one replaces the old one.
   *
   * <p>A manifest decides what a tool may read. On a server with credentials, only principals with
   * the role `operator` may store or delete one. On a server without credentials, every caller may.
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
   * Lists manifests page by page, ordered by the UTF-8 bytes of the tool, then of the version.
   */
  public ListToolsResponse listTools(ListToolsRequest.Builder request) {
    ListToolsRequest.Builder copy = request.clone();
    return calls.unary(ToolServiceGrpc.getListToolsMethod(), copy.build());
  }

  /**
   * Deletes a tool, or one of its versions. An unknown tool or version is not an error: `deleted`
   * is 0. Needs the role `operator`, as RegisterTool does.
   */
  public DeleteToolResponse deleteTool(DeleteToolRequest.Builder request) {
    DeleteToolRequest.Builder copy = request.clone();
    if (!copy.hasIdempotencyKey()) {
      copy.setIdempotencyKey(Calls.newIdempotencyKey());
    }
    return calls.unary(ToolServiceGrpc.getDeleteToolMethod(), copy.build());
  }

  /**
   * Answers the queries of a tool, each for one type of memories of one agent. The queries run in
   * parallel. The results come in the order of the queries, one message for each. A result of more
   * than 32 memories or 64 KiB takes several messages.
   *
   * <p>The queries draw on shared budgets, in the order of the request. Each query may use what
   * earlier queries left of the request's budget and of its type's budget. The same request over
   * the same memories therefore always has the same results.
   *
   * <p>A query has an empty result when it breaks a rule, asks for memories that the tool may not
   * read, fails, or takes more than 5 seconds. GetTurnTrace tells these cases apart. An unknown
   * tool or version may read nothing.
   *
   * <p>A result is cached for 5 minutes. The cache drops it when a memory of the namespace changes,
   * a memory of the type expires or the manifest changes.
   */
  public ResponseStream<QueryMemoryResponse> queryMemory(QueryMemoryRequest.Builder request) {
    QueryMemoryRequest.Builder copy = request.clone();
    return calls.stream(ToolServiceGrpc.getQueryMemoryMethod(), copy.build());
  }

  /**
   * Stores what a tool has learned in one atomic step, with `source` set to the tool. The tool
   * needs no manifest.
   */
  public SubmitToolResponseResponse submitToolResponse(SubmitToolResponseRequest.Builder request) {
    SubmitToolResponseRequest.Builder copy = request.clone();
    if (!copy.hasIdempotencyKey()) {
      copy.setIdempotencyKey(Calls.newIdempotencyKey());
    }
    return calls.unary(ToolServiceGrpc.getSubmitToolResponseMethod(), copy.build());
  }

  /**
   * Streams the trace of a request, or of all requests of a task, oldest entry first. The trace
   * contains every QueryMemory whose stream has ended. Without entries, the stream is empty.
   * Entries are kept for 30 days; the most recent ones may be lost if the server is killed.
   */
  public ResponseStream<GetTurnTraceResponse> getTurnTrace(GetTurnTraceRequest.Builder request) {
    GetTurnTraceRequest.Builder copy = request.clone();
    return calls.stream(ToolServiceGrpc.getGetTurnTraceMethod(), copy.build());
  }

  /**
   * Returns the definitions of a toolset: functions that a language model may call to use this
   * service, in the format that the model's API expects.
   */
  public GetToolDefinitionsResponse getToolDefinitions(GetToolDefinitionsRequest.Builder request) {
    GetToolDefinitionsRequest.Builder copy = request.clone();
    return calls.unary(ToolServiceGrpc.getGetToolDefinitionsMethod(), copy.build());
  }

  /**
   * Runs a tool that a language model called, and returns the text for the model.
   *
   * <p>Mistakes of the model (an unknown tool, wrong arguments, an unknown key) and failures of the
   * tool do not fail the call. The result describes them, with `is_error` set.
   *
   * <p>The call fails only when it is interrupted, or with INVALID_ARGUMENT when the host's run_id,
   * namespace or idempotency_key is invalid.
   */
  public DispatchResponse dispatch(DispatchRequest.Builder request) {
    DispatchRequest.Builder copy = request.clone();
    if (!copy.hasIdempotencyKey()) {
      copy.setIdempotencyKey(Calls.newIdempotencyKey());
    }
    return calls.unary(ToolServiceGrpc.getDispatchMethod(), copy.build());
  }
}

// Made from the definitions by `npm run generate`: do not edit.
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
 * Gives tools a part of what an agent remembers, and takes what they learn.
 *
 * <p>A tool says in a manifest what it may read; QueryMemory gives it no more than that. Tools read memories and add new ones; they change none. Whatever goes wrong with one query leaves an empty result and an entry in the trace of the turn, never an error of the call, so that the tool goes on with what it got.
 *
 * <p>Every mutation takes an `idempotency_key`; see MemoryProvider.
 */
public final class Tools {
  private final Calls calls;

  Tools(Calls calls) {
    this.calls = calls;
  }

  /**
   * Stores the manifest of a version of a tool. The same manifest again changes nothing; another one for the same version takes its place. A tool has at most 100 versions; FAILED_PRECONDITION (TOO_MANY_TOOL_VERSIONS) beyond.
   */
  public RegisterToolResponse registerTool(RegisterToolRequest.Builder request) {
    RegisterToolRequest.Builder filled = request.clone();
    if (!filled.hasIdempotencyKey()) {
      filled.setIdempotencyKey(Calls.newIdempotencyKey());
    }
    return calls.unary(ToolServiceGrpc.getRegisterToolMethod(), filled.build());
  }

  /**
   * Lists manifests by tool, then version, in the order of their UTF-8 bytes, page by page.
   */
  public ListToolsResponse listTools(ListToolsRequest.Builder request) {
    ListToolsRequest.Builder filled = request.clone();
    return calls.unary(ToolServiceGrpc.getListToolsMethod(), filled.build());
  }

  /**
   * Deletes a tool, or one of its versions. What is not there is no error: `deleted` is 0.
   */
  public DeleteToolResponse deleteTool(DeleteToolRequest.Builder request) {
    DeleteToolRequest.Builder filled = request.clone();
    if (!filled.hasIdempotencyKey()) {
      filled.setIdempotencyKey(Calls.newIdempotencyKey());
    }
    return calls.unary(ToolServiceGrpc.getDeleteToolMethod(), filled.build());
  }

  /**
   * Answers the queries of a tool, each about one type of memories of one agent. The queries run side by side; the results come in the order of the queries, one message for each, or several for one of more than 32 memories or 64 KiB.
   *
   * <p>The budget is shared in the order of the queries: each gets what it asks for, as far as the request and its type have it left, and what it does not use is there for the next. So the results of the same request over the same memories are always the same.
   *
   * <p>A query that breaks a rule, asks for what the tool may not read, fails, or takes more than 5 seconds has an empty result; GetTurnTrace tells which it was. An unknown tool or version may read nothing. Results are kept for 5 minutes and used again as long as nothing that they were found among has changed or expired.
   */
  public ResponseStream<QueryMemoryResponse> queryMemory(QueryMemoryRequest.Builder request) {
    QueryMemoryRequest.Builder filled = request.clone();
    return calls.stream(ToolServiceGrpc.getQueryMemoryMethod(), filled.build());
  }

  /**
   * Stores what a tool has learned, all of it in one atomic step, with the tool as the source. The tool needs no manifest for it.
   */
  public SubmitToolResponseResponse submitToolResponse(SubmitToolResponseRequest.Builder request) {
    SubmitToolResponseRequest.Builder filled = request.clone();
    if (!filled.hasIdempotencyKey()) {
      filled.setIdempotencyKey(Calls.newIdempotencyKey());
    }
    return calls.unary(ToolServiceGrpc.getSubmitToolResponseMethod(), filled.build());
  }

  /**
   * Streams the trace of a request, or of all requests of a task, oldest entry first; nothing where there is none. Has everything of a QueryMemory whose stream has ended. Entries are kept for 30 days; the last few may be lost if the server is killed.
   */
  public ResponseStream<GetTurnTraceResponse> getTurnTrace(GetTurnTraceRequest.Builder request) {
    GetTurnTraceRequest.Builder filled = request.clone();
    return calls.stream(ToolServiceGrpc.getGetTurnTraceMethod(), filled.build());
  }

  /**
   * Returns the definitions of a toolset: functions that language models may call to use what this service keeps, in the form that chat models take.
   */
  public GetToolDefinitionsResponse getToolDefinitions(GetToolDefinitionsRequest.Builder request) {
    GetToolDefinitionsRequest.Builder filled = request.clone();
    return calls.unary(ToolServiceGrpc.getGetToolDefinitionsMethod(), filled.build());
  }

  /**
   * Runs a tool that a language model asked for, and returns what to tell the model. What the model did wrong (an unknown tool, wrong arguments, a key that is not there) and what the tool could not do are told in the result, with `is_error` set, never as an error of the call. The call itself fails where the host is at fault (INVALID_ARGUMENT for run_id, namespace and idempotency_key), and where it was cut short.
   */
  public DispatchResponse dispatch(DispatchRequest.Builder request) {
    DispatchRequest.Builder filled = request.clone();
    if (!filled.hasIdempotencyKey()) {
      filled.setIdempotencyKey(Calls.newIdempotencyKey());
    }
    return calls.unary(ToolServiceGrpc.getDispatchMethod(), filled.build());
  }
}

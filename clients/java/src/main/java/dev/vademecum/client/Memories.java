// Made from the definitions by `npm run generate`: do not edit.
package dev.vademecum.client;

import dev.vademecum.v1.AddRequest;
import dev.vademecum.v1.AddResponse;
import dev.vademecum.v1.AddTraceRequest;
import dev.vademecum.v1.AddTraceResponse;
import dev.vademecum.v1.DeleteRequest;
import dev.vademecum.v1.DeleteResponse;
import dev.vademecum.v1.DeleteWhereRequest;
import dev.vademecum.v1.DeleteWhereResponse;
import dev.vademecum.v1.ExplainRequest;
import dev.vademecum.v1.ExplainResponse;
import dev.vademecum.v1.GetAllRequest;
import dev.vademecum.v1.GetAllResponse;
import dev.vademecum.v1.GetRequest;
import dev.vademecum.v1.GetResponse;
import dev.vademecum.v1.MemoryProviderGrpc;
import dev.vademecum.v1.Namespace;
import dev.vademecum.v1.ProposeEditRequest;
import dev.vademecum.v1.ProposeEditResponse;
import dev.vademecum.v1.RecallRequest;
import dev.vademecum.v1.RecallResponse;
import dev.vademecum.v1.ResetRequest;
import dev.vademecum.v1.ResetResponse;
import dev.vademecum.v1.SearchRequest;
import dev.vademecum.v1.UpdateRequest;
import dev.vademecum.v1.UpdateResponse;

/**
 * Keeps memories and finds them again.
 *
 * <p>A write is acknowledged when it is durable (synced to disk), atomic and searchable. Every mutation takes an `idempotency_key`: for 24 hours a repeated call with the same key and the same body gets the first call's reply and changes nothing; the same key with another body is INVALID_ARGUMENT (IDEMPOTENCY_KEY_REUSED).
 *
 * <p>Without a deadline of the client a call ends after 30 seconds. A message has at most 4 MiB.
 */
public final class Memories {
  private final Calls calls;
  private final Namespace namespace;
  private final String userId;
  private final String agentId;

  Memories(Calls calls, String userId, String agentId) {
    this.calls = calls;
    this.namespace = Namespace.newBuilder().setUserId(userId).setAgentId(agentId).build();
    this.userId = userId;
    this.agentId = agentId;
  }

  /**
   * Stores one memory. The text is kept exactly as given; no model is called.
   */
  public AddResponse add(AddRequest.Builder request) {
    AddRequest.Builder filled = request.clone();
    filled.setNamespace(namespace);
    if (!filled.hasIdempotencyKey()) {
      filled.setIdempotencyKey(Calls.newIdempotencyKey());
    }
    return calls.unary(MemoryProviderGrpc.getAddMethod(), filled.build());
  }

  /**
   * Stores the trace of a workflow run as a memory of type MEMORY_TYPE_TRACE and kind `trace`, with the content `[trace] workflow=&lt;workflow_id&gt; agent=&lt;agent_id&gt; data=&lt;trace_data as JSON, keys sorted&gt;`.
   */
  public AddTraceResponse addTrace(AddTraceRequest.Builder request) {
    AddTraceRequest.Builder filled = request.clone();
    filled.setAgentId(agentId);
    filled.setUserId(userId);
    if (!filled.hasIdempotencyKey()) {
      filled.setIdempotencyKey(Calls.newIdempotencyKey());
    }
    return calls.unary(MemoryProviderGrpc.getAddTraceMethod(), filled.build());
  }

  /**
   * Finds memories and streams them, best first and packed to the token budget. Each message holds up to 32 hits or 64 KiB; the last one carries the summary, and is the only one for a small result.
   */
  public SearchStream search(SearchRequest.Builder request) {
    SearchRequest.Builder filled = request.clone();
    filled.setNamespace(namespace);
    return new SearchStream(calls.stream(MemoryProviderGrpc.getSearchMethod(), filled.build()));
  }

  /**
   * Search in one reply, with a text that can go into a prompt as it is.
   */
  public RecallResponse recall(SearchRequest.Builder request) {
    SearchRequest.Builder filled = request.clone();
    filled.setNamespace(namespace);
    return calls.unary(MemoryProviderGrpc.getRecallMethod(), RecallRequest.newBuilder().setSearch(filled).build());
  }

  /**
   * Lists memories, newest first, page by page.
   */
  public GetAllResponse getAll(GetAllRequest.Builder request) {
    GetAllRequest.Builder filled = request.clone();
    filled.setNamespace(namespace);
    return calls.unary(MemoryProviderGrpc.getGetAllMethod(), filled.build());
  }

  /**
   * Returns one memory. NOT_FOUND if there is no such memory in the namespace.
   */
  public GetResponse get(GetRequest.Builder request) {
    GetRequest.Builder filled = request.clone();
    filled.setNamespace(namespace);
    return calls.unary(MemoryProviderGrpc.getGetMethod(), filled.build());
  }

  /**
   * Changes fields of one memory. NOT_FOUND if there is no such memory in the namespace; ABORTED if expected_version is given and is not the memory's.
   */
  public UpdateResponse update(UpdateRequest.Builder request) {
    UpdateRequest.Builder filled = request.clone();
    filled.setNamespace(namespace);
    if (!filled.hasIdempotencyKey()) {
      filled.setIdempotencyKey(Calls.newIdempotencyKey());
    }
    return calls.unary(MemoryProviderGrpc.getUpdateMethod(), filled.build());
  }

  /**
   * Deletes one memory. An id that is not in the namespace is no error: `deleted` is false.
   */
  public DeleteResponse delete(DeleteRequest.Builder request) {
    DeleteRequest.Builder filled = request.clone();
    filled.setNamespace(namespace);
    if (!filled.hasIdempotencyKey()) {
      filled.setIdempotencyKey(Calls.newIdempotencyKey());
    }
    return calls.unary(MemoryProviderGrpc.getDeleteMethod(), filled.build());
  }

  /**
   * Deletes all memories that pass a filter, superseded and expired ones included, in one atomic step.
   */
  public DeleteWhereResponse deleteWhere(DeleteWhereRequest.Builder request) {
    DeleteWhereRequest.Builder filled = request.clone();
    filled.setNamespace(namespace);
    if (!filled.hasIdempotencyKey()) {
      filled.setIdempotencyKey(Calls.newIdempotencyKey());
    }
    return calls.unary(MemoryProviderGrpc.getDeleteWhereMethod(), filled.build());
  }

  /**
   * Empties a namespace, or all of the server where it was started with --allow-reset (else PERMISSION_DENIED).
   */
  public ResetResponse reset(ResetRequest.Builder request) {
    ResetRequest.Builder filled = request.clone();
    filled.setNamespace(namespace);
    if (!filled.hasIdempotencyKey()) {
      filled.setIdempotencyKey(Calls.newIdempotencyKey());
    }
    return calls.unary(MemoryProviderGrpc.getResetMethod(), filled.build());
  }

  /**
   * Asks a person to approve an edit of a block or memory, by literal replacement: nothing changes until it is approved (ProposalService). The message of an error is meant for the agent, to correct its call by.
   *
   * <p>INVALID_ARGUMENT if old_string and new_string are equal, old_string is empty or there is no reasoning, in this order; then NOT_FOUND (BLOCK_NOT_FOUND, MEMORY_NOT_FOUND) if there is no such target, FAILED_PRECONDITION if old_string does not occur in it (OLD_STRING_NOT_FOUND), or several times without replace_all (OLD_STRING_AMBIGUOUS), or if the edit would make it too large, or a memory empty (EDIT_RESULT_REFUSED).
   */
  public ProposeEditResponse proposeEdit(ProposeEditRequest.Builder request) {
    ProposeEditRequest.Builder filled = request.clone();
    filled.setNamespace(namespace);
    if (!filled.hasIdempotencyKey()) {
      filled.setIdempotencyKey(Calls.newIdempotencyKey());
    }
    return calls.unary(MemoryProviderGrpc.getProposeEditMethod(), filled.build());
  }

  /**
   * Tells why a memory is, or is not, among the hits of a search: follows it stage by stage. NOT_FOUND if there is no such memory in the namespace. Compares all vectors, also where Search walks a graph (SEARCH_INDEX_GRAPH): there Search may miss a memory far from the query that Explain ranks, and ranks may differ. Costs several searches.
   */
  public ExplainResponse explain(ExplainRequest.Builder request) {
    ExplainRequest.Builder filled = request.clone();
    filled.getSearchBuilder().setNamespace(namespace);
    return calls.unary(MemoryProviderGrpc.getExplainMethod(), filled.build());
  }
}

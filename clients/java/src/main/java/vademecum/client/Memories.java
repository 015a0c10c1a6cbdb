// Generated from the definitions by `npm run generate`. Do not edit.
package vademecum.client;

import vademecum.v1.AddManyRequest;
import vademecum.v1.AddManyResponse;
import vademecum.v1.AddRequest;
import vademecum.v1.AddResponse;
import vademecum.v1.AddTraceRequest;
import vademecum.v1.AddTraceResponse;
import vademecum.v1.BuildContextRequest;
import vademecum.v1.BuildContextResponse;
import vademecum.v1.CountRequest;
import vademecum.v1.CountResponse;
import vademecum.v1.DeleteManyRequest;
import vademecum.v1.DeleteManyResponse;
import vademecum.v1.DeleteRequest;
import vademecum.v1.DeleteResponse;
import vademecum.v1.DeleteWhereRequest;
import vademecum.v1.DeleteWhereResponse;
import vademecum.v1.ExplainRequest;
import vademecum.v1.ExplainResponse;
import vademecum.v1.ExplainSearchRequest;
import vademecum.v1.ExplainSearchResponse;
import vademecum.v1.GetAllRequest;
import vademecum.v1.GetAllResponse;
import vademecum.v1.GetManyRequest;
import vademecum.v1.GetManyResponse;
import vademecum.v1.GetRequest;
import vademecum.v1.GetResponse;
import vademecum.v1.ListMemoryVersionsRequest;
import vademecum.v1.ListMemoryVersionsResponse;
import vademecum.v1.MemoryProviderGrpc;
import vademecum.v1.Namespace;
import vademecum.v1.ProposeEditRequest;
import vademecum.v1.ProposeEditResponse;
import vademecum.v1.RecallRequest;
import vademecum.v1.RecallResponse;
import vademecum.v1.RedactVersionRequest;
import vademecum.v1.RedactVersionResponse;
import vademecum.v1.ResetRequest;
import vademecum.v1.ResetResponse;
import vademecum.v1.RestoreMemoryRequest;
import vademecum.v1.RestoreMemoryResponse;
import vademecum.v1.SearchRequest;
import vademecum.v1.UpdateRequest;
import vademecum.v1.UpdateResponse;
import vademecum.v1.WatchMemoriesRequest;
import vademecum.v1.WatchMemoriesResponse;

/**
 * Stores memories and searches them.
 *
 * <p>A write is atomic. When it is acknowledged, it is durable (synced to disk) and searchable.
 *
 * <p>Every mutation takes an `idempotency_key`, which makes a retry safe for 24 hours. A retry
 * repeats the request of an earlier call, with the same key; a field with its default value equals
 * an unset field. A retry changes nothing and returns the reply of the earlier call, with these
 * exceptions:
 *
 * <ul>
 * <li>A record in the reply (a memory, block, skill or proposal) is the record as it is now. If the
 * record has versions, `replayed_version` says which version the earlier call made.
 * <li>If what the earlier call stored was deleted or has expired since, the retry is a new call and
 * stores it again. A retry of a deletion returns the first reply.
 * </ul>
 *
 * <p>A different request with the same key fails with INVALID_ARGUMENT (IDEMPOTENCY_KEY_REUSED).
 *
 * <p>A principal is a caller that the server knows by its credentials, such as an API key. An
 * idempotency key belongs to one principal, one namespace and one RPC: if one of these differs, the
 * same text is a different key. Add and AddBatch count as one RPC.
 *
 * <p>Without a client deadline, a call ends after 30 seconds; AddBatch has no such limit. A request
 * message has at most 1 MiB in binary and 4 MiB as JSON, a response message at most 4 MiB.
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
   * Stores one memory. The text is kept exactly as given; no language model is called.
   *
   * <p>With an `external_id`, the call can also replace or keep a memory that is there
   * (AddRequest.on_conflict). Without on_conflict, it fails with ALREADY_EXISTS
   * (EXTERNAL_ID_IN_USE) when a memory of the namespace has the external_id.
   *
   * <p>Fails with RESOURCE_EXHAUSTED (NAMESPACE_TOO_LARGE) when the namespace has 5,000,000
   * memories. Every other call that adds memories fails in the same way.
   */
  public AddResponse add(AddRequest.Builder request) {
    AddRequest.Builder copy = request.clone();
    copy.setNamespace(namespace);
    if (!copy.hasIdempotencyKey()) {
      copy.setIdempotencyKey(Calls.newIdempotencyKey());
    }
    return calls.unary(MemoryProviderGrpc.getAddMethod(), copy.build());
  }

  /**
   * Stores the trace of a workflow run as a memory of type MEMORY_TYPE_TRACE and kind `trace`. The
   * content of the memory is
   * `[trace] workflow=&lt;workflow_id&gt; agent=&lt;agent_id&gt; data=&lt;trace_data as JSON, keys sorted&gt;`.
   */
  public AddTraceResponse addTrace(AddTraceRequest.Builder request) {
    AddTraceRequest.Builder copy = request.clone();
    copy.setAgentId(agentId);
    copy.setUserId(userId);
    if (!copy.hasIdempotencyKey()) {
      copy.setIdempotencyKey(Calls.newIdempotencyKey());
    }
    return calls.unary(MemoryProviderGrpc.getAddTraceMethod(), copy.build());
  }

  /**
   * Stores up to 500 memories in one atomic step, over any protocol. Each memory gets a result of
   * its own: an id, or the error of this memory. A memory with an error does not stop the others.
   *
   * <p>The reply names no near-duplicates. For more memories, or memories of several namespaces,
   * use AddBatch or several calls. A call costs about as much as an AddBatch of the same memories,
   * and a small part of as many calls of Add.
   */
  public AddManyResponse addMany(AddManyRequest.Builder request) {
    AddManyRequest.Builder copy = request.clone();
    copy.setNamespace(namespace);
    if (!copy.hasIdempotencyKey()) {
      copy.setIdempotencyKey(Calls.newIdempotencyKey());
    }
    return calls.unary(MemoryProviderGrpc.getAddManyMethod(), copy.build());
  }

  /**
   * Searches memories and streams the hits, best first. All hits together fit into the token
   * budget. After the last hit, the stream has the summary.
   */
  public SearchStream search(SearchRequest.Builder request) {
    SearchRequest.Builder copy = request.clone();
    copy.setNamespace(namespace);
    return new SearchStream(calls.stream(MemoryProviderGrpc.getSearchMethod(), copy.build()));
  }

  /**
   * Searches memories and returns all hits in one reply. The reply also has the hits as one text
   * for a prompt. Fails with RESOURCE_EXHAUSTED (RESPONSE_TOO_LARGE) when the reply would be larger
   * than 4 MiB; Search streams such hits.
   */
  public RecallResponse recall(SearchRequest.Builder request) {
    SearchRequest.Builder copy = request.clone();
    copy.setNamespace(namespace);
    return calls.unary(MemoryProviderGrpc.getRecallMethod(), RecallRequest.newBuilder().setSearch(copy).build());
  }

  /**
   * Builds the whole context of one turn as one text for a prompt, within one token budget: the
   * user's blocks, skills and memories that fit the query, notes of a run, and the last turns of a
   * conversation. All sections but the notes show one state of the user's data. A worked example:
   * docs/guides/context.md.
   *
   * <p>Fails with ABORTED (CONTEXT_CHANGED) when the memories or skills of the namespace changed
   * ten times while the context was built; retry. Fails with RESOURCE_EXHAUSTED
   * (RESPONSE_TOO_LARGE) when the reply would be larger than 4 MiB.
   *
   * <p>Cost: one search, one search for skills, and one read of each block that fits.
   */
  public BuildContextResponse buildContext(BuildContextRequest.Builder request) {
    BuildContextRequest.Builder copy = request.clone();
    copy.setNamespace(namespace);
    return calls.unary(MemoryProviderGrpc.getBuildContextMethod(), copy.build());
  }

  /**
   * Lists memories in one of several orders, by default newest first, page by page.
   */
  public GetAllResponse getAll(GetAllRequest.Builder request) {
    GetAllRequest.Builder copy = request.clone();
    copy.setNamespace(namespace);
    return calls.unary(MemoryProviderGrpc.getGetAllMethod(), copy.build());
  }

  /**
   * Counts the memories that pass a filter: the memories that GetAll lists on all pages together,
   * with the same filter and without include_superseded.
   */
  public CountResponse count(CountRequest.Builder request) {
    CountRequest.Builder copy = request.clone();
    copy.setNamespace(namespace);
    return calls.unary(MemoryProviderGrpc.getCountMethod(), copy.build());
  }

  /**
   * Returns one memory.
   *
   * <p>Fails with NOT_FOUND (MEMORY_NOT_FOUND) when the namespace has no such memory, or when the
   * memory has expired and include_expired is not set.
   */
  public GetResponse get(GetRequest.Builder request) {
    GetRequest.Builder copy = request.clone();
    copy.setNamespace(namespace);
    return calls.unary(MemoryProviderGrpc.getGetMethod(), copy.build());
  }

  /**
   * Returns up to 1,000 memories by their ids, all from one state of the namespace. An id that the
   * namespace does not have is not an error.
   */
  public GetManyResponse getMany(GetManyRequest.Builder request) {
    GetManyRequest.Builder copy = request.clone();
    copy.setNamespace(namespace);
    return calls.unary(MemoryProviderGrpc.getGetManyMethod(), copy.build());
  }

  /**
   * Streams the changes of memories in the order of their commits: of one namespace, or of all
   * agents of a user whom the caller may name. The first message has no events. It says where the
   * watch begins (WatchMemoriesResponse.commit_seq). A worked example: docs/guides/watching.md.
   *
   * <p>Each message says up to which commit the stream is complete. To go on after a broken
   * connection, a restart of the server, or a move of the user to another server (MOVED), pass this
   * number as after_commit_seq. Then no event is lost, and none comes twice, except those of a
   * commit that several messages share.
   *
   * <p>If a memory changes several times before the server reads it for the watch, the stream may
   * leave out all states but the last. Changes by another server with the same PostgreSQL arrive
   * within about a second.
   *
   * <p>Without a client deadline, the call has no time limit. The call fails with these errors:
   *
   * <ul>
   * <li>OUT_OF_RANGE (CHANGES_NOT_KEPT) when the server no longer has all changes. It keeps those
   * of the last 4,096 commits of the user, and none from before a restore, a move or ForgetUser.
   * Watch without after_commit_seq, then read all memories (GetAll), then apply the events.
   * <li>INVALID_ARGUMENT (FOREIGN_COMMIT_SEQ) when after_commit_seq is of another user, is from
   * before the data was restored, or is greater than that of the user's last commit.
   * <li>UNAVAILABLE (SERVER_STOPPING) when the server stops.
   * <li>RESOURCE_EXHAUSTED (TOO_MANY_WATCHES) when 100 calls for the user are open on this server.
   * </ul>
   *
   * <p>This client always sets a deadline, by default 30 seconds after the start of the call. For a
   * longer watch, set a longer timeout, and watch again when the call ends.
   */
  public ResponseStream<WatchMemoriesResponse> watch(WatchMemoriesRequest.Builder request) {
    WatchMemoriesRequest.Builder copy = request.clone();
    copy.setNamespace(namespace);
    return calls.stream(MemoryProviderGrpc.getWatchMemoriesMethod(), copy.build());
  }

  /**
   * Changes fields of one memory.
   *
   * <p>Fails with NOT_FOUND (MEMORY_NOT_FOUND) when the namespace has no such memory, or when the
   * memory has expired and include_expired is not set. Fails with PERMISSION_DENIED (ROLE_REQUIRED)
   * when another principal wrote the content of the memory, and the caller does not have the role
   * `curator`. Fails with ABORTED (VERSION_MISMATCH) when expected_version is given and is not the
   * memory's version.
   */
  public UpdateResponse update(UpdateRequest.Builder request) {
    UpdateRequest.Builder copy = request.clone();
    copy.setNamespace(namespace);
    if (!copy.hasIdempotencyKey()) {
      copy.setIdempotencyKey(Calls.newIdempotencyKey());
    }
    return calls.unary(MemoryProviderGrpc.getUpdateMethod(), copy.build());
  }

  /**
   * Lists the versions of a memory, newest first, page by page. The first one is the present
   * version. Each Update, approved edit and RestoreMemory makes a version. The server keeps the
   * last 20 earlier versions (`--memory-versions`); they go with the memory, and count in quotas.
   *
   * <p>Fails with NOT_FOUND (MEMORY_NOT_FOUND) when the namespace has no such memory, or when the
   * memory has expired.
   */
  public ListMemoryVersionsResponse listMemoryVersions(ListMemoryVersionsRequest.Builder request) {
    ListMemoryVersionsRequest.Builder copy = request.clone();
    copy.setNamespace(namespace);
    return calls.unary(MemoryProviderGrpc.getListMemoryVersionsMethod(), copy.build());
  }

  /**
   * Gives a memory the fields that it had at an earlier version, except expire_time, as its next
   * version. If the content differs, its vector is computed again; in a namespace that holds
   * callers' vectors, the memory then has no vector. The call fails with these errors:
   *
   * <ul>
   * <li>NOT_FOUND (MEMORY_NOT_FOUND) when the namespace has no such memory, or when the memory has
   * expired.
   * <li>NOT_FOUND (MEMORY_VERSION_NOT_FOUND) when the server keeps no such earlier version.
   * <li>FAILED_PRECONDITION (VERSION_REDACTED) when the version was redacted.
   * <li>ABORTED (VERSION_MISMATCH) when expected_version is given and is not the memory's version.
   * </ul>
   */
  public RestoreMemoryResponse restoreMemory(RestoreMemoryRequest.Builder request) {
    RestoreMemoryRequest.Builder copy = request.clone();
    copy.setNamespace(namespace);
    if (!copy.hasIdempotencyKey()) {
      copy.setIdempotencyKey(Calls.newIdempotencyKey());
    }
    return calls.unary(MemoryProviderGrpc.getRestoreMemoryMethod(), copy.build());
  }

  /**
   * Removes the texts of an earlier version of a memory for good, for example a password that was
   * stored by mistake and then replaced. Also removes the texts of all proposals about the memory
   * (Proposal.texts_removed), because they may quote it; pending ones become
   * PROPOSAL_STATUS_CONFLICTED. To redact the present version, change the memory first.
   *
   * <p>Fails with NOT_FOUND (MEMORY_NOT_FOUND, MEMORY_VERSION_NOT_FOUND) when the namespace has no
   * such memory, or when the server keeps no such earlier version.
   */
  public RedactVersionResponse redactVersion(RedactVersionRequest.Builder request) {
    RedactVersionRequest.Builder copy = request.clone();
    copy.setNamespace(namespace);
    if (!copy.hasIdempotencyKey()) {
      copy.setIdempotencyKey(Calls.newIdempotencyKey());
    }
    return calls.unary(MemoryProviderGrpc.getRedactVersionMethod(), copy.build());
  }

  /**
   * Deletes one memory. An unknown id is not an error: `deleted` is false.
   *
   * <p>Fails with PERMISSION_DENIED (ROLE_REQUIRED) when another principal wrote the content of the
   * memory, and the caller does not have the role `curator`.
   *
   * <p>Pending proposals about the memory become PROPOSAL_STATUS_CONFLICTED, or
   * PROPOSAL_STATUS_EXPIRED if their expire_time has passed. All proposals about the memory lose
   * their texts (Proposal.texts_removed). DeleteMany, DeleteWhere and Reset do the same to the
   * proposals about the memories that they delete.
   */
  public DeleteResponse delete(DeleteRequest.Builder request) {
    DeleteRequest.Builder copy = request.clone();
    copy.setNamespace(namespace);
    if (!copy.hasIdempotencyKey()) {
      copy.setIdempotencyKey(Calls.newIdempotencyKey());
    }
    return calls.unary(MemoryProviderGrpc.getDeleteMethod(), copy.build());
  }

  /**
   * Deletes up to 1,000 memories by their ids, in one atomic step. An id that the namespace does
   * not have is not an error.
   */
  public DeleteManyResponse deleteMany(DeleteManyRequest.Builder request) {
    DeleteManyRequest.Builder copy = request.clone();
    copy.setNamespace(namespace);
    if (!copy.hasIdempotencyKey()) {
      copy.setIdempotencyKey(Calls.newIdempotencyKey());
    }
    return calls.unary(MemoryProviderGrpc.getDeleteManyMethod(), copy.build());
  }

  /**
   * Deletes all memories that pass a filter, in one atomic step. Superseded and expired memories
   * are deleted too.
   *
   * <p>Fails with INVALID_ARGUMENT (EMPTY_FILTER) when the filter has no condition. Fails with
   * FAILED_PRECONDITION (TOO_MANY_MATCHES) when more than 10,000 memories pass and dry_run is not
   * set. Nothing is deleted then: narrow the filter, or use Reset.
   */
  public DeleteWhereResponse deleteWhere(DeleteWhereRequest.Builder request) {
    DeleteWhereRequest.Builder copy = request.clone();
    copy.setNamespace(namespace);
    if (!copy.hasIdempotencyKey()) {
      copy.setIdempotencyKey(Calls.newIdempotencyKey());
    }
    return calls.unary(MemoryProviderGrpc.getDeleteWhereMethod(), copy.build());
  }

  /**
   * Deletes all data of the namespace in one atomic step: its memories, its skills and its tool
   * traces. To empty a whole server, call Reset through the stubs.
   */
  public ResetResponse reset(ResetRequest.Builder request) {
    ResetRequest.Builder copy = request.clone();
    copy.setNamespace(namespace);
    if (!copy.hasIdempotencyKey()) {
      copy.setIdempotencyKey(Calls.newIdempotencyKey());
    }
    return calls.unary(MemoryProviderGrpc.getResetMethod(), copy.build());
  }

  /**
   * Proposes an edit of a block or memory (the target). There are three kinds of edits:
   *
   * <ul>
   * <li>The edit replaces one text in the target with another (old_string and new_string).
   * <li>The edit replaces the whole text of the target (new_body). For a label that the user does
   * not have yet, the edit creates the block.
   * <li>The edit adds a text at the end of the target (`append`).
   * </ul>
   *
   * <p>The target does not change until a person approves the edit with ProposalService. Error
   * messages are written for the agent, so that the agent can correct its call.
   *
   * <p>The call fails with the first of these errors that applies:
   *
   * <ul>
   * <li>INVALID_ARGUMENT when old_string equals new_string, when old_string is empty, when `append`
   * is empty, or when reasoning is empty or white space. The first two do not apply to new_body and
   * `append`.
   * <li>NOT_FOUND (BLOCK_NOT_FOUND, MEMORY_NOT_FOUND) when the target does not exist, or is a
   * memory that has expired. The edit of a missing block by new_body creates the block instead.
   * <li>FAILED_PRECONDITION (TEXT_UNCHANGED) when new_body is the text that the target has.
   * <li>FAILED_PRECONDITION (OLD_STRING_NOT_FOUND) when the target does not contain old_string. If
   * different line ends may be the cause, the description of the field violation says so.
   * <li>FAILED_PRECONDITION (OLD_STRING_AMBIGUOUS) when the target contains old_string several
   * times and replace_all is not set. The description of the field violation names the first ten
   * lines on which old_string begins. The ErrorInfo has their numbers as metadata `lines`, such as
   * `1, 3`.
   * <li>FAILED_PRECONDITION (EDIT_RESULT_REFUSED) when the edit would make the target too large, or
   * would leave a memory empty or blank (only white space).
   * </ul>
   */
  public ProposeEditResponse proposeEdit(ProposeEditRequest.Builder request) {
    ProposeEditRequest.Builder copy = request.clone();
    copy.setNamespace(namespace);
    if (!copy.hasIdempotencyKey()) {
      copy.setIdempotencyKey(Calls.newIdempotencyKey());
    }
    return calls.unary(MemoryProviderGrpc.getProposeEditMethod(), copy.build());
  }

  /**
   * Explains why a memory is, or is not, among the hits of a search. The reply says what each stage
   * of the search does to the memory. A call costs as much as several searches.
   *
   * <p>Explain compares the vectors of all memories. Search may look for near vectors
   * (SEARCH_INDEX_NEAR), and may then miss memories whose vectors are far from the query. So the
   * ranks of Explain may differ from the ranks of Search.
   *
   * <p>Fails with NOT_FOUND (MEMORY_NOT_FOUND) when the namespace has no such memory, or when the
   * memory has expired.
   */
  public ExplainResponse explain(ExplainRequest.Builder request) {
    ExplainRequest.Builder copy = request.clone();
    copy.getSearchBuilder().setNamespace(namespace);
    return calls.unary(MemoryProviderGrpc.getExplainMethod(), copy.build());
  }

  /**
   * Searches, and explains the result as a whole: how the query was understood, how many memories
   * each stage left, and how memories came to their places. Follows the hits, what was omitted, the
   * next best memories, and the memories of `ids`, all in one pass over the candidates.
   *
   * <p>The search compares the vectors of all memories, as Explain does. The call costs as much as
   * a few searches, whatever the number of memories that it follows.
   */
  public ExplainSearchResponse explainSearch(ExplainSearchRequest.Builder request) {
    ExplainSearchRequest.Builder copy = request.clone();
    copy.getSearchBuilder().setNamespace(namespace);
    return calls.unary(MemoryProviderGrpc.getExplainSearchMethod(), copy.build());
  }
}

// Generated from the definitions by `npm run generate`. Do not edit.
package vademecum.client;

import vademecum.v1.AppendTurnsRequest;
import vademecum.v1.AppendTurnsResponse;
import vademecum.v1.ClearThreadRequest;
import vademecum.v1.ClearThreadResponse;
import vademecum.v1.ForkThreadRequest;
import vademecum.v1.ForkThreadResponse;
import vademecum.v1.GetTurnsRequest;
import vademecum.v1.GetTurnsResponse;
import vademecum.v1.ListThreadsRequest;
import vademecum.v1.ListThreadsResponse;
import vademecum.v1.Namespace;
import vademecum.v1.PopTurnRequest;
import vademecum.v1.PopTurnResponse;
import vademecum.v1.ReplaceThreadRequest;
import vademecum.v1.ReplaceThreadResponse;
import vademecum.v1.ThreadServiceGrpc;

/**
 * Keeps the turns of conversations in order. A turn is a memory of type MEMORY_TYPE_CONVERSATION
 * with a thread_id, however it was stored. A thread is all turns of a namespace with the same
 * thread_id. It exists while it has a turn. A worked example: docs/guides/threads.md.
 *
 * <p>The turns of a thread are ordered by their time (event_time, or create_time without one), then
 * by id. Turns of one AppendTurns without event_time are in the order of the request. Searches find
 * turns as they find other memories.
 *
 * <p>Each call that writes is one atomic step, for readers too: no call sees a part of its turns.
 * When it is acknowledged, it is durable (synced to disk) and searchable. Mutations take an
 * `idempotency_key`, as in MemoryProvider.
 */
public final class Threads {
  private final Calls calls;
  private final Namespace namespace;

  Threads(Calls calls, String userId, String agentId) {
    this.calls = calls;
    this.namespace = Namespace.newBuilder().setUserId(userId).setAgentId(agentId).build();
  }

  /**
   * Stores turns at the end of a thread. Creates the thread if it does not exist. A turn with an
   * `external_id` that the thread has already is the same turn, and is not stored again.
   *
   * <p>Fails with RESOURCE_EXHAUSTED (NAMESPACE_TOO_LARGE) as Add does.
   */
  public AppendTurnsResponse appendTurns(AppendTurnsRequest.Builder request) {
    AppendTurnsRequest.Builder copy = request.clone();
    copy.setNamespace(namespace);
    if (!copy.hasIdempotencyKey()) {
      copy.setIdempotencyKey(Calls.newIdempotencyKey());
    }
    return calls.unary(ThreadServiceGrpc.getAppendTurnsMethod(), copy.build());
  }

  /**
   * Returns the last turns of a thread, or the last turns before one of its turns. A thread without
   * turns is not an error. Leaves out turns that have expired or are superseded.
   *
   * <p>Fails with NOT_FOUND (MEMORY_NOT_FOUND) when before_id is given and is not a turn of the
   * thread.
   */
  public GetTurnsResponse getTurns(GetTurnsRequest.Builder request) {
    GetTurnsRequest.Builder copy = request.clone();
    copy.setNamespace(namespace);
    return calls.unary(ThreadServiceGrpc.getGetTurnsMethod(), copy.build());
  }

  /**
   * Deletes the last turn of a thread and returns it. Passes over turns that have expired or are
   * superseded. An empty thread is not an error: the reply has no id.
   *
   * <p>Fails with PERMISSION_DENIED (ROLE_REQUIRED) when another principal wrote the turn, and the
   * caller does not have the role `curator`.
   */
  public PopTurnResponse popTurn(PopTurnRequest.Builder request) {
    PopTurnRequest.Builder copy = request.clone();
    copy.setNamespace(namespace);
    if (!copy.hasIdempotencyKey()) {
      copy.setIdempotencyKey(Calls.newIdempotencyKey());
    }
    return calls.unary(ThreadServiceGrpc.getPopTurnMethod(), copy.build());
  }

  /**
   * Deletes all turns of a thread and stores other turns in their place. Creates the thread if it
   * does not exist. For more turns than fit into one request, call ClearThread and then AppendTurns
   * several times, which is not one atomic step.
   *
   * <p>Fails with ABORTED (VERSION_MISMATCH) when expected_version is given and is not the thread's
   * version. Fails with FAILED_PRECONDITION (THREAD_TOO_LONG) when the thread has more than 10,000
   * turns.
   */
  public ReplaceThreadResponse replace(ReplaceThreadRequest.Builder request) {
    ReplaceThreadRequest.Builder copy = request.clone();
    copy.setNamespace(namespace);
    if (!copy.hasIdempotencyKey()) {
      copy.setIdempotencyKey(Calls.newIdempotencyKey());
    }
    return calls.unary(ThreadServiceGrpc.getReplaceThreadMethod(), copy.build());
  }

  /**
   * Deletes all turns of a thread, and the texts of all proposals about them, as Delete does.
   *
   * <p>Fails with PERMISSION_DENIED (ROLE_REQUIRED) when another principal wrote one of the turns,
   * and the caller does not have the role `curator`. Fails with FAILED_PRECONDITION
   * (THREAD_TOO_LONG) when the thread has more than 10,000 turns.
   */
  public ClearThreadResponse clear(ClearThreadRequest.Builder request) {
    ClearThreadRequest.Builder copy = request.clone();
    copy.setNamespace(namespace);
    if (!copy.hasIdempotencyKey()) {
      copy.setIdempotencyKey(Calls.newIdempotencyKey());
    }
    return calls.unary(ThreadServiceGrpc.getClearThreadMethod(), copy.build());
  }

  /**
   * Copies the turns of a thread, or its first turns, into a new thread. The copies are memories of
   * their own, which searches find too. Leaves out turns that have expired or are superseded. A
   * copy has the event_time of its turn, or the create_time if the turn has no event_time. No
   * vector is computed again. The call fails with these errors:
   *
   * <ul>
   * <li>NOT_FOUND (THREAD_NOT_FOUND) when the thread has no turn to copy.
   * <li>NOT_FOUND (MEMORY_NOT_FOUND) when last_id is given and is not a turn of the thread.
   * <li>FAILED_PRECONDITION (THREAD_EXISTS) when the new thread has turns.
   * <li>FAILED_PRECONDITION (THREAD_TOO_LONG) when the copies would be more than 10,000 turns, or
   * more than 16 MiB of content.
   * <li>RESOURCE_EXHAUSTED (NAMESPACE_TOO_LARGE) as Add does.
   * </ul>
   */
  public ForkThreadResponse fork(ForkThreadRequest.Builder request) {
    ForkThreadRequest.Builder copy = request.clone();
    copy.setNamespace(namespace);
    if (!copy.hasIdempotencyKey()) {
      copy.setIdempotencyKey(Calls.newIdempotencyKey());
    }
    return calls.unary(ThreadServiceGrpc.getForkThreadMethod(), copy.build());
  }

  /**
   * Lists the threads of a namespace in the order of the UTF-8 bytes of their ids, page by page.
   */
  public ListThreadsResponse list(ListThreadsRequest.Builder request) {
    ListThreadsRequest.Builder copy = request.clone();
    copy.setNamespace(namespace);
    return calls.unary(ThreadServiceGrpc.getListThreadsMethod(), copy.build());
  }
}

// Generated from the definitions by `npm run generate`. Do not edit.
package vademecum.client;

import vademecum.v1.DeleteKeyRequest;
import vademecum.v1.DeleteKeyResponse;
import vademecum.v1.KeyValueServiceGrpc;
import vademecum.v1.ListKeysRequest;
import vademecum.v1.ListKeysResponse;
import vademecum.v1.ListRunsRequest;
import vademecum.v1.ListRunsResponse;
import vademecum.v1.ReadKeyRequest;
import vademecum.v1.ReadKeyResponse;
import vademecum.v1.ReadKeysRequest;
import vademecum.v1.ReadKeysResponse;
import vademecum.v1.SearchKeysRequest;
import vademecum.v1.SearchKeysResponse;
import vademecum.v1.WriteKeyRequest;
import vademecum.v1.WriteKeyResponse;

/**
 * Keeps notes as values under keys, for an agent that works in cycles: the agent writes a note in
 * one cycle and reads it in the next. Keys belong to a run, such as one task of an agent. Examples:
 * docs/guides/notes.md.
 *
 * <p>The caller chooses the id of a run. A run needs no setup: the first WriteKey with its id
 * creates it. A call never returns keys of another run. On a server without credentials, any caller
 * that knows a run's id may use the run. Keys and values may be any Unicode text. Keys are compared
 * byte for byte: `Plan`, `plan` and `plan/` are three keys. There is no search by meaning, and keys
 * do not expire.
 *
 * <p>A write is durable (synced to disk) when it is acknowledged. Mutations take an
 * `idempotency_key`, as in MemoryProvider. Here an idempotency key belongs to a run, not to a
 * namespace. Without a client deadline, a call ends after 30 seconds.
 */
public final class KeyValues {
  private final Calls calls;
  private final String runId;

  KeyValues(Calls calls, String runId) {
    this.calls = calls;
    this.runId = runId;
  }

  /**
   * Lists the runs that have keys and that the caller may name, ordered by the bytes of their ids
   * in UTF-8, page by page. A page costs what is on it, however many runs there are.
   */
  public ListRunsResponse listRuns(ListRunsRequest.Builder request) {
    ListRunsRequest.Builder copy = request.clone();
    return calls.unary(KeyValueServiceGrpc.getListRunsMethod(), copy.build());
  }

  /**
   * Stores a value under a key. If the key has a value, the new value replaces it.
   *
   * <p>Fails with ABORTED (VERSION_MISMATCH) when expected_version is given and is not the version
   * of the key.
   */
  public WriteKeyResponse write(WriteKeyRequest.Builder request) {
    WriteKeyRequest.Builder copy = request.clone();
    copy.setRunId(runId);
    if (!copy.hasIdempotencyKey()) {
      copy.setIdempotencyKey(Calls.newIdempotencyKey());
    }
    return calls.unary(KeyValueServiceGrpc.getWriteKeyMethod(), copy.build());
  }

  /**
   * Returns the value of a key. An unknown key is not an error: `found` is false.
   */
  public ReadKeyResponse read(ReadKeyRequest.Builder request) {
    ReadKeyRequest.Builder copy = request.clone();
    copy.setRunId(runId);
    return calls.unary(KeyValueServiceGrpc.getReadKeyMethod(), copy.build());
  }

  /**
   * Returns the values of up to 1,000 keys, all from one state of the run. An unknown key is not an
   * error: the reply leaves it out.
   */
  public ReadKeysResponse readMany(ReadKeysRequest.Builder request) {
    ReadKeysRequest.Builder copy = request.clone();
    copy.setRunId(runId);
    return calls.unary(KeyValueServiceGrpc.getReadKeysMethod(), copy.build());
  }

  /**
   * Lists the keys of a run in the order of their first writes, page by page. A key that was
   * deleted and written again comes last.
   */
  public ListKeysResponse list(ListKeysRequest.Builder request) {
    ListKeysRequest.Builder copy = request.clone();
    copy.setRunId(runId);
    return calls.unary(KeyValueServiceGrpc.getListKeysMethod(), copy.build());
  }

  /**
   * Deletes a key and its value. An unknown key is not an error: `deleted` is false.
   */
  public DeleteKeyResponse delete(DeleteKeyRequest.Builder request) {
    DeleteKeyRequest.Builder copy = request.clone();
    copy.setRunId(runId);
    if (!copy.hasIdempotencyKey()) {
      copy.setIdempotencyKey(Calls.newIdempotencyKey());
    }
    return calls.unary(KeyValueServiceGrpc.getDeleteKeyMethod(), copy.build());
  }

  /**
   * Lists the keys that contain a text, in the order of ListKeys, page by page.
   *
   * <p>To fill a page, the call reads the run's keys one after the other, including those that do
   * not match. So a search for a rare text takes longer in a run with more keys.
   */
  public SearchKeysResponse search(SearchKeysRequest.Builder request) {
    SearchKeysRequest.Builder copy = request.clone();
    copy.setRunId(runId);
    return calls.unary(KeyValueServiceGrpc.getSearchKeysMethod(), copy.build());
  }
}

// Generated from the definitions by `npm run generate`. Do not edit.
package dev.vademecum.client;

import dev.vademecum.v1.DeleteKeyRequest;
import dev.vademecum.v1.DeleteKeyResponse;
import dev.vademecum.v1.KeyValueServiceGrpc;
import dev.vademecum.v1.ListKeysRequest;
import dev.vademecum.v1.ListKeysResponse;
import dev.vademecum.v1.ReadKeyRequest;
import dev.vademecum.v1.ReadKeyResponse;
import dev.vademecum.v1.SearchKeysRequest;
import dev.vademecum.v1.SearchKeysResponse;
import dev.vademecum.v1.WriteKeyRequest;
import dev.vademecum.v1.WriteKeyResponse;

/**
 * Keeps the notes of a run as values under keys. An agent can write a note in one cycle and read it
 * in the next.
 *
 * <p>A run is named by its id and needs no setup: writing its first key creates it. Runs never see
 * each other's keys. On a server without credentials, any caller that knows a run's id may use the
 * run. Keys and values may be any Unicode text. Keys are compared byte for byte: `Plan`, `plan` and
 * `plan/` are three keys. There is no semantic search, and keys do not expire.
 *
 * <p>A write is durable (synced to disk) when it is acknowledged. Mutations take an
 * `idempotency_key`, as in MemoryProvider; its keys belong to the run. Without a client deadline, a
 * call ends after 30 seconds.
 */
public final class KeyValues {
  private final Calls calls;
  private final String runId;

  KeyValues(Calls calls, String runId) {
    this.calls = calls;
    this.runId = runId;
  }

  /**
   * Stores a value under a key and replaces an existing value.
   */
  public WriteKeyResponse writeKey(WriteKeyRequest.Builder request) {
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
  public ReadKeyResponse readKey(ReadKeyRequest.Builder request) {
    ReadKeyRequest.Builder copy = request.clone();
    copy.setRunId(runId);
    return calls.unary(KeyValueServiceGrpc.getReadKeyMethod(), copy.build());
  }

  /**
   * Lists the keys of a run in the order of their first write. A key that was deleted and written
   * again moves to the end.
   */
  public ListKeysResponse listKeys(ListKeysRequest.Builder request) {
    ListKeysRequest.Builder copy = request.clone();
    copy.setRunId(runId);
    return calls.unary(KeyValueServiceGrpc.getListKeysMethod(), copy.build());
  }

  /**
   * Deletes a key and its value. An unknown key is not an error: `deleted` is false.
   */
  public DeleteKeyResponse deleteKey(DeleteKeyRequest.Builder request) {
    DeleteKeyRequest.Builder copy = request.clone();
    copy.setRunId(runId);
    if (!copy.hasIdempotencyKey()) {
      copy.setIdempotencyKey(Calls.newIdempotencyKey());
    }
    return calls.unary(KeyValueServiceGrpc.getDeleteKeyMethod(), copy.build());
  }

  /**
   * Lists the keys that contain a text, in the order of ListKeys. The call examines every key of
   * the run.
   */
  public SearchKeysResponse searchKeys(SearchKeysRequest.Builder request) {
    SearchKeysRequest.Builder copy = request.clone();
    copy.setRunId(runId);
    return calls.unary(KeyValueServiceGrpc.getSearchKeysMethod(), copy.build());
  }
}

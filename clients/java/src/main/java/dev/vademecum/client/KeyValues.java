// Made from the definitions by `npm run generate`: do not edit.
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
 * Keeps notes of a run: values under keys, as a notebook that an agent fills in one cycle and reads in the next.
 *
 * <p>A run is named by its id and needs no setting up: it begins with its first key. Runs never see each other's keys; whoever knows a run's id may use it. Keys and values are any Unicode text, compared byte for byte: `Plan`, `plan` and `plan/` are three keys. Nothing is searched by meaning and nothing expires.
 *
 * <p>A write is acknowledged when it is durable (synced to disk). Mutations take an `idempotency_key`, as those of MemoryProvider do; its keys belong to the run. Without a deadline of the client a call ends after 30 seconds.
 */
public final class KeyValues {
  private final Calls calls;
  private final String runId;

  KeyValues(Calls calls, String runId) {
    this.calls = calls;
    this.runId = runId;
  }

  /**
   * Stores a value under a key, in the place of the one that is there.
   */
  public WriteKeyResponse writeKey(WriteKeyRequest.Builder request) {
    WriteKeyRequest.Builder filled = request.clone();
    filled.setRunId(runId);
    if (!filled.hasIdempotencyKey()) {
      filled.setIdempotencyKey(Calls.newIdempotencyKey());
    }
    return calls.unary(KeyValueServiceGrpc.getWriteKeyMethod(), filled.build());
  }

  /**
   * Returns the value of a key. A key that is not there is no error: `found` is false.
   */
  public ReadKeyResponse readKey(ReadKeyRequest.Builder request) {
    ReadKeyRequest.Builder filled = request.clone();
    filled.setRunId(runId);
    return calls.unary(KeyValueServiceGrpc.getReadKeyMethod(), filled.build());
  }

  /**
   * Lists the keys of a run in the order in which they were first written; a key that was deleted and written again counts from then on.
   */
  public ListKeysResponse listKeys(ListKeysRequest.Builder request) {
    ListKeysRequest.Builder filled = request.clone();
    filled.setRunId(runId);
    return calls.unary(KeyValueServiceGrpc.getListKeysMethod(), filled.build());
  }

  /**
   * Deletes a key and its value. A key that is not there is no error: `deleted` is false.
   */
  public DeleteKeyResponse deleteKey(DeleteKeyRequest.Builder request) {
    DeleteKeyRequest.Builder filled = request.clone();
    filled.setRunId(runId);
    if (!filled.hasIdempotencyKey()) {
      filled.setIdempotencyKey(Calls.newIdempotencyKey());
    }
    return calls.unary(KeyValueServiceGrpc.getDeleteKeyMethod(), filled.build());
  }

  /**
   * Lists the keys that contain a text, in the order of ListKeys. Every key of the run is looked at.
   */
  public SearchKeysResponse searchKeys(SearchKeysRequest.Builder request) {
    SearchKeysRequest.Builder filled = request.clone();
    filled.setRunId(runId);
    return calls.unary(KeyValueServiceGrpc.getSearchKeysMethod(), filled.build());
  }
}

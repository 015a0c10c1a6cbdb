// Made from the definitions by `npm run generate`: do not edit.
import { DeleteKeyRequestSchema, type DeleteKeyResponse, KeyValueService, ListKeysRequestSchema, type ListKeysResponse, ReadKeyRequestSchema, type ReadKeyResponse, SearchKeysRequestSchema, type SearchKeysResponse, WriteKeyRequestSchema, type WriteKeyResponse } from "#gen/vademecum/v1/key_value_service_pb.js";
import type { CallOptions, Calls } from "../calls.js";
import { newIdempotencyKey } from "../idempotency-key.js";
import type { Fields } from "../request-fields.js";

/**
 * Keeps notes of a run: values under keys, as a notebook that an agent fills in one cycle and reads in the next.
 *
 * A run is named by its id and needs no setting up: it begins with its first key. Runs never see each other's keys; whoever knows a run's id may use it. Keys and values are any Unicode text, compared byte for byte: `Plan`, `plan` and `plan/` are three keys. Nothing is searched by meaning and nothing expires.
 *
 * A write is acknowledged when it is durable (synced to disk). Mutations take an `idempotency_key`, as those of MemoryProvider do; its keys belong to the run. Without a deadline of the client a call ends after 30 seconds.
 */
export class KeyValues {
  readonly #calls: Calls;
  readonly #runId: string;

  constructor(calls: Calls, runId: string) {
    this.#calls = calls;
    this.#runId = runId;
  }

  /** Stores a value under a key, in the place of the one that is there. */
  writeKey(fields: Fields<typeof WriteKeyRequestSchema, "runId">, options?: CallOptions): Promise<WriteKeyResponse> {
    return this.#calls.unary(KeyValueService.method.writeKey, { ...fields, runId: this.#runId, idempotencyKey: fields.idempotencyKey ?? newIdempotencyKey() }, options);
  }

  /** Returns the value of a key. A key that is not there is no error: `found` is false. */
  readKey(fields: Fields<typeof ReadKeyRequestSchema, "runId">, options?: CallOptions): Promise<ReadKeyResponse> {
    return this.#calls.unary(KeyValueService.method.readKey, { ...fields, runId: this.#runId }, options);
  }

  /** Lists the keys of a run in the order in which they were first written; a key that was deleted and written again counts from then on. */
  listKeys(fields: Fields<typeof ListKeysRequestSchema, "runId"> = {}, options?: CallOptions): Promise<ListKeysResponse> {
    return this.#calls.unary(KeyValueService.method.listKeys, { ...fields, runId: this.#runId }, options);
  }

  /** Deletes a key and its value. A key that is not there is no error: `deleted` is false. */
  deleteKey(fields: Fields<typeof DeleteKeyRequestSchema, "runId">, options?: CallOptions): Promise<DeleteKeyResponse> {
    return this.#calls.unary(KeyValueService.method.deleteKey, { ...fields, runId: this.#runId, idempotencyKey: fields.idempotencyKey ?? newIdempotencyKey() }, options);
  }

  /** Lists the keys that contain a text, in the order of ListKeys. Every key of the run is looked at. */
  searchKeys(fields: Fields<typeof SearchKeysRequestSchema, "runId"> = {}, options?: CallOptions): Promise<SearchKeysResponse> {
    return this.#calls.unary(KeyValueService.method.searchKeys, { ...fields, runId: this.#runId }, options);
  }
}

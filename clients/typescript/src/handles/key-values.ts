// Generated from the definitions by `npm run generate`. Do not edit.
import { DeleteKeyRequestSchema, type DeleteKeyResponse, KeyValueService, ListKeysRequestSchema, type ListKeysResponse, ListRunsRequestSchema, type ListRunsResponse, ReadKeyRequestSchema, type ReadKeyResponse, ReadKeysRequestSchema, type ReadKeysResponse, SearchKeysRequestSchema, type SearchKeysResponse, WriteKeyRequestSchema, type WriteKeyResponse } from "#gen/vademecum/v1/key_value_service_pb.js";
import type { CallOptions, Calls } from "../calls.js";
import { newIdempotencyKey } from "../idempotency-key.js";
import type { Fields } from "../request-fields.js";

/**
 * Keeps notes as values under keys, for an agent that works in cycles: the agent writes a note in
 * one cycle and reads it in the next. Keys belong to a run, such as one task of an agent. Examples:
 * docs/guides/notes.md.
 *
 * The caller chooses the id of a run. A run needs no setup: the first WriteKey with its id creates
 * it. A call never returns keys of another run. On a server without credentials, any caller that
 * knows a run's id may use the run. Keys and values may be any Unicode text. Keys are compared byte
 * for byte: `Plan`, `plan` and `plan/` are three keys. There is no search by meaning, and keys do
 * not expire.
 *
 * A write is durable (synced to disk) when it is acknowledged. Mutations take an `idempotency_key`,
 * as in MemoryProvider. Here an idempotency key belongs to a run, not to a namespace. Without a
 * client deadline, a call ends after 30 seconds.
 */
export class KeyValues {
  readonly #calls: Calls;
  readonly #runId: string;

  constructor(calls: Calls, runId: string) {
    this.#calls = calls;
    this.#runId = runId;
  }

  /**
   * Lists the runs that have keys and that the caller may name, ordered by the bytes of their ids
   * in UTF-8, page by page. A page costs what is on it, however many runs there are.
   */
  listRuns(fields: Fields<typeof ListRunsRequestSchema> = {}, options?: CallOptions): Promise<ListRunsResponse> {
    return this.#calls.unary(KeyValueService.method.listRuns, { ...fields }, options);
  }

  /**
   * Stores a value under a key. If the key has a value, the new value replaces it.
   *
   * Fails with ABORTED (VERSION_MISMATCH) when expected_version is given and is not the version of
   * the key.
   */
  write(fields: Fields<typeof WriteKeyRequestSchema, "runId", "key">, options?: CallOptions): Promise<WriteKeyResponse> {
    return this.#calls.unary(KeyValueService.method.writeKey, { ...fields, runId: this.#runId, idempotencyKey: fields.idempotencyKey ?? newIdempotencyKey() }, options);
  }

  /** Returns the value of a key. An unknown key is not an error: `found` is false. */
  read(fields: Fields<typeof ReadKeyRequestSchema, "runId", "key">, options?: CallOptions): Promise<ReadKeyResponse> {
    return this.#calls.unary(KeyValueService.method.readKey, { ...fields, runId: this.#runId }, options);
  }

  /**
   * Returns the values of up to 1,000 keys, all from one state of the run. An unknown key is not an
   * error: the reply leaves it out.
   */
  readMany(fields: Fields<typeof ReadKeysRequestSchema, "runId", "keys">, options?: CallOptions): Promise<ReadKeysResponse> {
    return this.#calls.unary(KeyValueService.method.readKeys, { ...fields, runId: this.#runId }, options);
  }

  /**
   * Lists the keys of a run in the order of their first writes, page by page. A key that was
   * deleted and written again comes last.
   */
  list(fields: Fields<typeof ListKeysRequestSchema, "runId"> = {}, options?: CallOptions): Promise<ListKeysResponse> {
    return this.#calls.unary(KeyValueService.method.listKeys, { ...fields, runId: this.#runId }, options);
  }

  /** Deletes a key and its value. An unknown key is not an error: `deleted` is false. */
  delete(fields: Fields<typeof DeleteKeyRequestSchema, "runId", "key">, options?: CallOptions): Promise<DeleteKeyResponse> {
    return this.#calls.unary(KeyValueService.method.deleteKey, { ...fields, runId: this.#runId, idempotencyKey: fields.idempotencyKey ?? newIdempotencyKey() }, options);
  }

  /**
   * Lists the keys that contain a text, in the order of ListKeys, page by page.
   *
   * To fill a page, the call reads the run's keys one after the other, including those that do not
   * match. So a search for a rare text takes longer in a run with more keys.
   */
  search(fields: Fields<typeof SearchKeysRequestSchema, "runId"> = {}, options?: CallOptions): Promise<SearchKeysResponse> {
    return this.#calls.unary(KeyValueService.method.searchKeys, { ...fields, runId: this.#runId }, options);
  }
}

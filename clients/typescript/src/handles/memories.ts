// Made from the definitions by `npm run generate`: do not edit.
import { create } from "@bufbuild/protobuf";
import { type Namespace, NamespaceSchema } from "#gen/vademecum/v1/memory_pb.js";
import { AddRequestSchema, type AddResponse, AddTraceRequestSchema, type AddTraceResponse, DeleteRequestSchema, type DeleteResponse, DeleteWhereRequestSchema, type DeleteWhereResponse, ExplainRequestSchema, type ExplainResponse, GetAllRequestSchema, type GetAllResponse, GetRequestSchema, type GetResponse, MemoryProvider, ProposeEditRequestSchema, type ProposeEditResponse, type RecallResponse, ResetRequestSchema, type ResetResponse, UpdateRequestSchema, type UpdateResponse } from "#gen/vademecum/v1/memory_provider_pb.js";
import { SearchRequestSchema } from "#gen/vademecum/v1/search_pb.js";
import type { CallOptions, Calls } from "../calls.js";
import { newIdempotencyKey } from "../idempotency-key.js";
import type { Fields } from "../request-fields.js";
import { SearchStream } from "../search-stream.js";

/**
 * Keeps memories and finds them again.
 *
 * A write is acknowledged when it is durable (synced to disk), atomic and searchable. Every mutation takes an `idempotency_key`: for 24 hours a repeated call with the same key and the same body gets the first call's reply and changes nothing; the same key with another body is INVALID_ARGUMENT (IDEMPOTENCY_KEY_REUSED).
 *
 * Without a deadline of the client a call ends after 30 seconds. A message has at most 4 MiB.
 */
export class Memories {
  readonly #calls: Calls;
  readonly #namespace: Namespace;
  readonly #userId: string;
  readonly #agentId: string;

  constructor(calls: Calls, userId: string, agentId: string) {
    this.#calls = calls;
    this.#namespace = create(NamespaceSchema, { userId, agentId });
    this.#userId = userId;
    this.#agentId = agentId;
  }

  /** Stores one memory. The text is kept exactly as given; no model is called. */
  add(fields: Fields<typeof AddRequestSchema, "namespace">, options?: CallOptions): Promise<AddResponse> {
    return this.#calls.unary(MemoryProvider.method.add, { ...fields, namespace: this.#namespace, idempotencyKey: fields.idempotencyKey ?? newIdempotencyKey() }, options);
  }

  /** Stores the trace of a workflow run as a memory of type MEMORY_TYPE_TRACE and kind `trace`, with the content `[trace] workflow=<workflow_id> agent=<agent_id> data=<trace_data as JSON, keys sorted>`. */
  addTrace(fields: Fields<typeof AddTraceRequestSchema, "agentId" | "userId"> = {}, options?: CallOptions): Promise<AddTraceResponse> {
    return this.#calls.unary(MemoryProvider.method.addTrace, { ...fields, agentId: this.#agentId, userId: this.#userId, idempotencyKey: fields.idempotencyKey ?? newIdempotencyKey() }, options);
  }

  /** Finds memories and streams them, best first and packed to the token budget. Each message holds up to 32 hits or 64 KiB; the last one carries the summary, and is the only one for a small result. */
  search(fields: Fields<typeof SearchRequestSchema, "namespace"> = {}, options?: CallOptions): SearchStream {
    return new SearchStream(this.#calls.stream(MemoryProvider.method.search, { ...fields, namespace: this.#namespace }, options));
  }

  /** Search in one reply, with a text that can go into a prompt as it is. */
  recall(fields: Fields<typeof SearchRequestSchema, "namespace"> = {}, options?: CallOptions): Promise<RecallResponse> {
    return this.#calls.unary(MemoryProvider.method.recall, { search: { ...fields, namespace: this.#namespace } }, options);
  }

  /** Lists memories, newest first, page by page. */
  getAll(fields: Fields<typeof GetAllRequestSchema, "namespace"> = {}, options?: CallOptions): Promise<GetAllResponse> {
    return this.#calls.unary(MemoryProvider.method.getAll, { ...fields, namespace: this.#namespace }, options);
  }

  /** Returns one memory. NOT_FOUND if there is no such memory in the namespace. */
  get(fields: Fields<typeof GetRequestSchema, "namespace">, options?: CallOptions): Promise<GetResponse> {
    return this.#calls.unary(MemoryProvider.method.get, { ...fields, namespace: this.#namespace }, options);
  }

  /** Changes fields of one memory. NOT_FOUND if there is no such memory in the namespace; ABORTED if expected_version is given and is not the memory's. */
  update(fields: Fields<typeof UpdateRequestSchema, "namespace">, options?: CallOptions): Promise<UpdateResponse> {
    return this.#calls.unary(MemoryProvider.method.update, { ...fields, namespace: this.#namespace, idempotencyKey: fields.idempotencyKey ?? newIdempotencyKey() }, options);
  }

  /** Deletes one memory. An id that is not in the namespace is no error: `deleted` is false. */
  delete(fields: Fields<typeof DeleteRequestSchema, "namespace">, options?: CallOptions): Promise<DeleteResponse> {
    return this.#calls.unary(MemoryProvider.method.delete, { ...fields, namespace: this.#namespace, idempotencyKey: fields.idempotencyKey ?? newIdempotencyKey() }, options);
  }

  /** Deletes all memories that pass a filter, superseded and expired ones included, in one atomic step. */
  deleteWhere(fields: Fields<typeof DeleteWhereRequestSchema, "namespace"> = {}, options?: CallOptions): Promise<DeleteWhereResponse> {
    return this.#calls.unary(MemoryProvider.method.deleteWhere, { ...fields, namespace: this.#namespace, idempotencyKey: fields.idempotencyKey ?? newIdempotencyKey() }, options);
  }

  /** Empties a namespace, or all of the server where it was started with --allow-reset (else PERMISSION_DENIED). */
  reset(fields: Fields<typeof ResetRequestSchema, "target"> = {}, options?: CallOptions): Promise<ResetResponse> {
    return this.#calls.unary(MemoryProvider.method.reset, { ...fields, target: { case: "namespace", value: this.#namespace }, idempotencyKey: fields.idempotencyKey ?? newIdempotencyKey() }, options);
  }

  /**
   * Asks a person to approve an edit of a block or memory, by literal replacement: nothing changes until it is approved (ProposalService). The message of an error is meant for the agent, to correct its call by.
   *
   * INVALID_ARGUMENT if old_string and new_string are equal, old_string is empty or there is no reasoning, in this order; then NOT_FOUND (BLOCK_NOT_FOUND, MEMORY_NOT_FOUND) if there is no such target, FAILED_PRECONDITION if old_string does not occur in it (OLD_STRING_NOT_FOUND), or several times without replace_all (OLD_STRING_AMBIGUOUS), or if the edit would make it too large, or a memory empty (EDIT_RESULT_REFUSED).
   */
  proposeEdit(fields: Fields<typeof ProposeEditRequestSchema, "namespace"> = {}, options?: CallOptions): Promise<ProposeEditResponse> {
    return this.#calls.unary(MemoryProvider.method.proposeEdit, { ...fields, namespace: this.#namespace, idempotencyKey: fields.idempotencyKey ?? newIdempotencyKey() }, options);
  }

  /** Tells why a memory is, or is not, among the hits of a search: follows it stage by stage. NOT_FOUND if there is no such memory in the namespace. Compares all vectors, also where Search walks a graph (SEARCH_INDEX_GRAPH): there Search may miss a memory far from the query that Explain ranks, and ranks may differ. Costs several searches. */
  explain(fields: Fields<typeof ExplainRequestSchema>, options?: CallOptions): Promise<ExplainResponse> {
    return this.#calls.unary(MemoryProvider.method.explain, { ...fields, search: { ...fields.search, namespace: this.#namespace } }, options);
  }
}

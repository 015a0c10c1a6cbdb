// Generated from the definitions by `npm run generate`. Do not edit.
import { create } from "@bufbuild/protobuf";
import { BuildContextRequestSchema, type BuildContextResponse } from "#gen/vademecum/v1/context_pb.js";
import { type Namespace, NamespaceSchema } from "#gen/vademecum/v1/memory_pb.js";
import { AddManyRequestSchema, type AddManyResponse, AddRequestSchema, type AddResponse, AddTraceRequestSchema, type AddTraceResponse, CountRequestSchema, type CountResponse, DeleteManyRequestSchema, type DeleteManyResponse, DeleteRequestSchema, type DeleteResponse, DeleteWhereRequestSchema, type DeleteWhereResponse, ExplainRequestSchema, type ExplainResponse, ExplainSearchRequestSchema, type ExplainSearchResponse, GetAllRequestSchema, type GetAllResponse, GetManyRequestSchema, type GetManyResponse, GetRequestSchema, type GetResponse, ListMemoryVersionsRequestSchema, type ListMemoryVersionsResponse, MemoryProvider, ProposeEditRequestSchema, type ProposeEditResponse, type RecallResponse, RedactVersionRequestSchema, type RedactVersionResponse, ResetRequestSchema, type ResetResponse, RestoreMemoryRequestSchema, type RestoreMemoryResponse, UpdateRequestSchema, type UpdateResponse, WatchMemoriesRequestSchema, type WatchMemoriesResponse } from "#gen/vademecum/v1/memory_provider_pb.js";
import { SearchRequestSchema } from "#gen/vademecum/v1/search_pb.js";
import type { CallOptions, Calls, ResponseStream } from "../calls.js";
import { newIdempotencyKey } from "../idempotency-key.js";
import type { Fields } from "../request-fields.js";
import { SearchStream } from "../search-stream.js";

/**
 * Stores memories and searches them.
 *
 * A write is atomic. When it is acknowledged, it is durable (synced to disk) and searchable.
 *
 * Every mutation takes an `idempotency_key`, which makes a retry safe for 24 hours. A retry repeats
 * the request of an earlier call, with the same key; a field with its default value equals an unset
 * field. A retry changes nothing and returns the reply of the earlier call, with these exceptions:
 *
 * - A record in the reply (a memory, block, skill or proposal) is the record as it is now. If the
 *   record has versions, `replayed_version` says which version the earlier call made.
 * - If what the earlier call stored was deleted or has expired since, the retry is a new call and
 *   stores it again. A retry of a deletion returns the first reply.
 *
 * A different request with the same key fails with INVALID_ARGUMENT (IDEMPOTENCY_KEY_REUSED).
 *
 * A principal is a caller that the server knows by its credentials, such as an API key. An
 * idempotency key belongs to one principal, one namespace and one RPC: if one of these differs, the
 * same text is a different key. Add and AddBatch count as one RPC.
 *
 * Without a client deadline, a call ends after 30 seconds; AddBatch has no such limit. A request
 * message has at most 1 MiB in binary and 4 MiB as JSON, a response message at most 4 MiB.
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

  /**
   * Stores one memory. The text is kept exactly as given; no language model is called.
   *
   * With an `external_id`, the call can also replace or keep a memory that is there
   * (AddRequest.on_conflict). Without on_conflict, it fails with ALREADY_EXISTS
   * (EXTERNAL_ID_IN_USE) when a memory of the namespace has the external_id.
   *
   * Fails with RESOURCE_EXHAUSTED (NAMESPACE_TOO_LARGE) when the namespace has 5,000,000 memories.
   * Every other call that adds memories fails in the same way.
   */
  add(fields: Fields<typeof AddRequestSchema, "namespace", "content">, options?: CallOptions): Promise<AddResponse> {
    return this.#calls.unary(MemoryProvider.method.add, { ...fields, namespace: this.#namespace, idempotencyKey: fields.idempotencyKey ?? newIdempotencyKey() }, options);
  }

  /**
   * Stores the trace of a workflow run as a memory of type MEMORY_TYPE_TRACE and kind `trace`. The
   * content of the memory is
   * `[trace] workflow=<workflow_id> agent=<agent_id> data=<trace_data as JSON, keys sorted>`.
   */
  addTrace(fields: Fields<typeof AddTraceRequestSchema, "agentId" | "userId", "workflowId" | "traceData">, options?: CallOptions): Promise<AddTraceResponse> {
    return this.#calls.unary(MemoryProvider.method.addTrace, { ...fields, agentId: this.#agentId, userId: this.#userId, idempotencyKey: fields.idempotencyKey ?? newIdempotencyKey() }, options);
  }

  /**
   * Stores up to 500 memories in one atomic step, over any protocol. Each memory gets a result of
   * its own: an id, or the error of this memory. A memory with an error does not stop the others.
   *
   * The reply names no near-duplicates. For more memories, or memories of several namespaces, use
   * AddBatch or several calls. A call costs about as much as an AddBatch of the same memories, and
   * a small part of as many calls of Add.
   */
  addMany(fields: Fields<typeof AddManyRequestSchema, "namespace", "memories">, options?: CallOptions): Promise<AddManyResponse> {
    return this.#calls.unary(MemoryProvider.method.addMany, { ...fields, namespace: this.#namespace, idempotencyKey: fields.idempotencyKey ?? newIdempotencyKey() }, options);
  }

  /**
   * Searches memories and streams the hits, best first. All hits together fit into the token
   * budget. After the last hit, the stream has the summary.
   */
  search(fields: Fields<typeof SearchRequestSchema, "namespace"> = {}, options?: CallOptions): SearchStream {
    return new SearchStream(this.#calls.stream(MemoryProvider.method.search, { ...fields, namespace: this.#namespace }, options));
  }

  /**
   * Searches memories and returns all hits in one reply. The reply also has the hits as one text
   * for a prompt. Fails with RESOURCE_EXHAUSTED (RESPONSE_TOO_LARGE) when the reply would be larger
   * than 4 MiB; Search streams such hits.
   */
  recall(fields: Fields<typeof SearchRequestSchema, "namespace"> = {}, options?: CallOptions): Promise<RecallResponse> {
    return this.#calls.unary(MemoryProvider.method.recall, { search: { ...fields, namespace: this.#namespace } }, options);
  }

  /**
   * Builds the whole context of one turn as one text for a prompt, within one token budget: the
   * user's blocks, skills and memories that fit the query, notes of a run, and the last turns of a
   * conversation. All sections but the notes show one state of the user's data. A worked example:
   * docs/guides/context.md.
   *
   * Fails with ABORTED (CONTEXT_CHANGED) when the memories or skills of the namespace changed ten
   * times while the context was built; retry. Fails with RESOURCE_EXHAUSTED (RESPONSE_TOO_LARGE)
   * when the reply would be larger than 4 MiB.
   *
   * Cost: one search, one search for skills, and one read of each block that fits.
   */
  buildContext(fields: Fields<typeof BuildContextRequestSchema, "namespace", "budgetTokens">, options?: CallOptions): Promise<BuildContextResponse> {
    return this.#calls.unary(MemoryProvider.method.buildContext, { ...fields, namespace: this.#namespace }, options);
  }

  /** Lists memories in one of several orders, by default newest first, page by page. */
  getAll(fields: Fields<typeof GetAllRequestSchema, "namespace"> = {}, options?: CallOptions): Promise<GetAllResponse> {
    return this.#calls.unary(MemoryProvider.method.getAll, { ...fields, namespace: this.#namespace }, options);
  }

  /**
   * Counts the memories that pass a filter: the memories that GetAll lists on all pages together,
   * with the same filter and without include_superseded.
   */
  count(fields: Fields<typeof CountRequestSchema, "namespace"> = {}, options?: CallOptions): Promise<CountResponse> {
    return this.#calls.unary(MemoryProvider.method.count, { ...fields, namespace: this.#namespace }, options);
  }

  /**
   * Returns one memory.
   *
   * Fails with NOT_FOUND (MEMORY_NOT_FOUND) when the namespace has no such memory, or when the
   * memory has expired and include_expired is not set.
   */
  get(fields: Fields<typeof GetRequestSchema, "namespace"> = {}, options?: CallOptions): Promise<GetResponse> {
    return this.#calls.unary(MemoryProvider.method.get, { ...fields, namespace: this.#namespace }, options);
  }

  /**
   * Returns up to 1,000 memories by their ids, all from one state of the namespace. An id that the
   * namespace does not have is not an error.
   */
  getMany(fields: Fields<typeof GetManyRequestSchema, "namespace", "ids">, options?: CallOptions): Promise<GetManyResponse> {
    return this.#calls.unary(MemoryProvider.method.getMany, { ...fields, namespace: this.#namespace }, options);
  }

  /**
   * Streams the changes of memories in the order of their commits: of one namespace, or of all
   * agents of a user whom the caller may name. The first message has no events. It says where the
   * watch begins (WatchMemoriesResponse.commit_seq). A worked example: docs/guides/watching.md.
   *
   * Each message says up to which commit the stream is complete. To go on after a broken
   * connection, a restart of the server, or a move of the user to another server (MOVED), pass this
   * number as after_commit_seq. Then no event is lost, and none comes twice, except those of a
   * commit that several messages share.
   *
   * If a memory changes several times before the server reads it for the watch, the stream may
   * leave out all states but the last. Changes by another server with the same PostgreSQL arrive
   * within about a second.
   *
   * Without a client deadline, the call has no time limit. The call fails with these errors:
   *
   * - OUT_OF_RANGE (CHANGES_NOT_KEPT) when the server no longer has all changes. It keeps those of
   *   the last 4,096 commits of the user, and none from before a restore, a move or ForgetUser.
   *   Watch without after_commit_seq, then read all memories (GetAll), then apply the events.
   * - INVALID_ARGUMENT (FOREIGN_COMMIT_SEQ) when after_commit_seq is of another user, is from
   *   before the data was restored, or is greater than that of the user's last commit.
   * - UNAVAILABLE (SERVER_STOPPING) when the server stops.
   * - RESOURCE_EXHAUSTED (TOO_MANY_WATCHES) when 100 calls for the user are open on this server.
   *
   * This client always sets a deadline, by default 30 seconds after the start of the call. For a
   * longer watch, set a longer timeout, and watch again when the call ends.
   */
  watch(fields: Fields<typeof WatchMemoriesRequestSchema, "namespace"> = {}, options?: CallOptions): ResponseStream<WatchMemoriesResponse> {
    return this.#calls.stream(MemoryProvider.method.watchMemories, { ...fields, namespace: this.#namespace }, options);
  }

  /**
   * Changes fields of one memory.
   *
   * Fails with NOT_FOUND (MEMORY_NOT_FOUND) when the namespace has no such memory, or when the
   * memory has expired and include_expired is not set. Fails with PERMISSION_DENIED (ROLE_REQUIRED)
   * when another principal wrote the content of the memory, and the caller does not have the role
   * `curator`. Fails with ABORTED (VERSION_MISMATCH) when expected_version is given and is not the
   * memory's version.
   */
  update(fields: Fields<typeof UpdateRequestSchema, "namespace", "changes">, options?: CallOptions): Promise<UpdateResponse> {
    return this.#calls.unary(MemoryProvider.method.update, { ...fields, namespace: this.#namespace, idempotencyKey: fields.idempotencyKey ?? newIdempotencyKey() }, options);
  }

  /**
   * Lists the versions of a memory, newest first, page by page. The first one is the present
   * version. Each Update, approved edit and RestoreMemory makes a version. The server keeps the
   * last 20 earlier versions (`--memory-versions`); they go with the memory, and count in quotas.
   *
   * Fails with NOT_FOUND (MEMORY_NOT_FOUND) when the namespace has no such memory, or when the
   * memory has expired.
   */
  listMemoryVersions(fields: Fields<typeof ListMemoryVersionsRequestSchema, "namespace", "id">, options?: CallOptions): Promise<ListMemoryVersionsResponse> {
    return this.#calls.unary(MemoryProvider.method.listMemoryVersions, { ...fields, namespace: this.#namespace }, options);
  }

  /**
   * Gives a memory the fields that it had at an earlier version, except expire_time, as its next
   * version. If the content differs, its vector is computed again; in a namespace that holds
   * callers' vectors, the memory then has no vector. The call fails with these errors:
   *
   * - NOT_FOUND (MEMORY_NOT_FOUND) when the namespace has no such memory, or when the memory has
   *   expired.
   * - NOT_FOUND (MEMORY_VERSION_NOT_FOUND) when the server keeps no such earlier version.
   * - FAILED_PRECONDITION (VERSION_REDACTED) when the version was redacted.
   * - ABORTED (VERSION_MISMATCH) when expected_version is given and is not the memory's version.
   */
  restoreMemory(fields: Fields<typeof RestoreMemoryRequestSchema, "namespace", "id" | "version">, options?: CallOptions): Promise<RestoreMemoryResponse> {
    return this.#calls.unary(MemoryProvider.method.restoreMemory, { ...fields, namespace: this.#namespace, idempotencyKey: fields.idempotencyKey ?? newIdempotencyKey() }, options);
  }

  /**
   * Removes the texts of an earlier version of a memory for good, for example a password that was
   * stored by mistake and then replaced. Also removes the texts of all proposals about the memory
   * (Proposal.texts_removed), because they may quote it; pending ones become
   * PROPOSAL_STATUS_CONFLICTED. To redact the present version, change the memory first.
   *
   * Fails with NOT_FOUND (MEMORY_NOT_FOUND, MEMORY_VERSION_NOT_FOUND) when the namespace has no
   * such memory, or when the server keeps no such earlier version.
   */
  redactVersion(fields: Fields<typeof RedactVersionRequestSchema, "namespace", "id" | "version">, options?: CallOptions): Promise<RedactVersionResponse> {
    return this.#calls.unary(MemoryProvider.method.redactVersion, { ...fields, namespace: this.#namespace, idempotencyKey: fields.idempotencyKey ?? newIdempotencyKey() }, options);
  }

  /**
   * Deletes one memory. An unknown id is not an error: `deleted` is false.
   *
   * Fails with PERMISSION_DENIED (ROLE_REQUIRED) when another principal wrote the content of the
   * memory, and the caller does not have the role `curator`.
   *
   * Pending proposals about the memory become PROPOSAL_STATUS_CONFLICTED, or
   * PROPOSAL_STATUS_EXPIRED if their expire_time has passed. All proposals about the memory lose
   * their texts (Proposal.texts_removed). DeleteMany, DeleteWhere and Reset do the same to the
   * proposals about the memories that they delete.
   */
  delete(fields: Fields<typeof DeleteRequestSchema, "namespace"> = {}, options?: CallOptions): Promise<DeleteResponse> {
    return this.#calls.unary(MemoryProvider.method.delete, { ...fields, namespace: this.#namespace, idempotencyKey: fields.idempotencyKey ?? newIdempotencyKey() }, options);
  }

  /**
   * Deletes up to 1,000 memories by their ids, in one atomic step. An id that the namespace does
   * not have is not an error.
   */
  deleteMany(fields: Fields<typeof DeleteManyRequestSchema, "namespace", "ids">, options?: CallOptions): Promise<DeleteManyResponse> {
    return this.#calls.unary(MemoryProvider.method.deleteMany, { ...fields, namespace: this.#namespace, idempotencyKey: fields.idempotencyKey ?? newIdempotencyKey() }, options);
  }

  /**
   * Deletes all memories that pass a filter, in one atomic step. Superseded and expired memories
   * are deleted too.
   *
   * Fails with INVALID_ARGUMENT (EMPTY_FILTER) when the filter has no condition. Fails with
   * FAILED_PRECONDITION (TOO_MANY_MATCHES) when more than 10,000 memories pass and dry_run is not
   * set. Nothing is deleted then: narrow the filter, or use Reset.
   */
  deleteWhere(fields: Fields<typeof DeleteWhereRequestSchema, "namespace", "filter">, options?: CallOptions): Promise<DeleteWhereResponse> {
    return this.#calls.unary(MemoryProvider.method.deleteWhere, { ...fields, namespace: this.#namespace, idempotencyKey: fields.idempotencyKey ?? newIdempotencyKey() }, options);
  }

  /**
   * Deletes all data of the namespace in one atomic step: its memories, its skills and its tool
   * traces. To empty a whole server, call Reset through the stubs.
   */
  reset(fields: Fields<typeof ResetRequestSchema, "target"> = {}, options?: CallOptions): Promise<ResetResponse> {
    return this.#calls.unary(MemoryProvider.method.reset, { ...fields, target: { case: "namespace", value: this.#namespace }, idempotencyKey: fields.idempotencyKey ?? newIdempotencyKey() }, options);
  }

  /**
   * Proposes an edit of a block or memory (the target). There are three kinds of edits:
   *
   * - The edit replaces one text in the target with another (old_string and new_string).
   * - The edit replaces the whole text of the target (new_body). For a label that the user does not
   *   have yet, the edit creates the block.
   * - The edit adds a text at the end of the target (`append`).
   *
   * The target does not change until a person approves the edit with ProposalService. Error
   * messages are written for the agent, so that the agent can correct its call.
   *
   * The call fails with the first of these errors that applies:
   *
   * - INVALID_ARGUMENT when old_string equals new_string, when old_string is empty, when `append`
   *   is empty, or when reasoning is empty or white space. The first two do not apply to new_body
   *   and `append`.
   * - NOT_FOUND (BLOCK_NOT_FOUND, MEMORY_NOT_FOUND) when the target does not exist, or is a memory
   *   that has expired. The edit of a missing block by new_body creates the block instead.
   * - FAILED_PRECONDITION (TEXT_UNCHANGED) when new_body is the text that the target has.
   * - FAILED_PRECONDITION (OLD_STRING_NOT_FOUND) when the target does not contain old_string. If
   *   different line ends may be the cause, the description of the field violation says so.
   * - FAILED_PRECONDITION (OLD_STRING_AMBIGUOUS) when the target contains old_string several times
   *   and replace_all is not set. The description of the field violation names the first ten lines
   *   on which old_string begins. The ErrorInfo has their numbers as metadata `lines`, such as
   *   `1, 3`.
   * - FAILED_PRECONDITION (EDIT_RESULT_REFUSED) when the edit would make the target too large, or
   *   would leave a memory empty or blank (only white space).
   */
  proposeEdit(fields: Fields<typeof ProposeEditRequestSchema, "namespace", "target">, options?: CallOptions): Promise<ProposeEditResponse> {
    return this.#calls.unary(MemoryProvider.method.proposeEdit, { ...fields, namespace: this.#namespace, idempotencyKey: fields.idempotencyKey ?? newIdempotencyKey() }, options);
  }

  /**
   * Explains why a memory is, or is not, among the hits of a search. The reply says what each stage
   * of the search does to the memory. A call costs as much as several searches.
   *
   * Explain compares the vectors of all memories. Search may look for near vectors
   * (SEARCH_INDEX_NEAR), and may then miss memories whose vectors are far from the query. So the
   * ranks of Explain may differ from the ranks of Search.
   *
   * Fails with NOT_FOUND (MEMORY_NOT_FOUND) when the namespace has no such memory, or when the
   * memory has expired.
   */
  explain(fields: Fields<typeof ExplainRequestSchema, never, "search" | "id">, options?: CallOptions): Promise<ExplainResponse> {
    return this.#calls.unary(MemoryProvider.method.explain, { ...fields, search: { ...fields.search, namespace: this.#namespace } }, options);
  }

  /**
   * Searches, and explains the result as a whole: how the query was understood, how many memories
   * each stage left, and how memories came to their places. Follows the hits, what was omitted, the
   * next best memories, and the memories of `ids`, all in one pass over the candidates.
   *
   * The search compares the vectors of all memories, as Explain does. The call costs as much as a
   * few searches, whatever the number of memories that it follows.
   */
  explainSearch(fields: Fields<typeof ExplainSearchRequestSchema, never, "search">, options?: CallOptions): Promise<ExplainSearchResponse> {
    return this.#calls.unary(MemoryProvider.method.explainSearch, { ...fields, search: { ...fields.search, namespace: this.#namespace } }, options);
  }
}

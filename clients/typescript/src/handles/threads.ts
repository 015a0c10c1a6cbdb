// Generated from the definitions by `npm run generate`. Do not edit.
import { create } from "@bufbuild/protobuf";
import { type Namespace, NamespaceSchema } from "#gen/vademecum/v1/memory_pb.js";
import { AppendTurnsRequestSchema, type AppendTurnsResponse, ClearThreadRequestSchema, type ClearThreadResponse, ForkThreadRequestSchema, type ForkThreadResponse, GetTurnsRequestSchema, type GetTurnsResponse, ListThreadsRequestSchema, type ListThreadsResponse, PopTurnRequestSchema, type PopTurnResponse, ReplaceThreadRequestSchema, type ReplaceThreadResponse, ThreadService } from "#gen/vademecum/v1/thread_service_pb.js";
import type { CallOptions, Calls } from "../calls.js";
import { newIdempotencyKey } from "../idempotency-key.js";
import type { Fields } from "../request-fields.js";

/**
 * Keeps the turns of conversations in order. A turn is a memory of type MEMORY_TYPE_CONVERSATION
 * with a thread_id, however it was stored. A thread is all turns of a namespace with the same
 * thread_id. It exists while it has a turn. A worked example: docs/guides/threads.md.
 *
 * The turns of a thread are ordered by their time (event_time, or create_time without one), then by
 * id. Turns of one AppendTurns without event_time are in the order of the request. Searches find
 * turns as they find other memories.
 *
 * Each call that writes is one atomic step, for readers too: no call sees a part of its turns. When
 * it is acknowledged, it is durable (synced to disk) and searchable. Mutations take an
 * `idempotency_key`, as in MemoryProvider.
 */
export class Threads {
  readonly #calls: Calls;
  readonly #namespace: Namespace;

  constructor(calls: Calls, userId: string, agentId: string) {
    this.#calls = calls;
    this.#namespace = create(NamespaceSchema, { userId, agentId });
  }

  /**
   * Stores turns at the end of a thread. Creates the thread if it does not exist. A turn with an
   * `external_id` that the thread has already is the same turn, and is not stored again.
   *
   * Fails with RESOURCE_EXHAUSTED (NAMESPACE_TOO_LARGE) as Add does.
   */
  appendTurns(fields: Fields<typeof AppendTurnsRequestSchema, "namespace", "threadId" | "turns">, options?: CallOptions): Promise<AppendTurnsResponse> {
    return this.#calls.unary(ThreadService.method.appendTurns, { ...fields, namespace: this.#namespace, idempotencyKey: fields.idempotencyKey ?? newIdempotencyKey() }, options);
  }

  /**
   * Returns the last turns of a thread, or the last turns before one of its turns. A thread without
   * turns is not an error. Leaves out turns that have expired or are superseded.
   *
   * Fails with NOT_FOUND (MEMORY_NOT_FOUND) when before_id is given and is not a turn of the
   * thread.
   */
  getTurns(fields: Fields<typeof GetTurnsRequestSchema, "namespace", "threadId">, options?: CallOptions): Promise<GetTurnsResponse> {
    return this.#calls.unary(ThreadService.method.getTurns, { ...fields, namespace: this.#namespace }, options);
  }

  /**
   * Deletes the last turn of a thread and returns it. Passes over turns that have expired or are
   * superseded. An empty thread is not an error: the reply has no id.
   *
   * Fails with PERMISSION_DENIED (ROLE_REQUIRED) when another principal wrote the turn, and the
   * caller does not have the role `curator`.
   */
  popTurn(fields: Fields<typeof PopTurnRequestSchema, "namespace", "threadId">, options?: CallOptions): Promise<PopTurnResponse> {
    return this.#calls.unary(ThreadService.method.popTurn, { ...fields, namespace: this.#namespace, idempotencyKey: fields.idempotencyKey ?? newIdempotencyKey() }, options);
  }

  /**
   * Deletes all turns of a thread and stores other turns in their place. Creates the thread if it
   * does not exist. For more turns than fit into one request, call ClearThread and then AppendTurns
   * several times, which is not one atomic step.
   *
   * Fails with ABORTED (VERSION_MISMATCH) when expected_version is given and is not the thread's
   * version. Fails with FAILED_PRECONDITION (THREAD_TOO_LONG) when the thread has more than 10,000
   * turns.
   */
  replace(fields: Fields<typeof ReplaceThreadRequestSchema, "namespace", "threadId" | "turns">, options?: CallOptions): Promise<ReplaceThreadResponse> {
    return this.#calls.unary(ThreadService.method.replaceThread, { ...fields, namespace: this.#namespace, idempotencyKey: fields.idempotencyKey ?? newIdempotencyKey() }, options);
  }

  /**
   * Deletes all turns of a thread, and the texts of all proposals about them, as Delete does.
   *
   * Fails with PERMISSION_DENIED (ROLE_REQUIRED) when another principal wrote one of the turns, and
   * the caller does not have the role `curator`. Fails with FAILED_PRECONDITION (THREAD_TOO_LONG)
   * when the thread has more than 10,000 turns.
   */
  clear(fields: Fields<typeof ClearThreadRequestSchema, "namespace", "threadId">, options?: CallOptions): Promise<ClearThreadResponse> {
    return this.#calls.unary(ThreadService.method.clearThread, { ...fields, namespace: this.#namespace, idempotencyKey: fields.idempotencyKey ?? newIdempotencyKey() }, options);
  }

  /**
   * Copies the turns of a thread, or its first turns, into a new thread. The copies are memories of
   * their own, which searches find too. Leaves out turns that have expired or are superseded. A
   * copy has the event_time of its turn, or the create_time if the turn has no event_time. No
   * vector is computed again. The call fails with these errors:
   *
   * - NOT_FOUND (THREAD_NOT_FOUND) when the thread has no turn to copy.
   * - NOT_FOUND (MEMORY_NOT_FOUND) when last_id is given and is not a turn of the thread.
   * - FAILED_PRECONDITION (THREAD_EXISTS) when the new thread has turns.
   * - FAILED_PRECONDITION (THREAD_TOO_LONG) when the copies would be more than 10,000 turns, or
   *   more than 16 MiB of content.
   * - RESOURCE_EXHAUSTED (NAMESPACE_TOO_LARGE) as Add does.
   */
  fork(fields: Fields<typeof ForkThreadRequestSchema, "namespace", "threadId" | "newThreadId">, options?: CallOptions): Promise<ForkThreadResponse> {
    return this.#calls.unary(ThreadService.method.forkThread, { ...fields, namespace: this.#namespace, idempotencyKey: fields.idempotencyKey ?? newIdempotencyKey() }, options);
  }

  /**
   * Lists the threads of a namespace in the order of the UTF-8 bytes of their ids, page by page.
   */
  list(fields: Fields<typeof ListThreadsRequestSchema, "namespace"> = {}, options?: CallOptions): Promise<ListThreadsResponse> {
    return this.#calls.unary(ThreadService.method.listThreads, { ...fields, namespace: this.#namespace }, options);
  }
}

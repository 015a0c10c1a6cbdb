import { create } from "@bufbuild/protobuf";
import {
  type AppendTurnsRequest,
  type AppendTurnsResponse,
  AppendTurnsResponseSchema,
  type ClearThreadRequest,
  type ForkThreadRequest,
  type ForkThreadResponse,
  ForkThreadResponseSchema,
  type GetTurnsRequest,
  type GetTurnsResponse,
  GetTurnsResponseSchema,
  type ListThreadsRequest,
  type ListThreadsResponse,
  ListThreadsResponseSchema,
  type NewTurn as NewTurnMessage,
  type PopTurnRequest,
  type PopTurnResponse,
  PopTurnResponseSchema,
  type ReplaceThreadRequest,
  type ReplaceThreadResponse,
  ReplaceThreadResponseSchema,
} from "#gen/vademecum/v1/thread_service_pb.js";
import type { Namespace } from "../../core/model/namespace.js";
import type {
  AppendTurnsInput,
  ClearThreadInput,
  ForkedThread,
  ForkThreadInput,
  GetTurnsQuery,
  LastTurns,
  ListThreadsQuery,
  NewTurn,
  PoppedTurn,
  ReplaceThreadInput,
  StoredTurns,
  ThreadPage,
} from "../../core/threads/service.js";
import { defaultThreadPageSize, defaultTurnCount } from "../defaults.js";
import { dropUndefined } from "./drop-undefined.js";
import { fromInstant, toInstant } from "./instant.js";
import { fromMemory, toNamespace } from "./memory.js";
import { toVector } from "./vector.js";

/** Converts a request to append turns into the input of the core. */
export function toAppendTurnsInput(request: AppendTurnsRequest): AppendTurnsInput {
  const { threadId, turns, idempotencyKey } = request;
  return dropUndefined<AppendTurnsInput>({
    namespace: toNamespace(request.namespace),
    threadId,
    turns: turns.map(toNewTurn),
    idempotencyKey,
  });
}

/** Converts a request to replace the turns of a thread into the input of the core. */
export function toReplaceThreadInput(request: ReplaceThreadRequest): ReplaceThreadInput {
  const { threadId, turns, expectedVersion, idempotencyKey } = request;
  return dropUndefined<ReplaceThreadInput>({
    namespace: toNamespace(request.namespace),
    threadId,
    turns: turns.map(toNewTurn),
    expectedVersion: expectedVersion === undefined ? undefined : Number(expectedVersion),
    idempotencyKey,
  });
}

function toNewTurn(message: NewTurnMessage): NewTurn {
  const { content, author, kind, tags, importance, restricted, source, metadata } = message;
  const { externalId } = message;
  return dropUndefined<NewTurn>({
    ...{ content, author, kind, tags, importance, restricted, source, metadata, externalId },
    eventTime: toInstant(message.eventTime),
    expireTime: toInstant(message.expireTime),
    embedding: toVector(message.embedding),
  });
}

/** Converts a request about the turns of one thread into the input of the core. */
export function toThreadInput(request: PopTurnRequest | ClearThreadRequest): ClearThreadInput {
  const { threadId, idempotencyKey } = request;
  const namespace = toNamespace(request.namespace);
  return dropUndefined<ClearThreadInput>({ namespace, threadId, idempotencyKey });
}

/** Converts a request to read turns into the query of the core. */
export function toGetTurnsQuery(request: GetTurnsRequest): GetTurnsQuery {
  const { threadId, limit = defaultTurnCount, beforeId } = request;
  const namespace = toNamespace(request.namespace);
  return dropUndefined<GetTurnsQuery>({ namespace, threadId, limit, beforeId });
}

/** Converts a request to copy a thread into the input of the core. */
export function toForkThreadInput(request: ForkThreadRequest): ForkThreadInput {
  const { threadId, newThreadId, lastId, idempotencyKey } = request;
  const namespace = toNamespace(request.namespace);
  return dropUndefined<ForkThreadInput>({
    ...{ namespace, threadId, newThreadId, lastId, idempotencyKey },
  });
}

/** Converts a request to list threads into the query of the core. */
export function toListThreadsQuery(request: ListThreadsRequest): ListThreadsQuery {
  const { limit = defaultThreadPageSize, pageToken } = request;
  return { namespace: toNamespace(request.namespace), limit, pageToken };
}

/** Converts the outcome of AppendTurns to its message. */
export function fromAppendedTurns(stored: StoredTurns): AppendTurnsResponse {
  return create(AppendTurnsResponseSchema, fromStoredTurns(stored));
}

/** Converts the outcome of ReplaceThread to its message. */
export function fromReplacedThread(stored: StoredTurns): ReplaceThreadResponse {
  return create(ReplaceThreadResponseSchema, fromStoredTurns(stored));
}

function fromStoredTurns({ ids, version, commitSeq }: StoredTurns) {
  return { ids: [...ids], version: BigInt(version), commitSeq };
}

/** Converts turns to their message, with the namespace that they were read from. */
export function fromLastTurns(
  { turns, hasMore, version }: LastTurns,
  namespace: Namespace,
): GetTurnsResponse {
  return create(GetTurnsResponseSchema, {
    turns: turns.map((turn) => fromMemory(turn, namespace)),
    hasMore,
    version: BigInt(version),
  });
}

/** Converts the outcome of PopTurn to its message. */
export function fromPoppedTurn({ id, turn }: PoppedTurn, namespace: Namespace): PopTurnResponse {
  return create(PopTurnResponseSchema, {
    id: id ?? "",
    ...(turn !== undefined && { turn: fromMemory(turn, namespace) }),
  });
}

/** Converts the outcome of ForkThread to its message. */
export function fromForkedThread(forked: ForkedThread): ForkThreadResponse {
  const { turnCount, version, commitSeq } = forked;
  return create(ForkThreadResponseSchema, { turnCount, version: BigInt(version), commitSeq });
}

/** Converts a page of threads to its message. */
export function fromThreadPage({ threads, nextPageToken }: ThreadPage): ListThreadsResponse {
  return create(ListThreadsResponseSchema, {
    threads: threads.map(({ threadId, turnCount, version, createTime, updateTime }) => ({
      threadId,
      turnCount,
      version: BigInt(version),
      createTime: fromInstant(createTime),
      updateTime: fromInstant(updateTime),
    })),
    nextPageToken,
  });
}

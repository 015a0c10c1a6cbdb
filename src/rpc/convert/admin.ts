import { create } from "@bufbuild/protobuf";
import type { Status } from "#gen/google/rpc/status_pb.js";
import {
  ReindexCollection as ProtoReindexCollection,
  ReindexPhase as ProtoReindexPhase,
  type PruneOutcome as PruneOutcomeMessage,
  PruneOutcomeSchema,
  type ReindexRequest,
  type ReindexResponse,
  ReindexResponseSchema,
} from "#gen/vademecum/v1/admin_pb.js";
import type { MovedUsers } from "../../core/backup/service.js";
import type { PruneOutcome } from "../../core/pruning/pruner.js";
import type {
  ReindexEvent,
  ReindexedCollection,
  ReindexTarget,
} from "../../core/reindex/reindex.js";
import { toNamespace } from "./memory.js";

const protoCollections: Readonly<Record<ReindexedCollection, ProtoReindexCollection>> = {
  memories: ProtoReindexCollection.MEMORIES,
  skills: ProtoReindexCollection.SKILLS,
};

/** Returns the namespaces that a request asks to reindex. */
export function toReindexTarget({ target }: ReindexRequest): ReindexTarget {
  return target.case === "all" ? "all" : toNamespace(target.value);
}

/** Converts the users that a call over all users has left out, because they have moved away. */
export function fromMovedUsers({ count, addresses }: MovedUsers) {
  return { movedUsers: BigInt(count), movedTo: [...addresses] };
}

/**
 * Converts the progress or the summary of a reindex to its message.
 *
 * @param moved the users that the call has left out. Absent: the call did not cover all users
 */
export function fromReindexEvent(event: ReindexEvent, moved?: MovedUsers): ReindexResponse {
  if (event.kind === "progress") {
    const { namespace, collection, phase, memoriesDone, memoriesTotal } = event;
    const value = {
      namespace,
      phase: ProtoReindexPhase[phase],
      memoriesDone: BigInt(memoriesDone),
      memoriesTotal: BigInt(memoriesTotal),
      collection: protoCollections[collection],
    };
    return create(ReindexResponseSchema, { event: { case: "progress", value } });
  }
  const value = {
    modelId: event.modelId,
    namespacesChanged: BigInt(event.namespacesChanged),
    namespacesUnchanged: BigInt(event.namespacesUnchanged),
    memoriesEmbedded: BigInt(event.memoriesEmbedded),
    memoriesRefused: BigInt(event.memoriesRefused),
    firstRefused: event.firstRefused.map(({ collection, ...refused }) => ({
      ...refused,
      collection: protoCollections[collection],
    })),
    ...(moved && fromMovedUsers(moved)),
  };
  return create(ReindexResponseSchema, { event: { case: "summary", value } });
}

/**
 * Converts the outcome of one pruning task to its message: the number of removed records, or the
 * error as `toStatus` converts it.
 */
export function fromPruneOutcome(
  outcome: PruneOutcome,
  toStatus: (error: unknown) => Status,
): PruneOutcomeMessage {
  const result =
    "error" in outcome
      ? ({ case: "error", value: toStatus(outcome.error) } as const)
      : ({ case: "removed", value: BigInt(outcome.removed) } as const);
  return create(PruneOutcomeSchema, { name: outcome.name, result });
}

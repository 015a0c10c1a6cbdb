import { create } from "@bufbuild/protobuf";
import {
  AdminService,
  ReindexCollection as ProtoReindexCollection,
  ReindexPhase as ProtoReindexPhase,
  PruneOutcomeSchema,
  PruneResponseSchema,
  type ReindexRequest,
  type ReindexResponse,
  ReindexResponseSchema,
} from "#gen/vademecum/v1/admin_pb.js";
import type { PruneOutcome, Pruner } from "../../core/pruning/pruner.js";
import type {
  ReindexEvent,
  ReindexedCollection,
  Reindexer,
  ReindexTarget,
} from "../../core/reindex/reindex.js";
import { type Implementation, implement } from "../adapt/handler.js";
import { type ErrorReporter, toStatus } from "../adapt/status.js";
import { toNamespace } from "../convert/memory.js";

/** What the RPCs of `AdminService` need. */
export interface AdminServiceParts {
  readonly reindexer: Reindexer;
  readonly pruner: Pruner;
  readonly report: ErrorReporter;
}

/** The RPCs of `vademecum.v1.AdminService` over the domain. */
export function createAdminService({
  reindexer,
  pruner,
  report,
}: AdminServiceParts): Implementation {
  return implement(
    AdminService,
    {
      reindex: async function* (request, call) {
        for await (const event of reindexer.reindex(toTarget(request), call))
          yield fromEvent(event);
      },
      prune: async ({ dryRun }, call) => {
        const outcomes = await pruner.prune(call, dryRun);
        return create(PruneResponseSchema, {
          outcomes: outcomes.map((outcome) => fromOutcome(outcome, report)),
        });
      },
    },
    { openEnded: ["reindex", "prune"] },
  );
}

function toTarget({ target }: ReindexRequest): ReindexTarget {
  return target.case === "all" ? "all" : toNamespace(target.value);
}

const protoCollections: Readonly<Record<ReindexedCollection, ProtoReindexCollection>> = {
  memories: ProtoReindexCollection.MEMORIES,
  skills: ProtoReindexCollection.SKILLS,
};

function fromEvent(event: ReindexEvent): ReindexResponse {
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
  const {
    modelId,
    namespacesChanged,
    namespacesUnchanged,
    memoriesEmbedded,
    memoriesRefused,
    firstRefused,
  } = event;
  const value = {
    modelId,
    namespacesChanged: BigInt(namespacesChanged),
    namespacesUnchanged: BigInt(namespacesUnchanged),
    memoriesEmbedded: BigInt(memoriesEmbedded),
    memoriesRefused: BigInt(memoriesRefused),
    firstRefused: firstRefused.map((refused) => ({
      ...refused,
      collection: protoCollections[refused.collection],
    })),
  };
  return create(ReindexResponseSchema, { event: { case: "summary", value } });
}

function fromOutcome(outcome: PruneOutcome, report: ErrorReporter) {
  const { name } = outcome;
  const result =
    "error" in outcome
      ? ({
          case: "error",
          value: toStatus(report(outcome.error, "/vademecum.v1.AdminService/Prune")),
        } as const)
      : ({ case: "removed", value: BigInt(outcome.removed) } as const);
  return create(PruneOutcomeSchema, { name, result });
}

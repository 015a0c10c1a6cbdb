import { create } from "@bufbuild/protobuf";
import {
  AdminService,
  ReindexPhase as ProtoReindexPhase,
  type ReindexRequest,
  type ReindexResponse,
  ReindexResponseSchema,
} from "#gen/vademecum/v1/admin_pb.js";
import type { ReindexEvent, Reindexer, ReindexTarget } from "../core/reindex/reindex.js";
import { toNamespace } from "./convert/memory.js";
import { type Implementation, implement } from "./handler.js";

/** The RPCs of `vademecum.v1.AdminService` over the domain. */
export function createAdminService(reindexer: Reindexer): Implementation {
  return implement(
    AdminService,
    {
      reindex: async function* (request, call) {
        for await (const event of reindexer.reindex(toTarget(request), call)) yield fromEvent(event);
      },
    },
    { openEnded: ["reindex"] },
  );
}

function toTarget({ target }: ReindexRequest): ReindexTarget {
  return target.case === "all" ? "all" : toNamespace(target.value);
}

function fromEvent(event: ReindexEvent): ReindexResponse {
  if (event.kind === "progress") {
    const { namespace, phase, memoriesDone, memoriesTotal } = event;
    const value = {
      namespace,
      phase: ProtoReindexPhase[phase],
      memoriesDone: BigInt(memoriesDone),
      memoriesTotal: BigInt(memoriesTotal),
    };
    return create(ReindexResponseSchema, { event: { case: "progress", value } });
  }
  const { modelId, namespacesChanged, namespacesUnchanged, memoriesEmbedded, memoriesRefused, firstRefused } = event;
  const value = {
    modelId,
    namespacesChanged: BigInt(namespacesChanged),
    namespacesUnchanged: BigInt(namespacesUnchanged),
    memoriesEmbedded: BigInt(memoriesEmbedded),
    memoriesRefused: BigInt(memoriesRefused),
    firstRefused: [...firstRefused],
  };
  return create(ReindexResponseSchema, { event: { case: "summary", value } });
}

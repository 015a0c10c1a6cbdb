import { create } from "@bufbuild/protobuf";
import {
  AdminService,
  ListNamespacesResponseSchema,
  ListUsersResponseSchema,
  PruneResponseSchema,
} from "#gen/vademecum/v1/admin_pb.js";
import { type Implementation, implement, type RpcCall } from "../adapt/handler.js";
import { toStatus } from "../adapt/status.js";
import {
  fromMovedUsers,
  fromPruneOutcome,
  fromReindexEvent,
  toReindexTarget,
} from "../convert/admin.js";
import { fromErasureReceipt, toForgetInput } from "../convert/erasure.js";
import {
  fromNamespaceSummary,
  fromUserSummary,
  toListNamespacesQuery,
  toListUsersQuery,
} from "../convert/overview.js";
import { createBackupHandlers } from "./backup-rpcs.js";
import type { AdminRpcsParts } from "./parts.js";
import { createServerHandlers } from "./server-rpcs.js";
import { createTransferHandlers } from "./transfer-rpcs.js";

/** Creates the RPCs of `vademecum.v1.AdminService`. */
export function createAdminRpcs(parts: AdminRpcsParts): Implementation {
  const { reindexer, pruner, report, backups, overview, erasures } = parts;
  const statusOf = (call: RpcCall) => (error: unknown) => toStatus(report(error, call));
  return implement(
    AdminService,
    {
      ...createBackupHandlers(parts),
      ...createTransferHandlers(parts),
      ...createServerHandlers(parts),
      listUsers: async (request, call) => {
        const { items, nextPageToken } = await overview.listUsers(
          toListUsersQuery(request, call),
          call,
        );
        return create(ListUsersResponseSchema, {
          ...{ users: items.map(fromUserSummary), nextPageToken },
          ...(request.pageToken === "" && fromMovedUsers(await backups.movedUsers())),
        });
      },
      listNamespaces: async (request, call) => {
        const query = toListNamespacesQuery(request, call);
        const { items, nextPageToken } = await overview.listNamespaces(query, call);
        const isOfAll = request.userId === undefined && request.pageToken === "";
        return create(ListNamespacesResponseSchema, {
          ...{ namespaces: items.map(fromNamespaceSummary), nextPageToken },
          ...(isOfAll && fromMovedUsers(await backups.movedUsers())),
        });
      },
      reindex: async function* (request, call) {
        const target = toReindexTarget(request);
        const events = request.detached
          ? reindexer.reindexDetached(target, call)
          : reindexer.reindex(target, call);
        for await (const event of events) {
          const isOfAll = target === "all" && event.kind !== "progress";
          yield fromReindexEvent(event, isOfAll ? await backups.movedUsers() : undefined);
        }
      },
      prune: async ({ dryRun, acceptClock }, call) => {
        const outcomes = dryRun
          ? await pruner.prune(call, true)
          : await pruner.pruneAndCompact(call, acceptClock);
        return create(PruneResponseSchema, {
          outcomes: outcomes.map((outcome) => fromPruneOutcome(outcome, statusOf(call))),
          ...fromMovedUsers(await backups.movedUsers()),
        });
      },
      forgetUser: async (request, call) => {
        const input = toForgetInput(request);
        return fromErasureReceipt(
          request.dryRun ? await erasures.preview(input, call) : await erasures.forget(input, call),
        );
      },
    },
    {
      openEnded: {
        forgetUser: "maintenance",
        watchServer: "serverWatches",
        watchJobs: "serverWatches",
        reindex: "maintenance",
        prune: "maintenance",
        backup: "maintenance",
        restore: "maintenance",
        export: "maintenance",
        import: "maintenance",
      },
    },
  );
}

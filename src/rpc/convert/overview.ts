import { create } from "@bufbuild/protobuf";
import {
  type ListNamespacesRequest,
  type ListUsersRequest,
  type NamespaceSummary as NamespaceSummaryMessage,
  NamespaceSummarySchema,
  type UserSummary as UserSummaryMessage,
  UserSummarySchema,
} from "#gen/vademecum/v1/admin_pb.js";
import type { ListRunsRequest } from "#gen/vademecum/v1/key_value_service_pb.js";
import { hasRole, type Principal } from "../../core/model/principal.js";
import type {
  ListNamespacesQuery,
  ListRunsQuery,
  ListUsersQuery,
  NamespaceSummary,
  UserSummary,
} from "../../core/overview/service.js";
import { defaultOverviewPageSize } from "../defaults.js";
import { dropUndefined } from "./drop-undefined.js";
import { fromOptionalInstant } from "./instant.js";

/** A caller with its rights. */
interface NamedCaller {
  readonly principal: Principal;
}

/** Returns the users and agents that a caller may name. The patterns do not limit operators. */
function visibleTo(principal: Principal): Pick<Principal, "users" | "agents"> {
  const { users, agents } = principal;
  return hasRole(principal, "operator") ? { users: ["*"], agents: ["*"] } : { users, agents };
}

/** Converts a request to list users. */
export function toListUsersQuery(request: ListUsersRequest, caller: NamedCaller): ListUsersQuery {
  const { prefix, limit = defaultOverviewPageSize, pageToken } = request;
  return { ...visibleTo(caller.principal), prefix, limit, pageToken };
}

/** Converts a request to list namespaces. */
export function toListNamespacesQuery(
  request: ListNamespacesRequest,
  caller: NamedCaller,
): ListNamespacesQuery {
  const { userId, prefix, limit = defaultOverviewPageSize, pageToken } = request;
  const visible = visibleTo(caller.principal);
  return dropUndefined<ListNamespacesQuery>({ ...visible, userId, prefix, limit, pageToken });
}

/** Converts a request to list runs. */
export function toListRunsQuery(request: ListRunsRequest, caller: NamedCaller): ListRunsQuery {
  const { prefix, limit = defaultOverviewPageSize, pageToken } = request;
  return { runs: caller.principal.runs, prefix, limit, pageToken };
}

/** Converts what a user has to its message. */
export function fromUserSummary({
  memories,
  pendingProposals,
  oldestPendingTime,
  ...user
}: UserSummary): UserSummaryMessage {
  return create(UserSummarySchema, {
    ...user,
    memories: BigInt(memories),
    pendingProposals: BigInt(pendingProposals),
    oldestPendingTime: fromOptionalInstant(oldestPendingTime),
  });
}

/** Converts what a namespace has to its message. */
export function fromNamespaceSummary({
  namespace,
  memories,
  skills,
  profile,
}: NamespaceSummary): NamespaceSummaryMessage {
  return create(NamespaceSummarySchema, {
    namespace,
    memories: BigInt(memories),
    skills: BigInt(skills),
    modelId: profile?.modelId ?? "",
    dimension: profile?.dimension ?? 0,
  });
}

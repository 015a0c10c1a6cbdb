import type { Principal, Role } from "../core/model/principal.js";
import type { PrincipalLimits } from "../core/model/principal-limits.js";
import type { StoredLimits, StoredPrincipal, StoredTenant } from "./credentials.js";

/**
 * The grants of a principal, as a credentials file or a token lists them. Absent lists allow
 * nothing.
 */
export interface Grants {
  readonly roles?: readonly Role[];
  readonly users?: readonly string[];
  readonly agents?: readonly string[];
  readonly runs?: readonly string[];
  readonly tools?: readonly string[];
  readonly tenant?: string;
}

/**
 * Returns a principal of a credentials file.
 *
 * @param by the kind of its credentials
 * @param tenants the tenants of the file
 */
export function principalOf(
  stored: StoredPrincipal,
  by: "key" | "cert",
  tenants: readonly StoredTenant[] = [],
): Principal {
  const principal = principalWithGrants(`${by}:${stored.name}`, stored);
  const { limits } = stored;
  return withTenantLimit(
    limits === undefined ? principal : { ...principal, limits: limitsOf(limits) },
    tenants,
  );
}

/** Returns a principal with the limit of its tenant, if the tenant has one. */
export function withTenantLimit(principal: Principal, tenants: readonly StoredTenant[]): Principal {
  const found = tenants.find(({ name }) => name === principal.tenant);
  if (found?.quota_total_bytes === undefined) return principal;
  return { ...principal, limits: { ...principal.limits, tenantBytes: found.quota_total_bytes } };
}

/** Returns a principal with its grants. */
export function principalWithGrants(
  name: string,
  { roles = [], users = [], agents = [], runs = [], tools = [], tenant = "" }: Grants,
): Principal {
  return { name, tenant, roles: new Set(roles), users, agents, runs, tools };
}

function limitsOf({
  calls_per_second: callsPerSecond,
  burst,
  bytes_per_second: bytesPerSecond,
  quota_memories: memories,
  quota_bytes: bytes,
  quota_total_bytes: totalBytes,
}: StoredLimits): PrincipalLimits {
  return {
    ...(callsPerSecond === undefined ? {} : { callsPerSecond }),
    ...(burst === undefined ? {} : { burst }),
    ...(bytesPerSecond === undefined ? {} : { bytesPerSecond }),
    ...(memories === undefined && bytes === undefined ? {} : { quota: { memories, bytes } }),
    ...(totalBytes === undefined ? {} : { totalBytes }),
  };
}

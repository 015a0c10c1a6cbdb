import type { Principal, Role } from "../core/model/principal.js";
import type { PrincipalLimits } from "../core/model/principal-limits.js";
import type { StoredLimits, StoredPrincipal } from "./credentials.js";

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

/** Returns a principal of a credentials file. `by`: the kind of its credentials. */
export function principalOf(stored: StoredPrincipal, by: "key" | "cert"): Principal {
  const { limits } = stored;
  return {
    ...principalWithGrants(`${by}:${stored.name}`, stored),
    ...(limits === undefined ? {} : { limits: limitsOf(limits) }),
  };
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
}: StoredLimits): PrincipalLimits {
  return {
    ...(callsPerSecond === undefined ? {} : { callsPerSecond }),
    ...(burst === undefined ? {} : { burst }),
    ...(bytesPerSecond === undefined ? {} : { bytesPerSecond }),
    ...(memories === undefined && bytes === undefined ? {} : { quota: { memories, bytes } }),
  };
}

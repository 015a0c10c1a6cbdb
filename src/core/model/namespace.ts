/**
 * A user and an agent: the owner of a set of memories. Both ids are any Unicode text, and are
 * compared byte for byte.
 */
export interface Namespace extends Tenancy {
  readonly userId: string;
  readonly agentId: string;
}

/** The tenant that data belongs to, on a server with several tenants. */
interface Tenancy {
  /**
   * Name of the tenant. Absent: the data belongs to no tenant. Use cases never set this field. The
   * store and the index of a tenant set it, so that no use case can reach another tenant.
   */
  readonly tenant?: string;
}

/**
 * The unit of transactions and of the commit sequence:
 * - A user's scope has the user's blocks and proposals. It also has the user's namespaces, with the
 *   memories and skills of all agents.
 * - A run's scope has key-value notes.
 * - The server's scope has tool manifests.
 */
export type Scope = Tenancy &
  (
    | { readonly kind: "user"; readonly userId: string }
    | { readonly kind: "run"; readonly runId: string }
    | { readonly kind: "server" }
  );

/** The scope of a user. */
export type UserScope = Extract<Scope, { readonly kind: "user" }>;

/** Returns the scope of a namespace. */
export function scopeOf({ userId, tenant }: Namespace): Scope {
  return userScope(userId, tenant);
}

/** Returns the namespace of an agent in the scope of a user. */
export function namespaceIn({ userId, tenant }: UserScope, agentId: string): Namespace {
  return tenant === undefined ? { userId, agentId } : { userId, agentId, tenant };
}

/** Returns the scope that holds the records of a namespace or of a scope. */
export function scopeHolding(target: Namespace | Scope): Scope {
  return "kind" in target ? target : scopeOf(target);
}

/**
 * Returns the scope of a user: memories, blocks, proposals and skills.
 *
 * @param tenant as `Tenancy.tenant`
 */
export function userScope(userId: string, tenant?: string): Scope {
  return tenant === undefined ? { kind: "user", userId } : { kind: "user", userId, tenant };
}

/** Returns a unique string for each namespace, for the keys of a `Map`, never for storage. */
export function namespaceMapKey({ userId, agentId, tenant }: Namespace): string {
  return `${tenantMapKey(tenant)}${userId.length}:${userId}${agentId}`;
}

/** Returns a unique string for each scope, for the keys of a `Map`, never for storage. */
export function scopeMapKey(scope: Scope): string {
  return tenantMapKey(scope.tenant) + ownMapKey(scope);
}

function ownMapKey(scope: Scope): string {
  switch (scope.kind) {
    case "user":
      return `u${scope.userId}`;
    case "run":
      return `r${scope.runId}`;
    case "server":
      return "s";
  }
}

/**
 * Returns the prefix that the map keys of a tenant's data share. No other map key has it. Empty
 * without a tenant.
 */
function tenantMapKey(tenant: string | undefined): string {
  return tenant === undefined ? "" : `t${tenant.length}:${tenant}`;
}

/** Names a scope, and its tenant if it has one, in a message for people. */
export function scopeText(scope: Scope): string {
  const tenant = scope.tenant === undefined ? "" : `, tenant ${JSON.stringify(scope.tenant)}`;
  if (scope.kind === "server") return `the server${tenant}`;
  return scope.kind === "user"
    ? `user ${JSON.stringify(scope.userId)}${tenant}`
    : `run ${JSON.stringify(scope.runId)}${tenant}`;
}

/**
 * A user and an agent: the owner of a set of memories. Both ids are any Unicode text, compared byte
 * for byte and never joined.
 */
export interface Namespace {
  readonly userId: string;
  readonly agentId: string;
}

/**
 * The unit of transactions and of the commit sequence. A user has memories of all agents, blocks,
 * proposals and skills; a run has key-value notes; the server has tool manifests. A namespace lies
 * in the scope of its user.
 */
export type Scope =
  | { readonly kind: "user"; readonly userId: string }
  | { readonly kind: "run"; readonly runId: string }
  | { readonly kind: "server" };

/** Returns the scope of a namespace. */
export function scopeOf({ userId }: Namespace): Scope {
  return userScope(userId);
}

/** Returns the scope that holds the records of a namespace or of a scope. */
export function scopeHolding(target: Namespace | Scope): Scope {
  return "kind" in target ? target : scopeOf(target);
}

/** Returns the scope of a user: memories, blocks, proposals and skills. */
export function userScope(userId: string): Scope {
  return { kind: "user", userId };
}

/**
 * Returns a string that is equal for equal namespaces only. For the keys of a `Map`, never for
 * storage.
 */
export function namespaceMapKey({ userId, agentId }: Namespace): string {
  return `${userId.length}:${userId}${agentId}`;
}

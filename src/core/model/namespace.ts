/** Whose memories an operation is about. Both parts are any Unicode text, compared byte for byte and never joined. */
export interface Namespace {
  readonly userId: string;
  readonly agentId: string;
}

/**
 * The unit of transaction and of the commit sequence: a user (memories of all agents, blocks, proposals, skills), a run (key-value notes) or the server (tool manifests).
 * A namespace lies in its user's scope.
 */
export type Scope =
  | { readonly kind: "user"; readonly userId: string }
  | { readonly kind: "run"; readonly runId: string }
  | { readonly kind: "server" };

/** The scope that a namespace lies in. */
export function scopeOf({ userId }: Namespace): Scope {
  return userScope(userId);
}

/** The scope of a user's memories, blocks, proposals and skills. */
export function userScope(userId: string): Scope {
  return { kind: "user", userId };
}

/** A string that is equal for equal namespaces only: for the keys of a `Map`, never for storage. */
export function namespaceMapKey({ userId, agentId }: Namespace): string {
  return `${userId.length}:${userId}${agentId}`;
}

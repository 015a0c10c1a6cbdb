import type { Namespace, Scope } from "../core/model/namespace.js";

function liesIn(scope: Scope, owner: Namespace | Scope): boolean {
  if ("agentId" in owner) return scope.kind === "user" && scope.userId === owner.userId;
  if (owner.kind === "user") return scope.kind === "user" && scope.userId === owner.userId;
  if (owner.kind === "run") return scope.kind === "run" && scope.runId === owner.runId;
  return scope.kind === "server";
}

/** A string that is equal for equal scopes only: for the keys of a `Map`, never for storage. */
export function scopeMapKey(scope: Scope): string {
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
 * The agent whose namespace a place is, `undefined` if it is the scope as a whole.
 * Throws if the place lies outside the scope that the reader or transaction is for, so that a mistake of a caller cannot reach another user's records.
 */
export function agentOfOwner(scope: Scope, owner: Namespace | Scope): string | undefined {
  if (!liesIn(scope, owner))
    throw new Error(
      `a place of another scope was named in a transaction or snapshot of a ${scope.kind} scope`,
    );
  return "agentId" in owner ? owner.agentId : undefined;
}

import type { Namespace, Scope } from "../core/model/namespace.js";

function liesIn(scope: Scope, owner: Namespace | Scope): boolean {
  if (scope.tenant !== owner.tenant) return false;
  if ("agentId" in owner) return scope.kind === "user" && scope.userId === owner.userId;
  if (owner.kind === "user") return scope.kind === "user" && scope.userId === owner.userId;
  if (owner.kind === "run") return scope.kind === "run" && scope.runId === owner.runId;
  return scope.kind === "server";
}

/**
 * Returns the agent of a namespace, `undefined` for a whole scope.
 *
 * Throws if the owner lies outside the scope of the reader or transaction, so that a caller's
 * mistake cannot reach the records of another user.
 */
export function agentOfOwner(scope: Scope, owner: Namespace | Scope): string | undefined {
  if (!liesIn(scope, owner))
    throw new Error(
      `a transaction or snapshot of a ${scope.kind} scope was asked for records of another scope`,
    );
  return "agentId" in owner ? owner.agentId : undefined;
}

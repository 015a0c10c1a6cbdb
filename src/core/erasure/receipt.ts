import { createHmac, randomBytes } from "node:crypto";
import type { ErasedScope, ErasureCounts, ErasureReceipt } from "../model/erasure.js";
import type { Scope } from "../model/namespace.js";
import type { Head } from "../ports/store.js";

const keyBytes = 32;

/** Makes the receipt of an erasure from the heads of its scopes. */
export function makeReceipt(
  erased: readonly (readonly [scope: Scope, head: Head])[],
  counts: ErasureCounts,
  timeMs: number,
): ErasureReceipt {
  const hmacKey = randomBytes(keyBytes).toString("base64url");
  const scopes = erased.flatMap(([scope, { seq }]): ErasedScope[] => {
    const id = idOf(scope);
    if (id === undefined) return [];
    return [{ kind: id.kind, idHmac: hmacOf(hmacKey, id.id), commitSeq: seq }];
  });
  return { timeMs, hmacKey, scopes, counts };
}

/** Whether a receipt is about a user or a run. */
export function namesScope({ hmacKey, scopes }: ErasureReceipt, scope: Scope): boolean {
  const id = idOf(scope);
  return scopes.some(({ kind, idHmac }) => kind === id?.kind && idHmac === hmacOf(hmacKey, id.id));
}

function hmacOf(key: string, id: string): string {
  return createHmac("sha256", Buffer.from(key, "base64url")).update(id).digest("base64url");
}

function idOf(scope: Scope): { readonly kind: "user" | "run"; readonly id: string } | undefined {
  if (scope.kind === "server") return undefined;
  return scope.kind === "user"
    ? { kind: "user", id: scope.userId }
    : { kind: "run", id: scope.runId };
}

import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";

/** A request that names whose data it is about: a user, directly or in a namespace, or a run. */
interface UserRequest {
  readonly userId?: unknown;
  readonly namespace?: { readonly userId?: unknown };
  readonly search?: { readonly namespace?: { readonly userId?: unknown } };
  readonly runId?: unknown;
  readonly target?: { readonly case?: string; readonly value?: unknown };
}

/** The user or the run that a call is about. */
export interface Scope {
  readonly kind: "user" | "run";
  readonly id: string;
}

/** Returns the user or the run that a request names, or `undefined` if it names none. */
export function scopeOf(request: UserRequest): Scope | undefined {
  const userId = userOf(request);
  if (typeof userId === "string") return { kind: "user", id: userId };
  return typeof request.runId === "string" ? { kind: "run", id: request.runId } : undefined;
}

/**
 * Returns the header by which a load balancer sends all calls of a user to the same server, whose
 * index of that user is then in memory. It holds a digest of the user id. Returns no header for a
 * request without a user.
 */
export function routingHeaders(request: object): Record<string, string> {
  const userId = userOf(request);
  return typeof userId === "string" ? { "x-vademecum-user": userDigest(userId) } : {};
}

/** Returns the user whose data a request is about, if it names one. */
function userOf({ userId, namespace, search, target }: UserRequest): unknown {
  const cleared = target?.case === "namespace" ? (target.value as UserRequest) : undefined;
  return userId ?? namespace?.userId ?? search?.namespace?.userId ?? cleared?.userId;
}

/** Returns the first 16 hexadecimal digits of the SHA-256 of a user id. */
function userDigest(userId: string): string {
  return bytesToHex(sha256(utf8ToBytes(userId)).subarray(0, 8));
}

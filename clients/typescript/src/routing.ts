import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";

/** A request that names the user whose data it is about, directly or in a namespace. */
interface UserRequest {
  readonly userId?: unknown;
  readonly namespace?: { readonly userId?: unknown };
  readonly search?: { readonly namespace?: { readonly userId?: unknown } };
  readonly target?: { readonly case?: string; readonly value?: unknown };
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

function userOf({ userId, namespace, search, target }: UserRequest): unknown {
  const cleared = target?.case === "namespace" ? (target.value as UserRequest) : undefined;
  return userId ?? namespace?.userId ?? search?.namespace?.userId ?? cleared?.userId;
}

/** Returns the first 16 hexadecimal digits of the SHA-256 of a user id. */
function userDigest(userId: string): string {
  return bytesToHex(sha256(utf8ToBytes(userId)).subarray(0, 8));
}

import { hashOf } from "./hash-of.js";

/** The fields in which a request can name its user. A namespace names a user. */
interface UserRequest {
  readonly userId?: unknown;
  readonly namespace?: { readonly userId?: unknown };
  readonly search?: { readonly namespace?: { readonly userId?: unknown } };
  readonly target?: { readonly case?: string; readonly value?: unknown };
}

/**
 * Returns the routing header, which has a digest of the user id. A load balancer can use it to send
 * all calls about a user to one server, which then has the user's index in memory. Returns no
 * header for a request without a user.
 */
export function routingHeaders(request: object): Record<string, string> {
  const userId = userOf(request);
  return typeof userId === "string" ? { "x-vademecum-user": userDigest(userId) } : {};
}

/** Returns the user that a request or its namespace names, if any. */
function userOf({ userId, namespace, search, target }: UserRequest): unknown {
  const cleared = target?.case === "namespace" ? (target.value as UserRequest) : undefined;
  return userId ?? namespace?.userId ?? search?.namespace?.userId ?? cleared?.userId;
}

/** Returns the first 16 hexadecimal digits of the SHA-256 of a user id. */
function userDigest(userId: string): string {
  return hashOf(userId).slice(0, 16);
}

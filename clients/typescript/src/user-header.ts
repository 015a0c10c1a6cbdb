/** Fields of a request, in the form that handles give. */
interface ScopedRequest {
  readonly namespace?: { readonly userId?: string };
  readonly search?: ScopedRequest;
  readonly userId?: string;
  readonly runId?: string;
}

/** The user or the run that a call is about. */
export interface Scope {
  readonly kind: "user" | "run";
  readonly id: string;
}

/** Returns the user or the run that a request names, or `undefined` if it names none. */
export function scopeOf(request: unknown): Scope | undefined {
  const { namespace, search, userId, runId } = request as ScopedRequest;
  const user = namespace?.userId ?? search?.namespace?.userId ?? userId;
  if (user !== undefined) return { kind: "user", id: user };
  return runId === undefined ? undefined : { kind: "run", id: runId };
}

/**
 * Returns the header that lets a proxy send all calls about one user to one server: the first 16
 * hexadecimal digits of the SHA-256 of the id. The id itself stays out of the logs of proxies.
 *
 * Without it, calls are slower behind a proxy, and right all the same. Browsers offer SHA-256 to
 * pages over HTTPS or on this machine only, so other pages send no header.
 */
export async function userHeader(
  scope: Scope | undefined,
): Promise<Readonly<Record<string, string>>> {
  const subtle = globalThis.crypto?.subtle as SubtleCrypto | undefined;
  if (scope?.kind !== "user" || subtle === undefined) return {};
  const digest = new Uint8Array(await subtle.digest("SHA-256", new TextEncoder().encode(scope.id)));
  const digits = Array.from(digest.subarray(0, 8), (byte) => byte.toString(16).padStart(2, "0"));
  return { "x-vademecum-user": digits.join("") };
}

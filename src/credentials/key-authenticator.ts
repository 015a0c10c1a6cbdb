import { timingSafeEqual } from "node:crypto";
import { LRUCache } from "lru-cache";
import type { Principal } from "../core/model/principal.js";
import type { Clock } from "../core/ports/clock.js";
import { parseApiKey } from "./api-key.js";
import type { Credentials, StoredPrincipal, StoredTenant } from "./credentials.js";
import { principalOf, withTenantLimit } from "./stored-principal.js";

/** Finds principals in a credentials file. */
export interface KeyAuthenticator {
  /** Returns the principal of an API key; `undefined` if the key is not valid. */
  ofKey(key: string): Principal | undefined;
  /**
   * Returns the principal of the first of `names` that the file lists; `undefined` if it lists none
   * of them, or if the certificate has expired. A connection may be open for longer than its
   * certificate is valid.
   *
   * @param expireMs when the certificate expires, in milliseconds since 1970
   */
  ofCertificate(names: readonly string[], expireMs?: number): Principal | undefined;
  /** Returns the principal of a token with the limit of its tenant. */
  limit(principal: Principal): Principal;
}

/** Maximum number of verified keys in RAM. A call with one of these keys needs no hash. */
const cachedKeysMax = 10_000;

interface KnownKey {
  readonly principal: Principal;
  readonly sha256: Buffer;
  /**
   * The time at which the key expires, in milliseconds since 1970; `Infinity`: the key does not
   * expire.
   */
  readonly expireMs: number;
}

/** Creates the authenticator of a credentials file. Ignores disabled principals. */
export function createKeyAuthenticator(
  { principals, tenants = [] }: Credentials,
  clock: Clock,
): KeyAuthenticator {
  const enabled = principals.filter(({ disabled = false }) => !disabled);
  const keys = new Map(enabled.flatMap((stored) => knownKeys(stored, tenants)));
  const certificates = new Map(
    enabled.flatMap((stored) =>
      (stored.certificates ?? []).map(
        (name) => [name, principalOf(stored, "cert", tenants)] as const,
      ),
    ),
  );
  const verified = new LRUCache<string, KnownKey>({ max: cachedKeysMax });
  return {
    ofKey(text) {
      const known = verified.get(text) ?? verify(text);
      if (known === undefined || known.expireMs <= clock.nowMs()) return undefined;
      verified.set(text, known);
      return known.principal;
    },
    ofCertificate(names, expireMs = Infinity) {
      if (!(expireMs > clock.nowMs())) return undefined;
      return names.map((name) => certificates.get(name)).find((it) => it !== undefined);
    },
    limit: (principal) => withTenantLimit(principal, tenants),
  };

  function verify(text: string): KnownKey | undefined {
    const key = parseApiKey(text);
    const known = key && keys.get(key.id);
    return known && timingSafeEqual(known.sha256, key.secretSha256) ? known : undefined;
  }
}

function knownKeys(
  stored: StoredPrincipal,
  tenants: readonly StoredTenant[],
): (readonly [string, KnownKey])[] {
  const principal = principalOf(stored, "key", tenants);
  return (stored.keys ?? []).map(({ id, sha256, expire_time: expireTime }) => [
    id,
    {
      principal,
      sha256: Buffer.from(sha256, "hex"),
      expireMs: expireTime === undefined ? Infinity : Date.parse(expireTime),
    },
  ]);
}

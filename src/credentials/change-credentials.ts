import { VademecumError } from "../core/model/errors.js";
import { createApiKey } from "./api-key.js";
import type { Credentials, StoredKey, StoredPrincipal } from "./credentials.js";

/** A new key, and the credentials that contain it. */
export interface KeyChange {
  readonly credentials: Credentials;
  /** The key as its owner sends it. Nothing else holds its secret. */
  readonly key: string;
  readonly id: string;
  /** The time at which the key expires, in RFC 3339. Absent: the key does not expire. */
  readonly expireTime?: string;
}

/** The outcome of a rotation. */
export interface Rotation extends KeyChange {
  /** Whether the principal had a key before. */
  readonly hadKey: boolean;
}

/** When a new key is created, and how long it works. */
export interface KeyTimes {
  /** Milliseconds since 1970. */
  readonly nowMs: number;
  /**
   * Milliseconds; `Infinity`: the key does not expire. Default: the lifetime of the key that the
   * new key replaces, or `Infinity` if it replaces no key.
   */
  readonly lifetimeMs?: number | undefined;
}

/**
 * Adds a principal with its first key.
 *
 * @throws FAILED_PRECONDITION (PRINCIPAL_EXISTS) when a principal of that name exists
 * @throws FAILED_PRECONDITION (CERTIFICATE_IN_USE) when one of its certificates belongs to another
 *   principal
 */
export function addPrincipal(
  earlier: Credentials,
  principal: StoredPrincipal,
  times: KeyTimes,
): KeyChange {
  const { principals } = earlier;
  if (principals.some(({ name }) => name === principal.name)) {
    throw new VademecumError(
      "FAILED_PRECONDITION",
      "PRINCIPAL_EXISTS",
      `'${principal.name}' exists; choose another name, or give it a new key with \`vademecum keys rotate\``,
    );
  }
  for (const certificate of principal.certificates ?? []) {
    const owner = principals.find(({ certificates = [] }) => certificates.includes(certificate));
    if (owner === undefined) continue;
    throw new VademecumError(
      "FAILED_PRECONDITION",
      "CERTIFICATE_IN_USE",
      `the certificate name '${certificate}' already authenticates '${owner.name}'; a certificate belongs ` +
        "to one principal. Use another certificate, or remove this one from that principal",
    );
  }
  const { stored, shown } = newKey(times);
  const added = { ...principal, keys: [stored] };
  return { credentials: { ...earlier, principals: [...principals, added] }, ...shown };
}

/**
 * Gives a principal a new key. Its newest earlier key remains valid for at most `overlapMs`; older
 * keys are removed.
 *
 * @throws NOT_FOUND (PRINCIPAL_NOT_FOUND) when no principal has that name
 * @throws FAILED_PRECONDITION (KEY_WITHOUT_LIFETIME) when no lifetime is given, and the newest
 *   earlier key expired before it was created
 */
export function rotateKey(
  credentials: Credentials,
  name: string,
  overlapMs: number,
  times: KeyTimes,
): Rotation {
  const { keys = [] } = requirePrincipal(credentials, name);
  const [newest] = keys.toSorted((a, b) => b.create_time.localeCompare(a.create_time));
  const { nowMs, lifetimeMs = lifetimeOf(newest) } = times;
  const { stored, shown } = newKey({ nowMs, lifetimeMs });
  const untilMs = Math.min(nowMs + overlapMs, expiryMs(newest));
  const kept =
    newest !== undefined && untilMs > nowMs ? [{ ...newest, expire_time: timeText(untilMs) }] : [];
  const changed = changePrincipal(credentials, name, (principal) => ({
    ...principal,
    keys: [...kept, stored],
  }));
  return { credentials: changed, ...shown, hadKey: newest !== undefined };
}

/** The outcome of a revocation. */
export interface Revocation {
  readonly credentials: Credentials;
  /** The principal whose keys were removed. */
  readonly name: string;
  readonly keyIds: readonly string[];
}

/**
 * Removes one key by its id, or all keys and certificates of a principal by its name.
 *
 * @throws NOT_FOUND (PRINCIPAL_NOT_FOUND) when no principal and no key has this name or id
 */
export function revoke(credentials: Credentials, nameOrId: string): Revocation {
  const holder = credentials.principals.find(({ keys = [] }) =>
    keys.some(({ id }) => id === nameOrId),
  );
  if (holder !== undefined) {
    const changed = changePrincipal(credentials, holder.name, (principal) => ({
      ...principal,
      keys: (principal.keys ?? []).filter(({ id }) => id !== nameOrId),
    }));
    return { credentials: changed, name: holder.name, keyIds: [nameOrId] };
  }
  let keyIds: string[] = [];
  const changed = changePrincipal(credentials, nameOrId, (principal) => {
    keyIds = (principal.keys ?? []).map(({ id }) => id);
    return { ...principal, keys: [], certificates: [] };
  });
  return { credentials: changed, name: nameOrId, keyIds };
}

function changePrincipal(
  credentials: Credentials,
  name: string,
  change: (principal: StoredPrincipal) => StoredPrincipal,
): Credentials {
  const found = requirePrincipal(credentials, name);
  return {
    ...credentials,
    principals: credentials.principals.map((it) => (it === found ? change(it) : it)),
  };
}

function requirePrincipal({ principals }: Credentials, name: string): StoredPrincipal {
  const found = principals.find((it) => it.name === name);
  if (found === undefined) {
    throw new VademecumError(
      "NOT_FOUND",
      "PRINCIPAL_NOT_FOUND",
      `there is no principal '${name}'; \`vademecum keys list\` shows the names and key ids`,
    );
  }
  return found;
}

function newKey({ nowMs, lifetimeMs = Infinity }: KeyTimes): {
  readonly stored: StoredKey;
  readonly shown: Omit<KeyChange, "credentials">;
} {
  const { id, secretSha256, text } = createApiKey();
  const expireTime = lifetimeMs === Infinity ? undefined : timeText(nowMs + lifetimeMs);
  const stored = {
    id,
    sha256: secretSha256.toString("hex"),
    create_time: timeText(nowMs),
    ...(expireTime === undefined ? {} : { expire_time: expireTime }),
  };
  return {
    stored,
    shown: { key: text, id, ...(expireTime === undefined ? {} : { expireTime }) },
  };
}

function lifetimeOf(key: StoredKey | undefined): number {
  if (key === undefined) return Infinity;
  const lifetimeMs = expiryMs(key) - Date.parse(key.create_time);
  if (lifetimeMs > 0) return lifetimeMs;
  throw new VademecumError(
    "FAILED_PRECONDITION",
    "KEY_WITHOUT_LIFETIME",
    `the key ${key.id} expired before it was created, so the new key cannot have its lifetime. ` +
      "State the lifetime of the new key with --expires",
  );
}

function expiryMs(key: StoredKey | undefined): number {
  return key?.expire_time === undefined ? Infinity : Date.parse(key.expire_time);
}

function timeText(ms: number): string {
  return new Date(ms).toISOString();
}

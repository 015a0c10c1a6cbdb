import { VademecumError } from "../core/model/errors.js";
import { createApiKey } from "./api-key.js";
import type { Credentials, StoredKey, StoredPrincipal } from "./credentials.js";

/** A new key, and the credentials that contain it. */
export interface KeyChange {
  readonly credentials: Credentials;
  /** The key as its owner sends it. Nothing else holds its secret. */
  readonly key: string;
  readonly id: string;
}

/** Times of a new key, in milliseconds since 1970. */
export interface KeyTimes {
  readonly nowMs: number;
  /** The time at which the key expires. Absent: the key does not expire. */
  readonly expireMs?: number;
}

/**
 * Adds a principal with its first key.
 *
 * @throws FAILED_PRECONDITION (PRINCIPAL_EXISTS) when a principal of that name exists
 * @throws FAILED_PRECONDITION (CERTIFICATE_IN_USE) when another principal has one of its
 *   certificates
 */
export function addPrincipal(
  { principals }: Credentials,
  principal: StoredPrincipal,
  times: KeyTimes,
): KeyChange {
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
  const { stored, key } = newKey(times);
  const added = { ...principal, keys: [stored] };
  return { credentials: { principals: [...principals, added] }, key, id: stored.id };
}

/**
 * Gives a principal a new key. Its newest earlier key remains valid for at most `overlapMs`; older
 * keys are removed.
 *
 * @throws NOT_FOUND (PRINCIPAL_NOT_FOUND) when no principal has that name
 */
export function rotateKey(
  credentials: Credentials,
  name: string,
  overlapMs: number,
  times: KeyTimes,
): KeyChange {
  const { stored, key } = newKey(times);
  const changed = changePrincipal(credentials, name, (principal) => {
    const [newest] = [...(principal.keys ?? [])].sort((a, b) =>
      b.create_time.localeCompare(a.create_time),
    );
    const untilMs = Math.min(times.nowMs + overlapMs, expiryMs(newest));
    const kept =
      newest !== undefined && untilMs > times.nowMs
        ? [{ ...newest, expire_time: timeText(untilMs) }]
        : [];
    return { ...principal, keys: [...kept, stored] };
  });
  return { credentials: changed, key, id: stored.id };
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
  { principals }: Credentials,
  name: string,
  change: (principal: StoredPrincipal) => StoredPrincipal,
): Credentials {
  if (!principals.some((it) => it.name === name)) {
    throw new VademecumError(
      "NOT_FOUND",
      "PRINCIPAL_NOT_FOUND",
      `there is no principal '${name}'; \`vademecum keys list\` shows the names and key ids`,
    );
  }
  return { principals: principals.map((it) => (it.name === name ? change(it) : it)) };
}

function newKey({ nowMs, expireMs }: KeyTimes): {
  readonly stored: StoredKey;
  readonly key: string;
} {
  const { id, secretSha256, text } = createApiKey();
  const stored = {
    id,
    sha256: secretSha256.toString("hex"),
    create_time: timeText(nowMs),
    ...(expireMs === undefined ? {} : { expire_time: timeText(expireMs) }),
  };
  return { stored, key: text };
}

function expiryMs(key: StoredKey | undefined): number {
  return key?.expire_time === undefined ? Infinity : Date.parse(key.expire_time);
}

function timeText(ms: number): string {
  return new Date(ms).toISOString();
}

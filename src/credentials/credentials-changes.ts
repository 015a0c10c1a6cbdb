import { isDeepStrictEqual } from "node:util";
import type { Credentials, StoredPrincipal, StoredTenant } from "./credentials.js";

/** What a change of a credentials file did. Keys are named by their ids, which are no secret. */
export interface CredentialsChanges {
  readonly addedPrincipals: readonly string[];
  readonly removedPrincipals: readonly string[];
  /** Principals with other rights, limits or certificates. */
  readonly changedPrincipals: readonly string[];
  /** Keys as `PRINCIPAL/ID`. */
  readonly addedKeys: readonly string[];
  readonly removedKeys: readonly string[];
  /** Tenants that were added or removed, or have another limit. */
  readonly changedTenants: readonly string[];
}

/** Compares two contents of a credentials file. */
export function changesOf(before: Credentials, after: Credentials): CredentialsChanges {
  const [old, now] = [byName(before), byName(after)];
  return {
    addedPrincipals: missing([...now.keys()], [...old.keys()]),
    removedPrincipals: missing([...old.keys()], [...now.keys()]),
    changedPrincipals: [...now]
      .filter(([name, principal]) => {
        const earlier = old.get(name);
        return earlier !== undefined && !isDeepStrictEqual(rightsOf(earlier), rightsOf(principal));
      })
      .map(([name]) => name),
    addedKeys: missing(keysOf(after), keysOf(before)),
    removedKeys: missing(keysOf(before), keysOf(after)),
    changedTenants: changedTenants(before, after),
  };
}

function changedTenants(
  { tenants: before = [] }: Credentials,
  { tenants: after = [] }: Credentials,
): readonly string[] {
  const differs = (tenant: StoredTenant, others: readonly StoredTenant[]): boolean =>
    !others.some((other) => isDeepStrictEqual(tenant, other));
  const changed = [
    ...before.filter((tenant) => differs(tenant, after)),
    ...after.filter((tenant) => differs(tenant, before)),
  ];
  return [...new Set(changed.map(({ name }) => name))];
}

function byName({ principals }: Credentials): ReadonlyMap<string, StoredPrincipal> {
  return new Map(principals.map((principal) => [principal.name, principal]));
}

function rightsOf(principal: StoredPrincipal): unknown {
  return { ...principal, keys: undefined };
}

function keysOf({ principals }: Credentials): readonly string[] {
  return principals.flatMap(({ name, keys = [] }) => keys.map(({ id }) => `${name}/${id}`));
}

/** Returns the texts that `others` lacks. */
function missing(texts: readonly string[], others: readonly string[]): readonly string[] {
  const known = new Set(others);
  return texts.filter((text) => !known.has(text));
}

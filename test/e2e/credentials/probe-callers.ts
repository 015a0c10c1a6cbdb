import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { type Role, roles } from "../../../src/core/model/principal.js";
import type { Credentials, StoredPrincipal } from "../../../src/credentials/credentials.js";
import { patterns } from "./expected-access.js";

/** A caller of the random calls in probes.test.ts, with its rights. */
export interface Caller {
  readonly name: string;
  readonly tenant: string;
  readonly authorization: string | undefined;
  /** Whether the caller shows a client certificate. */
  readonly isCertified: boolean;
  /** The role of the caller, or the reason why its credentials are refused. */
  readonly access: Role | "CREDENTIALS_REQUIRED" | "CREDENTIALS_REFUSED";
}

/** The tenants. An empty name stands for the data without a tenant. Both have the same users. */
export const tenants = ["", "blue"] as const;

const invalid = ["wrong", "expired", "revoked"] as const;
const everything = { users: ["*"], agents: ["*"], runs: ["*"], tools: ["*"] };
const issuer = "https://issuer.example";
const audience = "vademecum";

/**
 * Returns the principals of the file. Each tenant has one principal for each role, and one with all
 * roles. The other principals are invalid, or have a certificate.
 */
export function storedPrincipals(): readonly StoredPrincipal[] {
  const ofTenants = tenants.flatMap((tenant) => {
    const part = tenant === "" ? {} : { tenant };
    return [
      ...roles.map((role) => ({ name: `${role}-${tenant}`, roles: [role], ...patterns, ...part })),
      { name: `everybody-${tenant}`, roles: [...roles], ...everything, ...part },
    ];
  });
  return [
    ...ofTenants,
    ...invalid.map((name) => ({ name, roles: [...roles], ...patterns })),
    {
      name: "certified",
      roles: ["writer"],
      ...patterns,
      certificates: ["spiffe://example/planner"],
    },
  ];
}

/** Makes the keys of the invalid principals wrong, expired or revoked, as their names say. */
export function withInvalidKeys({ principals }: Credentials): Credentials {
  return {
    principals: principals.map((principal) => {
      const keys = principal.keys ?? [];
      switch (principal.name) {
        case "wrong":
          return { ...principal, keys: keys.map((key) => ({ ...key, sha256: "0".repeat(64) })) };
        case "expired":
          return {
            ...principal,
            keys: keys.map((key) => ({ ...key, expire_time: "2020-01-01T00:00:00Z" })),
          };
        case "revoked":
          return { ...principal, keys: [] };
        default:
          return principal;
      }
    }),
  };
}

/** Tokens of an issuer, and the settings of a server that accepts them. */
export interface Tokens {
  /** The content of the JWKS file. */
  readonly jwks: string;
  readonly flags: Readonly<Record<string, string>>;
  readonly callers: readonly Caller[];
}

/**
 * Signs a token for each role in each tenant, an expired token, and a token with an unknown key.
 */
export async function signTokens(): Promise<Tokens> {
  const [known, stranger] = await Promise.all([generateKeyPair("ES256"), generateKeyPair("ES256")]);
  const jwk = { ...(await exportJWK(known.publicKey)), alg: "ES256", kid: "known" };
  const sign = async (by: typeof known, expireSeconds: number, grants: object) =>
    new SignJWT({ vademecum: { ...patterns, ...grants } })
      .setProtectedHeader({ alg: "ES256", kid: "known" })
      .setIssuer(issuer)
      .setAudience(audience)
      .setSubject("kim")
      .setExpirationTime(Math.floor(Date.now() / 1000) + expireSeconds)
      .sign(by.privateKey);
  const callerOf = async (
    name: string,
    tenant: string,
    access: Caller["access"],
    token: string,
  ) => ({
    name,
    tenant,
    access,
    authorization: `Bearer ${token}`,
    isCertified: false,
  });
  const hours = 23 * 3600;
  const ofRoles = tenants.flatMap((tenant) =>
    roles.map(async (role) => {
      const grants = { roles: [role], ...(tenant === "" ? {} : { tenant }) };
      return callerOf(`jwt ${role} ${tenant}`, tenant, role, await sign(known, hours, grants));
    }),
  );
  const all = { roles: [...roles] };
  const ofInvalid = [
    callerOf("expired jwt", "", "CREDENTIALS_REFUSED", await sign(known, -600, all)),
    callerOf("jwt of a stranger", "", "CREDENTIALS_REFUSED", await sign(stranger, hours, all)),
  ];
  return {
    jwks: JSON.stringify({ keys: [jwk] }),
    flags: { "jwt-issuer": issuer, "jwt-audience": audience },
    callers: await Promise.all([...ofRoles, ...ofInvalid]),
  };
}

/**
 * Returns the callers with keys, with a certificate, and without credentials.
 *
 * @param authorizationOf returns the header with the key of a principal
 */
export function keyCallers(authorizationOf: (name: string) => string): readonly Caller[] {
  const byKey = (name: string, tenant: string, access: Caller["access"]): Caller => ({
    name: `key ${name}`,
    tenant,
    access,
    authorization: authorizationOf(name),
    isCertified: false,
  });
  return [
    { name: "nobody", tenant: "", access: "CREDENTIALS_REQUIRED", ...without },
    { name: "certified", tenant: "", access: "writer", ...without, isCertified: true },
    ...invalid.map((name) => byKey(name, "", "CREDENTIALS_REFUSED")),
    ...tenants.flatMap((tenant) => roles.map((role) => byKey(`${role}-${tenant}`, tenant, role))),
  ];
}

const without = { authorization: undefined, isCertified: false } as const;

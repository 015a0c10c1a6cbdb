import type { PrincipalLimits } from "./principal-limits.js";

/** The roles of principals. The option `access` of an RPC says which roles may call it. */
export const roles = [
  "reader",
  "writer",
  "curator",
  "proposer",
  "approver",
  "tool",
  "operator",
] as const;
export type Role = (typeof roles)[number];

/**
 * The ids that a principal may name. Each pattern is a whole id, or a prefix with one `*` at its
 * end. `*` alone allows every id. An empty list allows no id.
 */
export type IdPatterns = readonly string[];

/** The caller, and what it may do. */
export interface Principal {
  /**
   * Stored records name their author by this name. The name is
   * - `key:NAME` for an API key,
   * - `jwt:ISSUER#SUBJECT` for a token,
   * - `cert:NAME` for a client certificate,
   * - `anonymous` without credentials, on a server that asks for none,
   * - `nobody` without credentials, on a server that asks for them.
   */
  readonly name: string;
  /** The tenant whose data the principal reaches; empty for data without a tenant. */
  readonly tenant: string;
  readonly roles: ReadonlySet<Role>;
  readonly users: IdPatterns;
  readonly agents: IdPatterns;
  /** The runs whose key-value notes the principal reaches. */
  readonly runs: IdPatterns;
  /** The tools in whose name the principal may query memory. Only for the role `tool`. */
  readonly tools: IdPatterns;
  /** Limits of this principal. Absent: only the limits of the server apply. */
  readonly limits?: PrincipalLimits;
}

/** The principal of every caller on a server without credentials. It may do everything. */
export const anonymous: Principal = {
  name: "anonymous",
  tenant: "",
  roles: new Set(roles),
  users: ["*"],
  agents: ["*"],
  runs: ["*"],
  tools: ["*"],
};

/** The principal of a caller without credentials, on a server that asks for them. */
export const nobody: Principal = {
  name: "nobody",
  tenant: "",
  roles: new Set(),
  users: [],
  agents: [],
  runs: [],
  tools: [],
};

/** Whether a caller has shown valid credentials. */
export function hasCredentials({ name }: Principal): boolean {
  return name !== anonymous.name && name !== nobody.name;
}

/**
 * Returns the identity that all credentials of a principal share. A key and a certificate with the
 * same name in the credentials file stand for one principal.
 */
export function identityOf({ name }: Pick<Principal, "name">): string {
  return name.replace(/^cert:/, "key:");
}

/**
 * Returns the name under which limits count a principal. Two tenants may have principals of the
 * same name, such as tokens with the same subject.
 */
export function accountOf(principal: Principal): string {
  return JSON.stringify([principal.tenant, identityOf(principal)]);
}

/** Roles that include the role `reader`. */
const readingRoles: readonly Role[] = ["reader", "writer", "curator", "proposer", "approver"];

/** Whether a principal has a role, directly or as a part of another role. */
export function hasRole({ roles: own }: Pick<Principal, "roles">, role: Role): boolean {
  return role === "reader" ? readingRoles.some((name) => own.has(name)) : own.has(role);
}

/** Whether the patterns allow an id. Ids are compared byte for byte. */
export function allowsId(patterns: IdPatterns, id: string): boolean {
  return patterns.some((pattern) =>
    pattern.endsWith("*") ? id.startsWith(pattern.slice(0, -1)) : id === pattern,
  );
}

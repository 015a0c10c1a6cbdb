import type { DescMessage, DescMethod, Message } from "@bufbuild/protobuf";
import {
  allowsId,
  anonymous,
  hasRole,
  type IdPatterns,
  nobody,
  type Principal,
  type Role,
} from "../../core/model/principal.js";
import { type Quota, smallerQuota } from "../../core/model/quota.js";
import type { Authenticator, Credentials } from "../../core/ports/authenticator.js";
import {
  credentialsRefused,
  credentialsRequired,
  outOfScope,
  roleRequired,
} from "./access-errors.js";
import { ruleOf } from "./access-rules.js";
import type { AuditLines, CallSource, RefusedRequest } from "./audit-lines.js";
import { type IdKind, namedIds } from "./named-ids.js";
import { type OpenCall, OpenCalls } from "./open-calls.js";
import type { RateLimits } from "./rate-limits.js";
import { neededRole, needsNoCredentials } from "./request-roles.js";

/** Decides who may make which call, for all protocols. */
export interface Access {
  /**
   * Returns the principal that makes a call, before the request is read. Returns a promise only if
   * it has to verify a token. The promise may reject with any of the errors below.
   *
   * @param path the path of an RPC, such as `/vademecum.v1.MemoryProvider/Add`; any other path
   *   needs no credentials
   * @param from for the log
   *
   * @throws UNAUTHENTICATED (CREDENTIALS_REQUIRED, CREDENTIALS_REFUSED) when the credentials are
   *   missing or not valid
   * @throws PERMISSION_DENIED (ROLE_REQUIRED) when the principal has no role that the RPC allows
   * @throws RESOURCE_EXHAUSTED (RATE_EXCEEDED) when the principal has made too many calls
   */
  admit(path: string, credentials: Credentials, from?: CallSource): Principal | Promise<Principal>;
  /**
   * Counts the bytes of a request message, before it is decoded.
   *
   * @throws RESOURCE_EXHAUSTED (RATE_EXCEEDED) when the principal has sent too many bytes
   */
  countBytes(principal: Principal, bytes: number): void;
  /**
   * Checks the rights that depend on the content of a request. The principal must have the role
   * that this request needs, such as `operator` for a reset of the whole server. It must also be
   * allowed to use the ids that the request names. Runs after the request is decoded, but before it
   * is validated and before any record is read.
   *
   * @param from for the log
   * @throws UNAUTHENTICATED (CREDENTIALS_REQUIRED) when the request needs credentials
   * @throws PERMISSION_DENIED (ROLE_REQUIRED, OUT_OF_SCOPE) when the principal lacks the role, or
   *   may not use one of the ids
   */
  authorize(principal: Principal, method: DescMethod, request: Message, from?: CallSource): void;
  /**
   * Follows a call that may stay open for long: ends it when its credentials are no longer valid,
   * and passes on changes of its principal.
   *
   * @returns a function to call when the call has ended
   */
  follow(call: OpenCall): () => void;
}

/** Creates the access to a server without credentials: everybody may do everything. */
export function createOpenAccess(quota: Quota = {}): Access {
  const principal = withQuota(anonymous, quota);
  return {
    admit: () => principal,
    countBytes: () => undefined,
    authorize: () => undefined,
    follow: () => () => undefined,
  };
}

/** The dependencies of the access to a server with credentials. */
export interface AccessParts {
  readonly authenticator: Authenticator;
  readonly rates: RateLimits;
  readonly audit: Pick<AuditLines, "denied">;
  /** The quota of each user; a principal may have a smaller quota. Absent: no quota. */
  readonly quota?: Quota | undefined;
}

/** Creates the access to a server with credentials. */
export function createAccess({ authenticator, rates, audit, quota = {} }: AccessParts): Access {
  const admitAs = (path: string, found: Principal | undefined, from?: CallSource): Principal => {
    if (found === undefined) throw denial(path, undefined, credentialsRefused(), from);
    rates.countCall(found);
    return callerOf(path, found, from);
  };
  const callerOf = (path: string, found: Principal, from?: CallSource): Principal => {
    const principal = withQuota(found, quota);
    const rule = ruleOf(path);
    if (typeof rule === "object" && !hasAnyRole(principal, rule))
      throw denial(path, principal, roleRequired(rule), from);
    return principal;
  };
  const denial = <E>(
    path: string,
    principal: Principal | undefined,
    error: E,
    from: CallSource | undefined,
    refused?: RefusedRequest,
  ): E => {
    audit.denied(path, principal, error, from, refused);
    return error;
  };
  const openCalls = new OpenCalls(authenticator, (call, found) => {
    const { path, principal } = call;
    if (found?.name === principal.name && found.tenant === principal.tenant)
      return callerOf(path, found, call);
    throw denial(path, principal, credentialsRefused(), call);
  });
  authenticator.onReview(() => openCalls.review());
  const authorize = (principal: Principal, method: DescMethod, request: Message): void => {
    if (principal === nobody) {
      if (needsNoCredentials(method, request)) return;
      throw credentialsRequired();
    }
    const role = neededRole(method, request);
    if (role !== undefined) requireAnyRole(principal, [role]);
    const rule = ruleOf(pathOf(method));
    const needed = role ?? (typeof rule === "object" && rule.length === 1 ? rule[0] : undefined);
    // A principal's patterns do not limit RPCs that need the role `operator`, because these RPCs
    // work on the whole server.
    if (needed !== "operator") requirePatterns(principal, needed === "tool", method.input, request);
  };
  return {
    admit(path, credentials, from) {
      if (credentials.authorization === undefined && credentials.certificateNames.length === 0) {
        const rule = ruleOf(path);
        if (rule === undefined || rule === "everybody") return nobody;
        throw denial(path, undefined, credentialsRequired(), from);
      }
      const found = authenticator.authenticate(credentials);
      return found instanceof Promise
        ? found.then((principal) => admitAs(path, principal, from))
        : admitAs(path, found, from);
    },
    countBytes: (principal, bytes) => rates.countBytes(principal, bytes),
    authorize(principal, method, request, from) {
      try {
        authorize(principal, method, request);
      } catch (error) {
        const caller = principal === nobody ? undefined : principal;
        const refused = { schema: method.input, message: request };
        throw denial(pathOf(method), caller, error, from, refused);
      }
    },
    follow: (call) => (call.principal === nobody ? () => undefined : openCalls.follow(call)),
  };
}

/**
 * Checks that a principal has one of the needed roles.
 *
 * @throws PERMISSION_DENIED (ROLE_REQUIRED) when the principal has none of them
 */
export function requireAnyRole(principal: Principal, needed: readonly Role[]): void {
  if (!hasAnyRole(principal, needed)) throw roleRequired(needed);
}

function hasAnyRole(principal: Principal, needed: readonly Role[]): boolean {
  return needed.some((role) => hasRole(principal, role));
}

/** Returns a principal whose quota is the smaller of its own and the given one. */
function withQuota(principal: Principal, quota: Quota): Principal {
  if (quota.memories === undefined && quota.bytes === undefined) return principal;
  const { limits = {} } = principal;
  return { ...principal, limits: { ...limits, quota: smallerQuota(limits.quota ?? {}, quota) } };
}

/** Returns the path of an RPC. */
export function pathOf({ parent, name }: DescMethod): string {
  return `/${parent.typeName}/${name}`;
}

function requirePatterns(
  principal: Principal,
  asTool: boolean,
  schema: DescMessage,
  request: Message,
): void {
  const patterns: Readonly<Record<IdKind, IdPatterns>> = {
    user: principal.users,
    agent: principal.agents,
    run: principal.runs,
    // In QueryMemory and SubmitToolResponse, tool_id is the tool that makes the call. In ListTools
    // it only selects manifests, so patterns do not limit it.
    tool: asTool ? principal.tools : ["*"],
  };
  for (const named of namedIds(schema, request))
    if (!allowsId(patterns[named.kind], named.id)) throw outOfScope(named);
}

import { type DescMethod, getOption } from "@bufbuild/protobuf";
import {
  RpcFacts_Access as Access,
  RpcFacts_Effect as Effect,
  rpc,
  RpcFacts_UnsetMeans as UnsetMeans,
} from "#gen/vademecum/v1/options_pb.js";
import type { Role } from "../core/model/principal.js";

/**
 * Who may call an RPC:
 *
 * - roles: principals with one of them. If there are several, the request decides which
 * - `any credentials`: callers with valid credentials, whatever their roles
 * - `everybody`: callers without credentials too
 */
export type RpcRule = readonly Role[] | "any credentials" | "everybody";

/** What the definition of an RPC says about each of its calls, in `options.proto`. */
export interface RpcFacts {
  readonly rule: RpcRule;
  /** Whether calls change stored data. */
  readonly writes: boolean;
  /**
   * Names of the fields and oneofs of the request that the log has of each call. `undefined` if the
   * log has only refusals for lack of rights.
   */
  readonly audited: readonly string[] | undefined;
  /** Maximum size of a request in bytes; `undefined` for the default. */
  readonly requestMaxBytes: number | undefined;
  /**
   * Whether a request without the id of a user or agent concerns all that the principal may name.
   * The handler then passes the patterns of the principal to the core. Otherwise, such an id is
   * required, or the call concerns nobody's data without it.
   */
  readonly unsetMeansAllowed: boolean;
}

const rules: Readonly<Record<Access, Role | "any credentials" | "everybody" | undefined>> = {
  [Access.UNSPECIFIED]: undefined,
  [Access.READER]: "reader",
  [Access.WRITER]: "writer",
  [Access.CURATOR]: "curator",
  [Access.PROPOSER]: "proposer",
  [Access.APPROVER]: "approver",
  [Access.TOOL]: "tool",
  [Access.OPERATOR]: "operator",
  [Access.ANY_CREDENTIALS]: "any credentials",
  [Access.EVERYBODY]: "everybody",
};

/** Fields that hold ids or labels of users' data. */
const idName = /(^|_)(ids?|labels?|prefix|namespace)$/;

/**
 * Returns the facts about an RPC of Vademecum.
 *
 * @throws Error when the definition of the RPC does not say who may call it and whether it writes,
 *   or names a field to log that its request does not have, or that holds ids of users' data
 */
export function factsOf(method: DescMethod): RpcFacts {
  const { access, effect, audited, requestMaxBytes, unsetMeans } = getOption(method, rpc);
  if (effect === Effect.UNSPECIFIED) throw incomplete(method, "has no `effect`");
  for (const name of audited?.fields ?? []) {
    if (idName.test(name) && name !== "tool_id")
      throw incomplete(method, `logs \`${name}\`, an id or label of users' data`);
    if (!method.input.members.some((member) => member.name === name))
      throw incomplete(method, `logs \`${name}\`, which its request does not have`);
  }
  return {
    rule: ruleOf(method, access),
    writes: effect === Effect.WRITES,
    audited: audited?.fields,
    requestMaxBytes: requestMaxBytes === 0 ? undefined : requestMaxBytes,
    unsetMeansAllowed: unsetMeans === UnsetMeans.ALLOWED_ONES,
  };
}

function ruleOf(method: DescMethod, access: readonly Access[]): RpcRule {
  const found = access.map((one) => rules[one]);
  const roles = found.filter((one) => isRole(one));
  if (roles.length === found.length && roles.length > 0) return roles;
  const [only, ...more] = found;
  if (only === undefined || isRole(only) || more.length > 0)
    throw incomplete(method, "has no valid `access`");
  return only;
}

function isRole(rule: Role | "any credentials" | "everybody" | undefined): rule is Role {
  return rule !== undefined && rule !== "any credentials" && rule !== "everybody";
}

function incomplete({ parent, name }: DescMethod, what: string): Error {
  return new Error(`the option \`rpc\` of ${parent.typeName}/${name} ${what} (options.proto)`);
}

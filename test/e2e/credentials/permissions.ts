import { type DescMessage, type DescMethod, getOption } from "@bufbuild/protobuf";
import { RpcFacts_Access, rpc } from "#gen/vademecum/v1/options_pb.js";
import type { Role } from "../../../src/core/model/principal.js";
import { allMethods } from "../isolation/services.js";

/** The permission that a call needs: one of several roles, any valid credentials, or nothing. */
export type Permission = readonly Role[] | "any credentials" | "nothing";

const methods = await allMethods();

/** The permission of each RPC by its full name, from the options of the RPC. */
export const permissions: Readonly<Record<string, Permission>> = Object.fromEntries(
  methods.map((method) => [nameOf(method), permissionOf(method)]),
);

function permissionOf(method: DescMethod): Permission {
  const roles = getOption(method, rpc).access.map((access) =>
    RpcFacts_Access[access].toLowerCase(),
  );
  if (roles.includes("everybody")) return "nothing";
  if (roles.includes("any_credentials")) return "any credentials";
  // Some roles include the role `reader`.
  const readers = roles.includes("reader") ? ["writer", "curator", "proposer", "approver"] : [];
  return [...roles, ...readers] as readonly Role[];
}

/** Returns the full name of an RPC. */
export function nameOf({ parent, name }: DescMethod): string {
  return `${parent.typeName}/${name}`;
}

/** The role that Dispatch needs for each tool. A tool that is not listed needs `reader`. */
export const rolesOfTools: Readonly<Record<string, readonly Role[]>> = {
  write: ["writer"],
  delete: ["writer"],
  add_memory: ["writer"],
  correct_memory: ["writer", "proposer"],
  forget_memory: ["writer"],
  propose_memory_edit: ["proposer"],
  propose_memory_rewrite: ["proposer"],
  propose_memory_append: ["proposer"],
  store_skill: ["writer"],
  report_skill: ["writer"],
};

/**
 * RPCs that no pattern of a principal restricts. They name no user, agent or run, or they need the
 * role `operator`.
 */
export const withoutPatterns: ReadonlySet<string> = new Set(
  methods
    .filter((method) => isForOperators(method) || !namesOwner(method.input, []))
    .map((method) => nameOf(method)),
);

function isForOperators(method: DescMethod): boolean {
  return JSON.stringify(permissionOf(method)) === JSON.stringify(["operator"]);
}

/** Whether a message has a field of a user or a run, at any depth. */
function namesOwner({ fields }: DescMessage, parents: readonly DescMessage[]): boolean {
  return fields.some(
    ({ name, message }) =>
      /^(?:user|run)(?:_ids?|s)$/.test(name) ||
      (message !== undefined &&
        !parents.includes(message) &&
        namesOwner(message, [...parents, message])),
  );
}

import type { DescMethod, JsonObject } from "@bufbuild/protobuf";
import type { Role } from "../../../src/core/model/principal.js";
import { required } from "../harness/namespace-client.js";
import { type Intruder, intrusionsOf, isOfUser, runOf } from "../isolation/intrusions.js";
import { allMethods } from "../isolation/services.js";
import { nameOf, permissions, rolesOfTools, withoutPatterns } from "./permissions.js";

type Namespace = Intruder["namespace"];

/** The namespace that the callers may use. */
export const own = { userId: "kim", agentId: "one" };

/** Foreign namespaces: with data, without data, and with names that look like patterns. */
export const foreign = {
  other: { userId: "bob", agentId: "one" },
  "another agent": { userId: "kim", agentId: "two" },
  missing: { userId: "nobody", agentId: "one" },
  wildcard: { userId: "*", agentId: "one" },
  "a pattern of its own": { userId: "kim*", agentId: "one" },
  "a longer name": { userId: "kimberly", agentId: "one" },
  "another case": { userId: "Kim", agentId: "one" },
} as const;

/** The patterns of a principal that is limited to `own`. */
export const patterns = {
  users: [own.userId],
  agents: [own.agentId],
  runs: [runOf(own)],
  tools: ["tool"],
};

const ofUsers: ReadonlySet<string> = new Set((await allMethods()).filter(isOfUser).map(nameOf));

/** Whether a role may make a call. */
export function isAllowed(role: Role, name: string, requests: readonly JsonObject[]): boolean {
  const permission = required(permissions[name], `no row for ${name}`);
  if (typeof permission === "string") return true;
  if (name.endsWith("/Reset"))
    return role === (requests.some((it) => it["everything"] === true) ? "operator" : "curator");
  const toolName = requests[0]?.["toolName"];
  const needed = typeof toolName === "string" ? rolesOfTools[toolName] : undefined;
  return (needed ?? permission).includes(role);
}

/**
 * Returns why a principal with a role and `patterns` is refused; `undefined` if it is served.
 *
 * @param isForeignTool whether the requests name a tool or run that `patterns` does not allow
 */
export function refusalOfRole(
  role: Role,
  name: string,
  namespace: Namespace,
  requests: readonly JsonObject[],
  isForeignTool = false,
): string | undefined {
  // The handler of Dispatch checks the role of the named tool, after the patterns were checked.
  const named = name.endsWith("/Dispatch") ? [] : requests;
  if (!isAllowed(role, name, named)) return "ROLE_REQUIRED";
  const isOwn = namespace.userId === own.userId && namespace.agentId === own.agentId;
  const isUserWide = ofUsers.has(name) && namespace.userId === own.userId;
  const isWithin = (isOwn || isUserWide) && !isForeignTool;
  if (!withoutPatterns.has(name) && !isWithin) return "OUT_OF_SCOPE";
  return isAllowed(role, name, requests) ? undefined : "ROLE_REQUIRED";
}

/** Returns the calls about a namespace, each a list of requests. */
export function requestsOf(
  called: DescMethod,
  namespace: Namespace,
): readonly (readonly JsonObject[])[] {
  const ids = { ownersId: "id", ownersContent: "text", ownersProposalId: "id" };
  // Calls about a whole user name no agent, so another agent makes no difference to them.
  const calls = intrusionsOf(called, { namespace, ...ids }).filter(
    (requests) =>
      !(namespace === foreign["another agent"] && isOfUser(called)) &&
      !requests.some((it) => it["everything"] === true && namespace !== own),
  );
  return /^(?:Clear|Pop)/.test(called.name) ? calls.map(withEmptyThread) : calls;
}

/** Names a thread without turns, so that it makes no difference who wrote the turns. */
function withEmptyThread(requests: readonly JsonObject[]): readonly JsonObject[] {
  return requests.map((request) => ({ ...request, threadId: "empty" }));
}

import {
  create,
  type DescField,
  type DescMessage,
  getOption,
  ScalarType,
} from "@bufbuild/protobuf";
import {
  FieldDescriptorProto_Label as Label,
  FieldDescriptorProto_Type as Type,
} from "@bufbuild/protobuf/wkt";
import { describe, expect, it } from "vitest";
import { field as fieldRules, oneof as oneofRules } from "#gen/buf/validate/validate_pb.js";
import { BuildContextRequestSchema } from "#gen/vademecum/v1/context_pb.js";
import { AddRequestSchema, AddTraceRequestSchema } from "#gen/vademecum/v1/memory_provider_pb.js";
import { anonymous, type Principal } from "../../../src/core/model/principal.js";
import { createAccess } from "../../../src/rpc/access/access.js";
import { idKindOf, namedIds } from "../../../src/rpc/access/named-ids.js";
import { factsOf } from "../../../src/rpc/rpc-facts.js";
import { allMethods } from "../../e2e/isolation/services.js";
import { describedMethod } from "../described-service.js";

/** Names of ids that the patterns of a principal do not cover. */
const otherIds = new Set([
  "backup_id",
  "before_id",
  "client_id",
  "exclude_ids",
  "external_id",
  "hold_id",
  "last_id",
  "memory_id",
  "new_thread_id",
  "plan_id",
  "proposal_id",
  "query_id",
  "request_id",
  "source_id",
  "task_id",
  "thread_id",
  "workflow_id",
]);

/** Ids of scopes that a request may leave out, and what happens then. */
const optionalIds: Readonly<Record<string, string>> = {
  "AddTrace user_id": "stands for the user `system`, and is checked as this user",
  "AddBatch add.namespace.user_id": "an item without `add` is refused",
  "AddBatch add.namespace.agent_id": "an item without `add` is refused",
  "Explain search.namespace.user_id": "a search without a namespace is refused",
  "Explain search.namespace.agent_id": "a search without a namespace is refused",
  "Explain search.user_id": "is refused, because Explain needs a namespace",
  "Explain search.agent_ids": "are refused, because Explain needs a namespace",
  "ExplainSearch search.namespace.user_id": "a search without a namespace is refused",
  "ExplainSearch search.namespace.agent_id": "a search without a namespace is refused",
  "ExplainSearch search.user_id": "is refused, because ExplainSearch needs a namespace",
  "ExplainSearch search.agent_ids": "are refused, because ExplainSearch needs a namespace",
  "Dispatch run_id": "the function refuses the call if it needs the id",
  "Dispatch namespace.user_id": "the function refuses the call if it needs the id",
  "Dispatch namespace.agent_id": "the function refuses the call if it needs the id",
};

interface Found {
  readonly path: string;
  readonly field: DescField;
  /** Whether each valid request has the field. */
  readonly isRequired: boolean;
}

/** Yields the text fields of a message at any depth. */
function* textFields(
  schema: DescMessage,
  path = "",
  isRequired = true,
  parents: readonly DescMessage[] = [],
): Generator<Found> {
  if (parents.includes(schema)) return;
  for (const field of schema.fields) {
    const at = path + field.name;
    const isNeeded = isRequired && isAlwaysSet(field);
    if (field.fieldKind === "map") continue;
    if (field.message !== undefined)
      yield* textFields(field.message, `${at}.`, isNeeded, [...parents, schema]);
    else if (field.scalar === ScalarType.STRING) yield { path: at, field, isRequired: isNeeded };
  }
}

function isAlwaysSet(field: DescField): boolean {
  const { required, type } = getOption(field, fieldRules);
  // An empty list of messages names nothing and leaves nothing out.
  if (field.fieldKind === "list" && field.message !== undefined) return true;
  if (field.fieldKind === "list") return type.case === "repeated" && type.value.minItems > 0n;
  if (field.oneof !== undefined) return getOption(field.oneof, oneofRules).required;
  if (required) return true;
  return !field.proto.proto3Optional && type.case === "string" && type.value.minBytes > 0n;
}

/** Returns the ids that are neither ids of scopes nor listed. */
function unknownIds(schema: DescMessage): readonly string[] {
  return [...textFields(schema)]
    .filter(({ field }) => /_ids?$/.test(field.name))
    .filter(({ field }) => idKindOf(field) === undefined && !otherIds.has(field.name))
    .map(({ path }) => path);
}

/** Returns the ids of users, agents and runs that a request may leave out. */
function unsetIds(schema: DescMessage): readonly string[] {
  return [...textFields(schema)]
    .filter(
      ({ field, isRequired }) => !isRequired && !["tool", undefined].includes(idKindOf(field)),
    )
    .map(({ path }) => path);
}

const methods = await allMethods();
const text = { type: Type.STRING, label: Label.OPTIONAL } as const;
const texts = { type: Type.STRING, label: Label.REPEATED } as const;

describe("the ids in a request", () => {
  it("every id in a request is known as the id of a scope or of something else", () => {
    for (const { name, input } of methods) expect([name, unknownIds(input)]).toEqual([name, []]);
  });

  it("a new kind of id is noticed", () => {
    const { input } = describedMethod([
      { name: "account_id", number: 1, ...text },
      { name: "user_id", number: 2, ...text },
      { name: "team_ids", number: 3, ...texts },
    ]);
    expect(unknownIds(input)).toEqual(["account_id", "team_ids"]);
  });

  it("a request of a restricted principal cannot leave out the ids that its patterns cover", () => {
    const found = methods
      .filter((method) => factsOf(method).rule[0] !== "operator")
      .filter((method) => !factsOf(method).unsetMeansAllowed)
      .flatMap(({ name, input }) => unsetIds(input).map((path) => `${name} ${path}`));
    expect(found.toSorted()).toEqual(Object.keys(optionalIds).toSorted());
  });

  it("these requests mean all users and agents that the principal may name, if they name none", () => {
    const found = methods.filter((method) => factsOf(method).unsetMeansAllowed);
    // test/e2e/isolation/unset-ids.test.ts calls each of them with a key for one user and agent.
    const agents = ["Search", "Recall", "Get", "WatchMemories", "Update", "Delete"];
    const names = found.map(({ name }) => name);
    expect(names.filter((name) => agents.includes(name))).toEqual(agents);
    expect(names.filter((name) => !agents.includes(name))).toEqual([
      "ListUsers",
      "ListNamespaces",
      "Export",
      "ListRuns",
      "ListProposals",
      "CountProposals",
      "WatchInbox",
    ]);
  });

  it("an id that a request may leave out is noticed", () => {
    const { input } = describedMethod([
      { name: "user_id", number: 1, ...text },
      { name: "agent_ids", number: 2, ...texts },
      { name: "tool_id", number: 3, ...text },
    ]);
    expect(unsetIds(input)).toEqual(["user_id", "agent_ids"]);
  });

  it("ids are found by name, at any depth and in lists", () => {
    const { input } = describedMethod([
      { name: "user_ids", number: 1, ...texts },
      { name: "agents", number: 2, ...texts },
      { name: "run_id", number: 3, ...text },
      { name: "labels", number: 4, ...texts },
    ]);
    const request = create(input, {
      userIds: ["ann", "bob"],
      agents: ["one"],
      runId: "r",
      labels: ["x"],
    });
    expect(namedIds(input, request)).toEqual([
      { kind: "user", field: "user_ids[0]", id: "ann" },
      { kind: "user", field: "user_ids[1]", id: "bob" },
      { kind: "agent", field: "agents[0]", id: "one" },
      { kind: "run", field: "run_id", id: "r" },
    ]);
    const context = create(BuildContextRequestSchema, {
      sections: [
        { section: { case: "blocks", value: {} } },
        { section: { case: "keys", value: { runId: "mine" } } },
      ],
    });
    expect(namedIds(BuildContextRequestSchema, context)).toEqual([
      { kind: "run", field: "sections[1].keys.run_id", id: "mine" },
    ]);
    const add = create(AddRequestSchema, { namespace: { userId: "ann", agentId: "one" } });
    expect(namedIds(AddRequestSchema, add).map(({ field }) => field)).toEqual([
      "namespace.user_id",
      "namespace.agent_id",
    ]);
  });

  it("a principal may name in a list only the ids that its patterns cover", () => {
    const method = describedMethod([{ name: "user_ids", number: 1, ...texts }]);
    const access = createAccess({
      authenticator: { authenticate: () => undefined, onReview: () => undefined },
      rates: { countCall: () => undefined, countBytes: () => undefined },
      audit: { denied: () => undefined },
    });
    const ann: Principal = { ...anonymous, name: "key:ann", users: ["ann*"] };
    const authorize = (...userIds: string[]) =>
      access.authorize(ann, method, create(method.input, { userIds }));
    authorize("ann", "anna");
    expect(() => authorize("ann", "bob")).toThrow(
      expect.objectContaining({ reason: "OUT_OF_SCOPE", field: "user_ids[1]" }) as Error,
    );
  });

  it("a trace without a user names the user `system`", () => {
    const trace = create(AddTraceRequestSchema, { agentId: "flow" });
    expect(namedIds(AddTraceRequestSchema, trace)).toContainEqual({
      kind: "user",
      field: "user_id",
      id: "system",
    });
  });
});

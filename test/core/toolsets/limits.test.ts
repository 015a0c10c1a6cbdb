import { type DescField, getOption } from "@bufbuild/protobuf";
import { expect, it } from "vitest";
import { type FieldRules, field as fieldRules } from "#gen/buf/validate/validate_pb.js";
import {
  SearchKeysRequestSchema,
  WriteKeyRequestSchema,
} from "#gen/vademecum/v1/key_value_service_pb.js";
import {
  AddRequestSchema,
  ProposeEditRequestSchema,
} from "#gen/vademecum/v1/memory_provider_pb.js";
import { SearchRequestSchema } from "#gen/vademecum/v1/search_pb.js";
import {
  RetrieveSkillsRequestSchema,
  StoreSkillRequestSchema,
  UpdateSuccessCountRequestSchema,
} from "#gen/vademecum/v1/skill_service_pb.js";
import type { BlockService } from "../../../src/core/blocks/service.js";
import { createKeyValueService } from "../../../src/core/key-values/create-service.js";
import type { ProposalService } from "../../../src/core/proposals/service.js";
import type { SkillService } from "../../../src/core/skills/service.js";
import { blockTools } from "../../../src/core/toolsets/block-tools.js";
import { keyValueTools } from "../../../src/core/toolsets/key-value-tools.js";
import { memoryTools } from "../../../src/core/toolsets/memory-tools.js";
import { skillTools } from "../../../src/core/toolsets/skill-tools.js";
import { createInMemoryStore } from "../../../src/store/in-memory/in-memory-store.js";
import { createService } from "../search/search-service.js";

const keyValues = createKeyValueService({
  store: createInMemoryStore("epoch"),
  clock: { nowMs: () => 0 },
});
/** The services of these tools are never called, because the test reads only the parameters. */
const blocks = blockTools({} as BlockService, {} as ProposalService);
const memories = memoryTools({
  memories: await createService(),
  proposals: {} as ProposalService,
});
const skills = skillTools({} as SkillService);
const tools = [...keyValueTools(keyValues), ...blocks, ...memories, ...skills];

/** Each parameter of a tool, with the field of a request that has the same limits. */
const pairs: readonly [tool: string, parameter: string, field: DescField][] = [
  ...["write", "read", "delete"].map((tool): [string, string, DescField] => [
    tool,
    "key",
    WriteKeyRequestSchema.field.key,
  ]),
  ["write", "value", WriteKeyRequestSchema.field.value],
  ["pattern_search", "pattern", SearchKeysRequestSchema.field.pattern],
  ["propose_memory_edit", "old_string", ProposeEditRequestSchema.field.oldString],
  ["propose_memory_edit", "new_string", ProposeEditRequestSchema.field.newString],
  ["propose_memory_edit", "reasoning", ProposeEditRequestSchema.field.reasoning],
  ["add_memory", "content", AddRequestSchema.field.content],
  ["add_memory", "tags", AddRequestSchema.field.tags],
  ["add_memory", "importance", AddRequestSchema.field.importance],
  ["search_memory", "query", SearchRequestSchema.field.query],
  ["correct_memory", "content", AddRequestSchema.field.content],
  ["propose_memory_rewrite", "new_body", ProposeEditRequestSchema.field.newBody],
  ["retrieve_skills", "situation", RetrieveSkillsRequestSchema.field.query],
  ["store_skill", "context", StoreSkillRequestSchema.field.context],
  ["store_skill", "lesson", StoreSkillRequestSchema.field.lesson],
  ["store_skill", "tool_name", StoreSkillRequestSchema.field.toolName],
  ["report_skill", "id", UpdateSuccessCountRequestSchema.field.id],
];

it.each(pairs)(
  "the tool %s has the limits of the proto files for its argument %s",
  (toolName, name, field) => {
    const parameter = tools.find((tool) => tool.name === toolName)?.parameters[name];
    expect(limitsOfRules(getOption(field, fieldRules))).toEqual(
      limitsOf(parameter as unknown as Record<string, unknown>),
    );
  },
);

function limitsOfRules({ type }: FieldRules): Record<string, number | boolean> {
  if (type.case === "string")
    return {
      minBytes: Number(type.value.minBytes),
      maxBytes: Number(type.value.maxBytes),
      // The only pattern in the proto files refuses texts that consist of white space.
      notBlank: type.value.pattern !== "",
    };
  if (type.case === "double")
    return {
      minimum: Number(type.value.greaterThan.value),
      maximum: Number(type.value.lessThan.value),
    };
  if (type.case !== "repeated") throw new Error(`unknown type of rules: ${type.case}`);
  return {
    maxItems: Number(type.value.maxItems),
    ...(type.value.items && limitsOfRules(type.value.items)),
  };
}

function limitsOf(parameter: Record<string, unknown>): Record<string, number | boolean> {
  const {
    type,
    minBytes = 0,
    maxBytes,
    minimum,
    maximum,
    maxItems,
    items,
    notBlank = false,
  } = parameter;
  if (String(type) === "array")
    return { maxItems: Number(maxItems), ...limitsOf(items as Record<string, unknown>) };
  return String(type) === "string"
    ? { minBytes: Number(minBytes), maxBytes: Number(maxBytes), notBlank: Boolean(notBlank) }
    : { minimum: Number(minimum), maximum: Number(maximum) };
}

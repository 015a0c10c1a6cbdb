import type { JsonObject } from "@bufbuild/protobuf";
import { Ajv } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, type TestAPI } from "vitest";
import { ToolFormat } from "#gen/vademecum/v1/toolset_pb.js";
import type { ToolClient } from "../harness/tool-client.js";
import type { OpenHost } from "./dispatch-cases.js";

/** The tools of each toolset, in order. */
export const toolsets: Readonly<Record<string, readonly string[]>> = {
  key_value: ["write", "read", "list", "delete", "pattern_search"],
  blocks: [
    "list_memory_blocks",
    "read_memory_block",
    "propose_memory_edit",
    "propose_memory_rewrite",
    "propose_memory_append",
    "list_my_edit_proposals",
  ],
  memory: ["add_memory", "search_memory", "correct_memory", "forget_memory"],
  skills: ["retrieve_skills", "store_skill", "report_skill"],
};

/** A schema for the JSON Schema of a function's parameters, in the form that chat models accept. */
const objectSchema: JsonObject = {
  type: "object",
  properties: {
    type: { const: "object" },
    properties: {
      type: "object",
      additionalProperties: { type: "object", required: ["type", "description"] },
    },
    required: { type: "array", items: { type: "string" } },
    additionalProperties: { const: false },
  },
  required: ["type", "properties", "required"],
  additionalProperties: false,
};

/** The form of a definition for each kind of host, and the place of its parts. */
const formats = [
  {
    name: "OpenAI and Ollama",
    format: ToolFormat.OPENAI,
    shape: objectOf({ type: { const: "function" }, function: toolWith("parameters") }),
    partsOf: ({ function: tool }: JsonObject) => partsOf(tool as JsonObject, "parameters"),
  },
  {
    name: "OpenAI's Responses API",
    format: ToolFormat.OPENAI_RESPONSES,
    shape: toolWith("parameters", { type: { const: "function" }, strict: boolean() }),
    partsOf: (tool: JsonObject) => partsOf(tool, "parameters"),
  },
  {
    name: "Anthropic",
    format: ToolFormat.ANTHROPIC,
    shape: toolWith("input_schema"),
    partsOf: (tool: JsonObject) => partsOf(tool, "input_schema"),
  },
  {
    name: "MCP",
    format: ToolFormat.MCP,
    shape: toolWith("inputSchema", {
      // The key-value tools and read_memory_block answer with a text alone.
      outputSchema: { type: "object" },
      annotations: {
        type: "object",
        properties: {
          readOnlyHint: boolean(),
          destructiveHint: boolean(),
          idempotentHint: boolean(),
          openWorldHint: boolean(),
        },
        required: ["readOnlyHint"],
        additionalProperties: false,
      },
    }),
    partsOf: (tool: JsonObject) => partsOf(tool, "inputSchema"),
  },
];

const ajv = new Ajv();
const strictValidators = [new Ajv({ strict: true }), new Ajv2020({ strict: true })] as const;

/** Stands for the id of what the last tool has stored. */
const storedId = "ID";

/**
 * Arguments for each tool, in an order in which all of them work if the user has the block
 * `student`.
 */
const calls: Readonly<Record<string, JsonObject>> = {
  write: { key: "k", value: "v" },
  read: { key: "k" },
  list: {},
  pattern_search: { pattern: "k" },
  delete: { key: "k" },
  list_memory_blocks: {},
  read_memory_block: { block_label: "student" },
  propose_memory_edit: {
    block_label: "student",
    old_string: "math",
    new_string: "maths",
    reasoning: "spelling",
    replace_all: true,
  },
  propose_memory_rewrite: { block_label: "goals", new_body: "- Sail", reasoning: "She said so" },
  propose_memory_append: { block_label: "student", append: "Likes art", reasoning: "new" },
  list_my_edit_proposals: { limit: 2 },
  add_memory: { content: "Ann likes tea", tags: ["tea"], importance: 1 },
  search_memory: {
    query: "tea",
    limit: 1,
    budget_tokens: 100,
    since: "2026-01-01",
    until: "9000-01-01",
  },
  correct_memory: { id: storedId, content: "Ann likes coffee", reasoning: "She said so" },
  forget_memory: { id: storedId },
  store_skill: { context: "The build fails", lesson: "Clean first", tool_name: "make" },
  retrieve_skills: { situation: "The build fails", tool_name: "make", limit: 1 },
  report_skill: { id: storedId, helped: true },
};

/** Cases of the form of definitions in each format, and of calls that follow them. */
export function definitionCases(
  it: TestAPI,
  openHost: OpenHost,
  openHostWithBlock: () => Promise<ToolClient>,
): void {
  for (const [toolset, names] of Object.entries(toolsets)) {
    for (const { name, format, shape, partsOf } of formats) {
      it(`the definitions of ${toolset} are in the form of ${name}, with parameters in JSON Schema`, async () => {
        const definitions = await openHost().definitions(toolset, format);
        expect(definitions.map((definition) => partsOf(definition).name)).toEqual(names);
        for (const definition of definitions) {
          expectValid(shape, definition);
          const { schema } = partsOf(definition);
          // Validators of both drafts of JSON Schema that hosts use. In strict mode they refuse
          // unknown keywords.
          for (const validator of strictValidators) {
            expect(validator.validateSchema(schema), JSON.stringify(schema)).toBe(true);
            validator.compile(schema);
          }
          expectValid(objectSchema, schema);
        }
      });
    }

    it(`every tool of ${toolset} works when the call follows its definition`, async () => {
      for (const { format, partsOf } of formats) {
        const host = await openHostWithBlock();
        const parts = (await host.definitions(toolset, format)).map(partsOf);
        let id = "";
        for (const [tool, example] of Object.entries(calls)) {
          const definition = parts.find(({ name }) => name === tool);
          if (definition === undefined) continue;
          const given = example["id"] === storedId ? { ...example, id } : example;
          expectValid(definition.schema, given);
          const reply = await host.outcome(definition.name, given);
          expect(reply.result).not.toBe("");
          if (definition.output !== undefined) expectValid(definition.output, reply.structured);
          id = /^Stored \w+ '(.*)'$/.exec(reply.result)?.[1] ?? id;
        }
        expect(parts.map(({ name }) => name).toSorted()).toEqual(
          Object.keys(calls)
            .filter((name) => names.includes(name))
            .toSorted(),
        );
      }
    });

    it(`Dispatch refuses arguments that the definitions of ${toolset} do not allow`, async () => {
      const host = openHost();
      for (const definition of await host.definitions(toolset)) {
        const { name, schema } = partsOf(definition["function"] as JsonObject, "parameters");
        const accepts = strictValidators[0].compile(schema);
        for (const given of spoiled(calls[name] ?? {})) {
          expect(accepts(given), JSON.stringify(given)).toBe(false);
          expect(await host.fail(name, given)).toMatch(
            `Error: Invalid arguments for tool '${name}': `,
          );
        }
      }
    });
  }

  it("the tools of key_value have fixed descriptions", async () => {
    const described = (await openHost().definitions("key_value")).map((definition) => {
      const tool = definition["function"] as JsonObject;
      const { properties } = tool["parameters"] as { properties: Record<string, JsonObject> };
      const parameters = Object.entries(properties).map(
        ([name, { description }]) => `${name}: ${JSON.stringify(description)}`,
      );
      return [tool["name"], tool["description"], ...parameters];
    });
    expect(described).toEqual([
      [
        "write",
        "Write a value to persistent memory under a specified key. Overwrites if key exists.",
        'key: "The key to store the value under"',
        'value: "The value to store"',
      ],
      [
        "read",
        "Read a value from persistent memory by key.",
        'key: "The key to retrieve the value for"',
      ],
      ["list", "List all keys currently stored in persistent memory."],
      [
        "delete",
        "Delete a key and its associated value from persistent memory.",
        'key: "The key to delete"',
      ],
      [
        "pattern_search",
        "Search for keys in persistent memory that contain a specific pattern.",
        'pattern: "Substring to search for in keys"',
      ],
    ]);
  });

  it("strict definitions require every parameter, and null leaves an optional one out", async () => {
    const host = await openHostWithBlock();
    for (const { format, partsOf } of formats) {
      const definitions = await host.definitions("memory", format, true);
      for (const definition of definitions) {
        const { schema } = partsOf(definition);
        expect(schema["required"]).toEqual(Object.keys(schema["properties"] as JsonObject));
        for (const validator of strictValidators)
          expect(validator.validateSchema(schema), JSON.stringify(schema)).toBe(true);
      }
      const search = partsOf(definitions[1] as JsonObject).schema;
      const given = { query: "tea", limit: null, budget_tokens: null, since: null, until: null };
      expectValid(search, given);
      expect(await host.dispatch("search_memory", given)).toBe(
        "No memories found matching query 'tea'",
      );
    }
    const [inOpenAi] = await host.definitions("memory", ToolFormat.OPENAI, true);
    expect(inOpenAi).toMatchObject({ function: { strict: true } });
    const [inResponses] = await host.definitions("memory", ToolFormat.OPENAI_RESPONSES, true);
    expect(inResponses?.["strict"]).toBe(true);
    expect(await host.fail("search_memory", { query: null })).toContain("query must be a string");
  });

  it("the default format of definitions is that of OpenAI and Ollama", async () => {
    const host = openHost();
    expect(await host.definitions("memory")).toEqual(
      await host.definitions("memory", ToolFormat.OPENAI),
    );
  });
}

/** Returns variants of the arguments, each with one fault. */
function spoiled(given: JsonObject): JsonObject[] {
  const wrongTypes = Object.keys(given).map((name) => ({ ...given, [name]: { not: "this" } }));
  return [{ ...given, unknown: 1 }, ...wrongTypes];
}

function partsOf(
  tool: JsonObject,
  schemaName: string,
): { readonly name: string; readonly schema: JsonObject; readonly output?: JsonObject } {
  const { outputSchema: output } = tool;
  const name = tool["name"] as string;
  const schema = tool[schemaName] as JsonObject;
  return output === undefined ? { name, schema } : { name, schema, output: output as JsonObject };
}

function expectValid(schema: JsonObject, value: unknown): void {
  expect(ajv.validate(schema, value), `${ajv.errorsText()} in ${JSON.stringify(value)}`).toBe(true);
}

function toolWith(schemaName: string, more: JsonObject = {}): JsonObject {
  const name = { type: "string", pattern: "^[a-zA-Z0-9_-]{1,64}$" };
  return objectOf({
    name,
    description: { type: "string", minLength: 20 },
    [schemaName]: objectSchema,
    ...more,
  });
}

/** A schema of an object with exactly these properties. Only `outputSchema` may be absent. */
function objectOf(properties: JsonObject): JsonObject {
  return {
    type: "object",
    properties,
    required: Object.keys(properties).filter((name) => name !== "outputSchema"),
    additionalProperties: false,
  };
}

function boolean(): JsonObject {
  return { type: "boolean" };
}

import { randomUUID } from "node:crypto";
import { expect, type TestAPI } from "vitest";
import type { ToolFormat } from "#gen/vademecum/v1/toolset_pb.js";
import { failureOf } from "../harness/failure.js";
import type { ToolClient, ToolHost } from "../harness/tool-client.js";

/** Creates the client of a host. Without `host`, the host has a new run and namespace. */
export type OpenHost = (host?: ToolHost) => ToolClient;

/**
 * Cases of the texts that the tools of `key_value` and `memory` return, and of the errors of tools.
 */
export function dispatchCases(it: TestAPI, openHost: OpenHost): void {
  keyValueToolCases(it, openHost);
  memoryToolCases(it, openHost);
  faultCases(it, openHost);
}

function keyValueToolCases(it: TestAPI, openHost: OpenHost): void {
  it("the write tool reports whether it created or updated the key", async () => {
    const tools = openHost();
    expect(await tools.dispatch("write", { key: "k", value: "v" })).toBe("Wrote value to key 'k'");
    expect(await tools.dispatch("write", { key: "k", value: "w" })).toBe(
      "Updated key 'k' with new value",
    );
  });

  it("the read tool returns the value unchanged, or reports a missing key", async () => {
    const tools = openHost();
    for (const value of ["in_progress", "", " two\nlines\r\n", "Error: no error", "🍷\0"]) {
      await tools.dispatch("write", { key: "k", value });
      expect(await tools.dispatch("read", { key: "k" })).toBe(value);
    }
    expect(await tools.fail("read", { key: "it's" })).toBe("Error: Key 'it's' not found");
  });

  it("the list tool joins the keys in the order of their first write", async () => {
    const tools = openHost();
    expect(await tools.dispatch("list")).toBe("No keys stored");
    for (const key of ["task_status", "findings", "a"])
      await tools.dispatch("write", { key, value: "" });
    await tools.dispatch("write", { key: "task_status", value: "done" });
    expect(await tools.dispatch("list", {})).toBe("task_status, findings, a");
  });

  it("the delete tool reports whether the key existed", async () => {
    const tools = openHost();
    await tools.dispatch("write", { key: "k", value: "v" });
    expect(await tools.dispatch("delete", { key: "k" })).toBe("Deleted key 'k'");
    expect(await tools.fail("delete", { key: "k" })).toBe("Error: Key 'k' not found");
    expect(await tools.dispatch("list")).toBe("No keys stored");
  });

  it("the pattern_search tool joins the keys that contain the text, case-sensitively", async () => {
    const tools = openHost();
    for (const key of ["task_1", "task_2", "note_1", "Task_3"])
      await tools.dispatch("write", { key, value: "" });
    expect(await tools.dispatch("pattern_search", { pattern: "task" })).toBe("task_1, task_2");
    expect(await tools.dispatch("pattern_search", { pattern: "task_\\d" })).toBe(
      "No keys found matching pattern 'task_\\d'",
    );
    expect(await tools.dispatch("pattern_search", { pattern: "" })).toBe(
      "task_1, task_2, note_1, Task_3",
    );
  });

  it("tools of two runs can use the same key for two values", async () => {
    const [one, two] = [openHost(), openHost()];
    await one.dispatch("write", { key: "k", value: "of one" });
    expect(await two.fail("read", { key: "k" })).toBe("Error: Key 'k' not found");
    await two.dispatch("write", { key: "k", value: "of two" });
    expect(await one.dispatch("read", { key: "k" })).toBe("of one");
  });
}

const dated = /^- \[\d{4}-\d\d-\d\d, id [\da-f-]{36}\] /gm;

/** Removes the dates and ids before the memories in a text of search_memory. */
function withoutDates(text: string): string {
  return text.replace(dated, "- ");
}

function memoryToolCases(it: TestAPI, openHost: OpenHost): void {
  it("add_memory and search_memory work on memories of the user and agent", async () => {
    const [tools, others] = [openHost(), openHost()];
    expect(await tools.dispatch("search_memory", { query: "wine" })).toBe(
      "No memories found matching query 'wine'",
    );
    const wine = "The user prefers dry red wine";
    expect(
      await tools.dispatch("add_memory", { content: wine, tags: ["wine"], importance: 0.9 }),
    ).toMatch(/^Stored memory '[\w-]{36}'$/);
    await tools.dispatch("add_memory", { content: "Dinner is on Friday\nat seven" });
    const found = await tools.dispatch("search_memory", { query: "which wine?", limit: 1 });
    expect(found).toMatch(dated);
    expect(withoutDates(found)).toBe(`- ${wine}`);
    expect(withoutDates(await tools.dispatch("search_memory", { query: "" }))).toBe(
      `- Dinner is on Friday\n  at seven\n- ${wine}`,
    );
    expect(await others.dispatch("search_memory", { query: "wine" })).toBe(
      "No memories found matching query 'wine'",
    );
  });

  it("a call with a time zone that does not exist fails, and the error names the field", async () => {
    const { service } = openHost();
    const namespace = { userId: randomUUID(), agentId: "a" };
    const call = { toolName: "search_memory", arguments: { query: "tea" }, namespace };
    const failure = failureOf(service.dispatch({ ...call, timeZone: "Mars/Olympus" }));
    expect(await failure).toMatchObject({ reason: "UNKNOWN_TIME_ZONE", fields: ["time_zone"] });
  });

  it("the tools of skills find a lesson, count whether it helped, and store new ones", async () => {
    const tools = openHost();
    const situation = "The deployment fails because the disk of the server is full";
    expect(await tools.dispatch("retrieve_skills", { situation })).toBe(
      "No skills found for this situation.",
    );
    const skill = { context: situation, lesson: "Delete old images\nbefore the build" };
    const [, id = ""] =
      /^Stored skill '(.*)'$/.exec(await tools.dispatch("store_skill", skill)) ?? [];
    expect(await tools.dispatch("retrieve_skills", { situation })).toBe(
      `- (id ${id}) ${situation}\n  Lesson: Delete old images\n  before the build`,
    );
    expect(await tools.dispatch("report_skill", { id, helped: true })).toBe(
      `Skill '${id}' now has 1 success, 0 failures`,
    );
    expect(await tools.dispatch("report_skill", { id, helped: false })).toBe(
      `Skill '${id}' now has 1 success, 1 failure`,
    );
    expect(await tools.fail("report_skill", { id: "x", helped: true })).toBe(
      "Error: Skill 'x' not found",
    );
  });

  it("search_memory reports a matching memory that does not fit into the budget", async () => {
    const tools = openHost();
    await tools.dispatch("add_memory", { content: "The user prefers dry red wine" });
    expect(await tools.dispatch("search_memory", { query: "wine", budget_tokens: 1 })).toBe(
      "Memories match query 'wine', but budget_tokens 1 is too small even for an excerpt",
    );
    expect(await tools.dispatch("search_memory", { query: "zebra", budget_tokens: 1 })).toBe(
      "No memories found matching query 'zebra'",
    );
  });

  it("search_memory returns all facts that differ only in a sign", async () => {
    const tools = openHost();
    const facts = ["The freezer must be at -5 degrees", "The freezer must be at 5 degrees"];
    for (const content of facts) await tools.dispatch("add_memory", { content });
    const found = await tools.dispatch("search_memory", { query: "freezer degrees" });
    expect(withoutDates(found).split("\n").toSorted()).toEqual(facts.map((fact) => `- ${fact}`));
  });

  it("a memory is corrected or forgotten by the id that search_memory shows", async () => {
    const tools = openHost();
    await tools.dispatch("add_memory", { content: "Ann drinks tea", tags: ["drink"] });
    const { result, structured } = await tools.outcome("search_memory", { query: "tea" });
    const [, id = ""] = /id ([\da-f-]{36})\] /.exec(result) ?? [];
    expect(structured).toEqual({
      memories: [
        {
          id,
          content: "Ann drinks tea",
          time: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/) as unknown,
          tags: ["drink"],
          relevance: 1,
          weak: false,
          excerpt: false,
        },
      ],
    });
    const correction = { id, content: "Ann drinks coffee", reasoning: "She said so" };
    expect(await tools.outcome("correct_memory", correction)).toMatchObject({
      result: `Corrected memory '${id}'`,
      structured: { id, outcome: "corrected" },
    });
    expect(withoutDates(await tools.dispatch("search_memory", { query: "Ann" }))).toBe(
      "- Ann drinks coffee",
    );
    expect(await tools.dispatch("forget_memory", { id })).toBe(`Forgot memory '${id}'`);
    expect(await tools.outcome("forget_memory", { id })).toMatchObject({
      result: `There is no memory '${id}'`,
      structured: { id, deleted: false },
    });
    expect(await tools.fail("correct_memory", correction)).toContain("Error");
  });

  it("search_memory stays within the token budget that the model sets", async () => {
    const tools = openHost();
    const long = "Burgundy is a region of France where the grape is mostly Pinot Noir";
    await tools.dispatch("add_memory", { content: long });
    await tools.dispatch("add_memory", { content: "Burgundy is red" });
    const found = await tools.dispatch("search_memory", { query: "Burgundy", budget_tokens: 45 });
    expect(withoutDates(found)).toBe("- Burgundy is red");
  });
}

function faultCases(it: TestAPI, openHost: OpenHost): void {
  it("a call of an unknown tool returns an error text", async () => {
    const tools = openHost();
    expect(await tools.fail("x")).toBe("Error: Tool 'x' not found");
    expect(await tools.fail("", { key: "k" })).toBe("Error: Tool '' not found");
    expect(await tools.fail("constructor")).toBe("Error: Tool 'constructor' not found");
    expect(await tools.fail("x".repeat(1_000))).toBe(`Error: Tool '${"x".repeat(100)}…' not found`);
  });

  it("invalid arguments return a text with the fault and the allowed values, and change nothing", async () => {
    const tools = openHost();
    const wrong = async (tool: string, given: Parameters<ToolClient["fail"]>[1]) =>
      (await tools.fail(tool, given)).replace(`Error: Invalid arguments for tool '${tool}': `, "");
    expect(await wrong("write", { wrong_param: "value" })).toBe(
      "key is missing; value is missing; 'wrong_param' is no argument of this tool, which takes key, value",
    );
    expect(await tools.fail("write")).toBe(
      "Error: Invalid arguments for tool 'write': key is missing; value is missing",
    );
    expect(await wrong("write", { key: "k", value: 5 })).toBe(
      "value must be a string, and is a number",
    );
    expect(await wrong("write", { key: "k", value: null })).toBe(
      "value must be a string, and is null",
    );
    expect(await wrong("write", { key: "", value: "v" })).toBe(
      "key must have 1 to 512 bytes of UTF-8, and has 0",
    );
    expect(await wrong("write", { key: "é".repeat(257), value: "v" })).toBe(
      "key must have 1 to 512 bytes of UTF-8, and has 514",
    );
    expect(await wrong("write", { key: "k", value: "x".repeat(65_537) })).toBe(
      "they must have at most 65,536 bytes as compact JSON, but have 65,559",
    );
    expect(await wrong("list", { run: "other" })).toBe(
      "'run' is no argument of this tool, which takes none",
    );
    expect(await wrong("add_memory", { content: "c", importance: 2 })).toBe(
      "importance must be 0 to 1, and is 2",
    );
    expect(await wrong("add_memory", { content: "c", tags: ["a", ""] })).toBe(
      "tags[1] must have 1 to 128 bytes of UTF-8, and has 0",
    );
    expect(await wrong("add_memory", { content: "c", tags: "a" })).toBe(
      "tags must be a list, and is a string",
    );
    expect(await wrong("search_memory", { query: "q", limit: 1.5 })).toBe(
      "limit must be an integer, and is a number",
    );
    expect(await tools.dispatch("list")).toBe("No keys stored");
    expect(await tools.dispatch("search_memory", { query: "" })).toBe(
      "No memories found matching query ''",
    );
  });

  it("the error text for invalid arguments names only the first ten faults", async () => {
    const tools = openHost();
    const given = Object.fromEntries(Array.from({ length: 3_000 }, (_, i) => [`name ${i}`, i]));
    const text = await tools.fail("read", given);
    expect(text).toMatch(
      /^Error: Invalid arguments for tool 'read': key is missing; 'name 0' is no argument of this tool, which takes key; /,
    );
    expect(text).toMatch(/ 'name 8' is no argument of this tool, which takes key; and more$/);
    expect(text.length).toBeLessThan(1000);
  });

  it("add_memory refuses a text of white space", async () => {
    const tools = openHost();
    expect(await tools.fail("add_memory", { content: " \n\u3000" })).toBe(
      "Error: Invalid arguments for tool 'add_memory': content must not be white space alone",
    );
  });

  it("arguments can be the text of a JSON object", async () => {
    const { service } = openHost();
    const runId = randomUUID();
    const call = async (toolName: string, argumentsJson: string) => {
      const { result, isError } = await service.dispatch({
        runId,
        toolName,
        argumentsJson,
      });
      return isError ? { error: result } : result;
    };
    expect(await call("list", "")).toBe("No keys stored");
    expect(await call("write", '{"key": "k", "value": "v"}')).toBe("Wrote value to key 'k'");
    const invalid = "Error: Invalid arguments for tool 'write':";
    expect(await call("write", '{"key": "k"}')).toEqual({ error: `${invalid} value is missing` });
    expect(await call("write", '["k", "v"]')).toEqual({
      error: `${invalid} they must be a JSON object`,
    });
    expect(await call("write", '{"key": "k"')).toMatchObject({
      error: expect.stringContaining(`${invalid} they are not valid JSON: `) as unknown,
    });
    expect(await call("write", '{"key": "k", "value": "v", "k\\u0065y": "other"}')).toEqual({
      error: `${invalid} they have the name "key" twice`,
    });
    expect(await call("write", '{"key": 9007199254740993, "value": "v"}')).toMatchObject({
      error: expect.stringContaining("key is 9007199254740993, ") as unknown,
    });
    expect(await call("write", `{"key": "k", "value": "\\ud800"}`)).toMatchObject({
      error: expect.stringContaining("surrogate") as unknown,
    });
    const tooComplex = call("write", `{"a":[${"{},".repeat(20_001)}0]}`);
    expect(await failureOf(tooComplex)).toMatchObject({ reason: "REQUEST_TOO_COMPLEX" });
    const twice = service.dispatch({ toolName: "list", arguments: {}, argumentsJson: "{}" });
    expect(await failureOf(twice)).toMatchObject({
      code: "INVALID_ARGUMENT",
      fields: ["arguments_json"],
    });
  });

  it("arguments of 64 KiB are accepted even if the text of the arguments escapes their letters", async () => {
    const { service } = openHost();
    const runId = randomUUID();
    const value = "x".repeat(65_536 - '{"key":"k","value":""}'.length);
    const argumentsJson = `{"key":"k","value":"${"\\u0078".repeat(value.length)}"}`;
    const { isError } = await service.dispatch({ runId, toolName: "write", argumentsJson });
    expect(isError).toBe(false);
    const read = await service.dispatch({ runId, toolName: "read", arguments: { key: "k" } });
    expect(read.result).toBe(value);
  });

  it("a tool without the run or user that it needs returns an error text", async () => {
    const nobody = openHost({});
    const noRun = "Unable to identify run. No run context available.";
    expect(await nobody.fail("write", { key: "k", value: "v" })).toBe(noRun);
    for (const tool of ["read", "delete"])
      expect(await nobody.fail(tool, { key: "k" })).toBe(noRun);
    expect(await nobody.fail("list")).toBe(noRun);
    expect(await nobody.fail("pattern_search", { pattern: "p" })).toBe(noRun);
    const noUser = "Unable to identify user. No user context available.";
    expect(await nobody.fail("add_memory", { content: "c" })).toBe(noUser);
    expect(await nobody.fail("search_memory", { query: "q" })).toBe(noUser);
  });

  it("a repeated Dispatch gets the first text; another body with the same idempotency key fails the call", async () => {
    const tools = openHost();
    expect(await tools.dispatch("write", { key: "k", value: "v" }, "key")).toBe(
      "Wrote value to key 'k'",
    );
    await tools.dispatch("write", { key: "k", value: "w" });
    expect(await tools.dispatch("write", { key: "k", value: "v" }, "key")).toBe(
      "Wrote value to key 'k'",
    );
    expect(await tools.dispatch("read", { key: "k" })).toBe("w");
    const reused = {
      code: "INVALID_ARGUMENT",
      reason: "IDEMPOTENCY_KEY_REUSED",
      fields: ["idempotency_key"],
    };
    expect(await failureOf(tools.dispatch("write", { key: "k", value: "x" }, "key"))).toMatchObject(
      reused,
    );
    const stored = await tools.dispatch("add_memory", { content: "once" }, "key");
    expect(await tools.dispatch("add_memory", { content: "once" }, "key")).toBe(stored);
    expect(withoutDates(await tools.dispatch("search_memory", { query: "once" }))).toBe("- once");
  });

  it("a call fails with an error if the host, and not the model, has made the mistake", async () => {
    const invalid = { code: "INVALID_ARGUMENT", reason: "INVALID_FIELD" };
    expect(await failureOf(openHost({ runId: "" }).dispatch("list"))).toMatchObject({
      ...invalid,
      fields: ["run_id"],
    });
    const half = openHost({ namespace: { userId: "ann", agentId: "" } });
    expect(await failureOf(half.dispatch("search_memory", { query: "" }))).toMatchObject({
      ...invalid,
      fields: ["namespace.agent_id"],
    });
    expect(await failureOf(openHost().definitions("other"))).toMatchObject({
      ...invalid,
      fields: ["toolset"],
    });
    expect(await failureOf(openHost().definitions("memory", 9 as ToolFormat))).toMatchObject({
      ...invalid,
      fields: ["format"],
    });
  });
}

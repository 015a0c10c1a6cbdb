import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Ajv } from "ajv";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { AddRequestSchema } from "#gen/vademecum/v1/memory_provider_pb.js";
import { SearchRequestSchema } from "#gen/vademecum/v1/search_pb.js";
import { testFileSchema } from "../../src/cli/memory-tests/test-file-schema.js";
import { type CommandRun, runCommand } from "./run-command.js";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "vademecum-memory-tests-"));
});
afterAll(() => rm(folder, { recursive: true }));

/** Runs `vademecum test` on a file with this text. */
async function test(text: string, ...args: readonly string[]): Promise<CommandRun> {
  const file = join(folder, "file.yaml");
  await writeFile(file, text);
  const run = await runCommand(["test", file, ...args]);
  const short = (output: string) => output.replaceAll(file, "file.yaml");
  return { ...run, stdout: short(run.stdout), stderr: short(run.stderr) };
}

const tea = "memories: [{id: tea, content: Ada drinks green tea in the morning}]\n";

describe("vademecum test", () => {
  it("vademecum test exits with 0 if all tests pass, and with 1 if one fails", async () => {
    const passing = `${tea}tests: [{name: tea is found, query: What does Ada drink?, expect: [tea]}]`;
    const passed = await test(passing);
    expect(passed.exitCode).toBe(0);
    expect(passed.stdout).toMatch(/ok {4}tea is found \(1 hit, \d tokens\)\n1 of 1 tests passed/);
    const failed = await test(passing.replace("expect: [tea]", "forbid: [tea]"));
    expect(failed).toMatchObject({ exitCode: 1, stderr: "error: 1 test failed\n" });
    expect(failed.stdout).toContain("found 'tea', which is forbidden");
  });

  it("vademecum test says why an expected memory is missing", async () => {
    const { exitCode, stdout } = await test(
      `${tea}tests: [{name: nothing, query: What does Ada drink?, filter: {tags_any: [x]}, expect: [tea]}]`,
    );
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(/expected 'tea'; not found \(filter: .+\)/);
  });

  it("vademecum test checks the first hit, and the number of hits and tokens", async () => {
    const { stdout } = await test(`
memories:
  - {id: tea, content: Ada drinks green tea}
  - {id: coffee, content: Ada drinks coffee}
tests:
  - {name: order, query: green tea, expect_first: coffee}
  - {name: hits, query: "", max_hits: 1}
  - {name: tokens, query: "", max_tokens: 3}
  - {name: all, query: "", max_hits: 2, max_tokens: 20, expect: [tea, {text: COFFEE}]}
`);
    expect(stdout).toMatch(/expected 'coffee' first; (?:it is hit 2|not found)/);
    expect(stdout).toContain("2 hits; at most 1 are allowed");
    expect(stdout).toMatch(/\d+ tokens; at most 3 are allowed/);
    expect(stdout).toContain("ok    all");
    expect(stdout).toContain("1 of 4 tests passed.");
  });

  it("vademecum test keeps a memory out that another one supersedes", async () => {
    const { stdout } = await test(`
memories:
  - {id: old, content: Ada lives in Lyon}
  - {id: new, content: Ada lives in Dijon, supersedes: old}
tests:
  - {name: the new one, query: Where does Ada live?, expect_first: new, forbid: [old]}
  - {name: both, query: Where does Ada live?, include_superseded: true, expect: [new, old]}
`);
    expect(stdout).toContain("2 of 2 tests passed.");
  });

  it("vademecum test takes its time from the file", async () => {
    const { stdout } = await test(`
now: 2020-05-05T12:00:00Z
memories:
  - {id: day, content: Ada met Grace, event_time: "2020-05-04T12:00:00Z"}
  - {id: gone, content: Ada met Alan, expire_time: "2020-05-06T00:00:00Z"}
tests:
  - {name: kept, query: Whom did Ada meet yesterday?, expect_first: day, expect: [gone]}
`);
    expect(stdout).toContain("1 of 1 tests passed.");
  });

  it("vademecum test reads the memories that `list --json` prints", async () => {
    const stored = {
      ...{ id: "01a2", namespace: { userId: "ada", agentId: "x" }, content: "Ada drinks tea" },
      ...{ memoryType: "MEMORY_TYPE_SEMANTIC", createTime: "2026-01-01T00:00:00Z", version: "3" },
      ...{ tags: ["drink"], importance: 0.5, tokenCount: 4, externalId: "e" },
    };
    await writeFile(join(folder, "own.jsonl"), `${JSON.stringify(stored)}\n\n`);
    const { stdout } = await test(
      "memories_file: own.jsonl\ntests: [{name: own, query: tea, filter: {tags_any: [drink]}, expect: [01a2]}]",
    );
    expect(stdout).toContain("file.yaml (1 memory)");
    expect(stdout).toContain("1 of 1 tests passed.");
  });

  it("vademecum test stores more memories than one call takes", async () => {
    const long = Array.from(
      { length: 30 },
      (_, index) => `note ${index} ${"word ".repeat(10_000)}`,
    );
    const short = Array.from({ length: 250 }, (_, index) => `Ada met guest ${index}`);
    const memories = [...long, ...short].map((content, index) => ({ id: `m${index}`, content }));
    const file = JSON.stringify({
      memories,
      tests: [{ name: "all", query: "guest 249", expect_first: "m279" }],
    });
    const { stdout } = await test(file, "--embedder", "none");
    expect(stdout).toContain("file.yaml (280 memories)");
    expect(stdout).toContain("1 of 1 tests passed.");
  });

  it("vademecum test --json prints the outcome of each test in a line", async () => {
    const { stdout } = await test(
      `${tea}tests: [{name: tea is found, query: tea, forbid: [tea]}]`,
      "--json",
    );
    expect(JSON.parse(stdout)).toMatchObject({
      name: "tea is found",
      hits: [{ id: "tea", content: "Ada drinks green tea in the morning", weak: false }],
      failures: ["found 'tea', which is forbidden"],
    });
  });

  it.each([
    ["memories: [\n  {id: a", "file.yaml:2: Flow map in block collection must be sufficiently"],
    [`${tea}tests: []`, "file.yaml:2: tests: must NOT have fewer than 1 items"],
    [
      `${tea}tests:\n  - name: a\n    query: b\n    expct: [tea]`,
      "file.yaml:5: tests.0: the field 'expct' is not known; see `vademecum test --schema`",
    ],
    [
      `${tea}tests: [{name: a, query: b}]`,
      "file.yaml:2: tests.0: checks nothing; give expect, expect_first, forbid, max_hits or max_tokens",
    ],
    ["tests: [{name: a, query: b, max_hits: 0}]", "give memories, memories_file, or both"],
    [
      `${tea}tests: [{name: a, query: b, forbid: [coffee]}]`,
      "file.yaml:2: no memory has the id 'coffee'",
    ],
    [
      `${tea}tests: [{name: a, query: b, forbid: [{text: coffee}]}]`,
      "file.yaml:2: no memory contains 'coffee'",
    ],
    [
      `${tea}tests: [{name: a, query: b, expect: [{txt: coffee}]}]`,
      'file.yaml:2: tests.0.expect.0: must be the id of a memory, or {text: "…"}',
    ],
    [
      "memories: [{id: a, content: b}, {id: a, content: c}]\ntests: [{name: a, query: b, max_hits: 0}]",
      "file.yaml:1: two memories have the id 'a'",
    ],
    [
      "memories: [{id: a, content: b, supersedes: c}]\ntests: [{name: a, query: b, max_hits: 0}]",
      "file.yaml:1: supersedes: no earlier memory has the id 'c'",
    ],
    [
      "memories: [{id: a, content: b, memory_type: FACT}]\ntests: [{name: a, query: b, max_hits: 0}]",
      "memories.0.memory_type: must be equal to one of the allowed values: MEMORY_TYPE_EPISODIC, ",
    ],
    [
      `${tea}tests: [{name: a, query: b, filter: {tag: x}, max_hits: 0}]`,
      'file.yaml:2: cannot decode message vademecum.v1.Filter from JSON: key "tag" is unknown',
    ],
    [
      "memories: [{id: a, content: ' '}]\ntests: [{name: a, query: b, max_hits: 0}]",
      "file.yaml: the memory 'a' is refused: ",
    ],
    ["memories_file: none.jsonl\ntests: [{name: a, query: b, max_hits: 0}]", "none.jsonl: cannot"],
  ])("vademecum test refuses the faulty file %j", async (text, message) => {
    const { exitCode, stderr } = await test(text);
    expect(stderr).toContain(message);
    expect(exitCode).toBe(2);
  });

  it("vademecum test --schema prints a JSON Schema whose fields are fields of the API", async () => {
    const { exitCode, stdout } = await runCommand(["test", "--schema"]);
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toEqual(JSON.parse(JSON.stringify(testFileSchema)));
    expect(new Ajv({ strict: false }).validateSchema(testFileSchema)).toBe(true);
    const { memories, tests } = testFileSchema.properties;
    const fieldsOf = (schema: typeof AddRequestSchema | typeof SearchRequestSchema) =>
      schema.fields.map(({ name }) => name);
    expect(Object.keys(memories.items.properties).filter((it) => it !== "id")).toEqual(
      expect.arrayContaining(["supersedes"]),
    );
    for (const field of Object.keys(memories.items.properties))
      if (field !== "id") expect(fieldsOf(AddRequestSchema)).toContain(field);
    const checks = ["name", "expect", "expect_first", "forbid", "max_hits", "max_tokens"];
    for (const field of Object.keys(tests.items.properties))
      if (!checks.includes(field)) expect(fieldsOf(SearchRequestSchema)).toContain(field);
  });

  it("vademecum test without a file exits with 2", async () => {
    expect(await runCommand(["test"])).toMatchObject({
      exitCode: 2,
      stderr: "error: files: give at least one test file\n",
    });
  });
});

import { fromJsonString } from "@bufbuild/protobuf";
import { createClient } from "@connectrpc/connect";
import { afterAll, beforeAll, expect, it } from "vitest";
import { BlockSchema } from "#gen/vademecum/v1/block_pb.js";
import { ExplainResponseSchema } from "#gen/vademecum/v1/memory_provider_pb.js";
import { SkillService } from "#gen/vademecum/v1/skill_service_pb.js";

import { type Connection, nativeGrpc } from "../e2e/harness/protocols.js";
import { startTestServer, type TestServer } from "../e2e/harness/test-server.js";
import { createUserClient } from "../e2e/harness/user-client.js";
import { runCommand } from "./run-command.js";
import { add, listedMemories, type Shell } from "./shell.js";

let server: TestServer;
let connection: Connection;
let users = 0;

beforeAll(async () => {
  server = await startTestServer({ provider: "memory", embedder: "none" });
  connection = nativeGrpc.connect(server);
});
afterAll(async () => {
  connection.close();
  await server.stop();
});

function createShell() {
  const userId = `user-${++users}`;
  const environment = {
    VADEMECUM_SERVER: server.grpcUrl,
    VADEMECUM_USER: userId,
    VADEMECUM_AGENT: "guide",
    VADEMECUM_RUN: userId,
  };
  const shell: Shell = (args, surroundings = {}) =>
    runCommand(args, { ...surroundings, environment });
  const printed = async (...args: readonly string[]) => (await shell(args)).stdout;
  return { shell, printed, namespace: { userId, agentId: "guide" } };
}

it("a block is written, read, listed with its versions, restored and deleted", async () => {
  const { shell, printed } = createShell();
  expect(await printed("block", "list")).toBe("No blocks.\n");
  expect(await printed("block", "put", "profile", "Likes tea", "--title", "Ada")).toBe(
    "Block 'profile' is now at version 1.\n",
  );
  await shell(["block", "put", "profile"], { stdin: "Likes\n\u001b[2Jcoffee\n" });
  expect(await printed("block", "get", "profile")).toBe("Likes\n\u001b[2Jcoffee\n");
  const onTerminal = await shell(["block", "get", "profile"], { isTTY: true });
  expect(onTerminal.stdout).toBe("Likes\n\\u001b[2Jcoffee\n");
  expect(await printed("block", "list")).toMatch(
    /^profile: Ada\n {4}Likes\n {4}\\u001b\[2Jcoffee\n {2}version 2 · \d+ tokens · /,
  );
  expect(await printed("block", "versions", "profile")).toMatch(
    /^version 2\n[\s\S]*\nversion 1\n {4}Likes tea\n {2}by anonymous · /,
  );
  expect(await printed("block", "restore", "profile", "1")).toContain("now at version 3");
  const listed = fromJsonString(BlockSchema, await printed("block", "list", "--json"));
  expect(listed).toMatchObject({ body: "Likes tea", version: 3n });
  const stale = await shell(["block", "put", "profile", "x", "--expected-version", "1"]);
  expect(stale).toMatchObject({ exitCode: 1 });
  expect(await printed("block", "delete", "profile")).toBe("Deleted block 'profile'.\n");
  expect(await printed("block", "delete", "profile")).toContain("Nothing to delete");
});

it("update changes and clears only the given fields of a memory", async () => {
  const { shell, printed } = createShell();
  const id = await add(shell, "--tag", "wine", "--author", "Ada", "--importance", "0.9", "tea");
  expect(await printed("update", id, "--content", "coffee", "--clear", "author", "tags")).toBe(
    `Updated ${id}: version 2.\n`,
  );
  await shell(["update", id, "--content", "-", "--status", "resolved"], { stdin: "milk\n" });
  const [memory] = listedMemories(await printed("list", "--json"));
  expect(memory).toMatchObject({ content: "milk", tags: [], importance: 0.9, version: 3n });
  expect(memory?.author).toBeUndefined();
  for (const wrong of [[], ["--clear", "content"]])
    expect(await shell(["update", id, ...wrong])).toMatchObject({ exitCode: 2 });
  expect(await shell(["update", id, "--content", "x", "--expected-version", "1"])).toMatchObject({
    exitCode: 1,
  });
});

it("update takes the options that name the memory, the server and the form of the reply", async () => {
  const userId = `user-${++users}`;
  const who = ["--server", server.grpcUrl, "--user", userId, "--agent", "guide", "--json"];
  const stored = await runCommand(["add", ...who, "tea"], { environment: {} });
  const { id } = JSON.parse(stored.stdout) as { readonly id: string };
  const changed = ["update", ...who, "--kind", "drink", "--content", "coffee", id];
  expect(await runCommand(changed, { environment: {} })).toMatchObject({ exitCode: 0, stderr: "" });
  const { stdout } = await runCommand(["get", ...who, id], { environment: {} });
  expect(stdout).toContain('"coffee"');
});

it("add reads standard input for the text -", async () => {
  const { shell, printed } = createShell();
  await shell(["add", "-"], { stdin: "from a file\n" });
  expect(await printed("list")).toContain("from a file");
});

it("explain says why a search returns a memory or leaves it out", async () => {
  const { shell, printed } = createShell();
  const tea = await add(shell, "Ada drinks tea");
  const rain = await add(shell, "It rains");
  expect(await printed("explain", "--memory", tea, "tea")).toMatch(/^Returned\.\n {2}\w/);
  expect(await printed("explain", "--memory", rain, "tea")).toMatch(/^Not returned\.\n/);
  const json = await printed("explain", "--memory", tea, "--json", "tea");
  expect(fromJsonString(ExplainResponseSchema, json).returned).toBe(true);
});

it("an id can be shortened in every command that takes one", async () => {
  const { shell, printed, namespace } = createShell();
  const [wine, tea] = [await add(shell, "Ada drinks wine"), await add(shell, "Ada drinks tea")];
  const short = (id: string) => id.slice(-8).toUpperCase();
  expect(await printed("get", short(wine))).toContain("Ada drinks wine");
  expect(await printed("update", short(wine), "--kind", "taste")).toBe(
    `Updated ${wine}: version 2.\n`,
  );
  expect(await printed("explain", "--memory", short(wine), "wine")).toMatch(/^Returned\./);
  const edit = ["--old-string", "wine", "--new-string", "cider", "--reasoning", "said so"];
  expect(await printed("propose", "--memory", short(wine), ...edit)).toContain(wine);
  const newer = await add(shell, "Ada drinks milk", "--supersedes", short(tea));
  expect(await printed("get", short(tea))).toContain(`superseded by: ${newer}`);
  expect(await printed("delete", short(wine))).toBe(`Deleted ${wine}.\n`);
  const skills = createClient(SkillService, connection.transport);
  const { skill } = await skills.storeSkill({ namespace, context: "c", lesson: "l" });
  const id = skill?.id ?? "";
  expect(await printed("skills", "delete", short(id))).toBe(`Deleted ${id}.\n`);
});

it("a shortened id that names no record, or several, is an error, and nothing is done", async () => {
  const { shell, printed } = createShell();
  const ids = [await add(shell, "tea"), await add(shell, "rain")];
  const wrong: readonly (readonly [given: string, message: string])[] = [
    ["01", "give at least 4 characters"],
    ["ffffffff", "this namespace has no memory 'ffffffff'; see `vademecum list`"],
    [`4" || true || "`, "this namespace has no memory"],
    [ids[0]?.slice(0, 5) ?? "", "several memories have"],
  ];
  for (const [given, message] of wrong)
    for (const command of [["delete"], ["skills", "delete"]]) {
      const { exitCode, stderr } = await shell([...command, given]);
      expect(exitCode).toBe(1);
      if (command.length === 1) expect(stderr).toContain(message);
    }
  expect(await printed("count")).toBe("2\n");
});

it("an expired memory can be shown, listed and brought back until it is pruned", async () => {
  const { shell, printed, namespace } = createShell();
  const id = await add(shell, "The door code is 4711");
  await createUserClient(connection, namespace).memories.expire(id);
  expect(await shell(["get", id])).toMatchObject({ exitCode: 1 });
  expect(await printed("list")).toBe("No memories.\n");
  for (const args of [["get", id.slice(-8)], ["list"]])
    expect(await printed(...args, "--include-expired")).toContain("4711");
  await shell(["update", id, "--include-expired", "--clear", "expire_time"]);
  expect(await printed("list")).toContain("4711");
});

it("skills are listed and deleted", async () => {
  const { printed, namespace } = createShell();
  const skills = createClient(SkillService, connection.transport);
  const { skill } = await skills.storeSkill({ namespace, context: "a\u2028b", lesson: "rest" });
  expect(await printed("skills", "list")).toMatch(/^a\n {4}b\n {4}rest\n {2}\S+ · 0 successes/);
  expect(await printed("skills", "delete", skill?.id ?? "")).toContain("Deleted ");
  expect(await printed("skills", "list")).toBe("No skills.\n");
});

it("notes of a run are written, read, listed and deleted", async () => {
  const { shell, printed } = createShell();
  expect(await printed("notes", "put", "hotel", "Room 12")).toBe("Wrote 'hotel'.\n");
  expect(await printed("notes", "put", "hotel", "Room 13")).toBe("Replaced 'hotel'.\n");
  expect(await printed("notes", "get", "hotel")).toBe("Room 13\n");
  expect(await printed("notes", "list")).toBe("hotel\n");
  expect(await printed("notes", "delete", "hotel")).toBe("Deleted 'hotel'.\n");
  expect(await shell(["notes", "get", "hotel"])).toMatchObject({
    exitCode: 1,
    stderr: "error: there is no note 'hotel'\n",
  });
});

it("prune counts or removes records of each kind", async () => {
  const { printed } = createShell();
  expect(await printed("prune", "--dry-run")).toMatch(
    /^unfinished erasures: 0\nexpired memories: 0\n/,
  );
  expect(await printed("prune")).toContain("overdue proposals: 0");
});

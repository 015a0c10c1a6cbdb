import { connect } from "vademecum-client";
import { expect, it } from "vitest";
import { VademecumMemoryTool } from "../src/index.js";
import { newScope, newTool, useServer } from "./use-server.js";

const server = useServer();

const path = "/memories/profile.md";

it("by default, each write waits until a person approves it", async () => {
  const scope = newScope();
  const tool = new VademecumMemoryTool(scope);
  const proposals = scope.client.proposals(scope.userId);
  const approveAll = async () => {
    for (const { id, namespace } of (await proposals.list()).proposals) {
      expect(namespace?.agentId).toBe("claude");
      await proposals.approve({ id });
    }
  };
  const writes = [
    () => tool.create({ command: "create", path, file_text: "Ada lives in Lyon." }),
    () => tool.str_replace({ command: "str_replace", path, old_str: "Lyon", new_str: "Dijon" }),
    () => tool.insert({ command: "insert", path, insert_line: 1, insert_text: "She likes tea." }),
  ];
  const texts: string[] = [];
  for (const write of writes) {
    const before = await tool.view({ command: "view", path }).catch(String);
    expect(await write()).toMatch(
      /^Edit proposal created for block 'profile\.md'\. The user will be asked to approve/,
    );
    expect(await tool.view({ command: "view", path }).catch(String)).toBe(before);
    await approveAll();
    texts.push((await tool.view({ command: "view", path })).split("\t").slice(1).join("|"));
  }
  expect(texts).toEqual([
    "Ada lives in Lyon.",
    "Ada lives in Dijon.",
    "Ada lives in Dijon.\n     2|She likes tea.",
  ]);
});

it("with approval, mistakes reach the model, and files are neither deleted nor renamed", async () => {
  const scope = newScope();
  const tool = new VademecumMemoryTool(scope);
  await scope.client.blocks(scope.userId).put({ label: "profile.md", body: "Ada" });
  await expect(tool.create({ command: "create", path, file_text: "x" })).rejects.toThrow(
    "already exists",
  );
  const edit = { command: "str_replace" as const, path, old_str: "Bea", new_str: "x" };
  await expect(tool.execute(edit)).rejects.toThrow("did not appear verbatim");
  await expect(tool.execute({ command: "delete", path })).rejects.toThrow("Ask the user");
  const rename = { command: "rename" as const, old_path: path, new_path: "/memories/x" };
  await expect(tool.execute(rename)).rejects.toThrow("Ask the user");
  expect((await scope.client.proposals(scope.userId).list()).proposals).toEqual([]);
});

it("a rename keeps the versions of a file", async () => {
  const scope = newScope();
  const tool = new VademecumMemoryTool(scope, { approval: "none" });
  await tool.create({ command: "create", path, file_text: "one" });
  await tool.str_replace({ command: "str_replace", path, old_str: "one", new_str: "two" });
  await tool.rename({ command: "rename", old_path: path, new_path: "/memories/new.md" });
  const { versions } = await scope.client.blocks(scope.userId).listVersions({ label: "new.md" });
  expect(versions.map(({ body }) => body)).toEqual(["two", "one"]);
});

it("a user sees no files of another user, and all agents of a user share them", async () => {
  const scope = newScope();
  const tool = new VademecumMemoryTool(scope, { approval: "none" });
  await tool.create({ command: "create", path, file_text: "secret" });
  await expect(newTool().view({ command: "view", path })).rejects.toThrow("does not exist");
  const colleague = new VademecumMemoryTool({ ...scope, agentId: "other" });
  expect(await colleague.view({ command: "view", path })).toContain("secret");
});

it("with a prefix, other blocks are no files, and are not deleted", async () => {
  const scope = newScope();
  const blocks = scope.client.blocks(scope.userId);
  await blocks.put({ label: "profile.md", body: "Ada" });
  const tool = new VademecumMemoryTool(scope, { approval: "none", labelPrefix: "claude/" });
  await expect(tool.view({ command: "view", path })).rejects.toThrow("does not exist");
  await tool.create({ command: "create", path: "/memories/a/b", file_text: "x" });
  await tool.delete({ command: "delete", path: "/memories/a" });
  const labels = (await blocks.list()).blocks.map(({ label }) => label);
  expect(labels).toEqual(["profile.md"]);
});

it.each(["/memories", "/memories/"])(
  "the root %s can be neither written nor deleted",
  async (root) => {
    const tool = newTool();
    const commands = [
      { command: "create", path: root, file_text: "x" },
      { command: "delete", path: root },
      { command: "rename", old_path: root, new_path: "/memories/x" },
    ] as const;
    for (const command of commands)
      await expect(tool.execute(command)).rejects.toThrow("is a directory");
  },
);

it.each(["userId", "agentId"])("without %s, the tool is refused", (name) => {
  expect(() => new VademecumMemoryTool({ ...newScope(), [name]: "" })).toThrow(
    `${name} is missing`,
  );
});

it("files survive a server that is killed", async () => {
  const scope = newScope();
  const before = new VademecumMemoryTool(scope, { approval: "none" });
  await before.create({ command: "create", path, file_text: "kept" });
  await server.kill();
  await server.start();
  const client = connect(server.address);
  const after = new VademecumMemoryTool({ ...scope, client });
  expect(await after.view({ command: "view", path })).toContain("kept");
  client.close();
});

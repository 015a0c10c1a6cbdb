import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startTestServer, type TestServer } from "../e2e/harness/test-server.js";
import { runCommand } from "./run-command.js";
import { listedMemories } from "./shell.js";

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer({ provider: "memory", embedder: "none", "quota-memories": "2" });
});
afterAll(() => server.stop());

it("import stores memories up to the quota, and reports the refused ones with the reason", async () => {
  const file = fileURLToPath(new URL("../fixtures/exports/mem0-platform.json", import.meta.url));
  const environment = {
    VADEMECUM_SERVER: server.grpcUrl,
    VADEMECUM_USER: "ann",
    VADEMECUM_AGENT: "guide",
  };
  const run = (...args: readonly string[]) => runCommand(args, { environment });
  const imported = await run("import", "--from", "mem0", file);
  expect(imported.exitCode).toBe(1);
  expect(imported.stdout).toContain("Added 2 memories and 0 blocks.");
  expect(imported.stdout).toContain("Refused by the server: 1");
  expect(imported.stdout).toContain("the quota is 2");
  const { stdout } = await run("list", "--json");
  expect(listedMemories(stdout)).toHaveLength(2);
});

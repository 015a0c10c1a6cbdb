import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestServer, type TestServer } from "../e2e/harness/test-server.js";
import { type CommandSurroundings, runCommand } from "./run-command.js";

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer({ provider: "memory", embedder: "local" });
  for (const text of ["Ada prefers dry Burgundy", "Ada has a sister"])
    await run(["add", "--user", "ada", "--agent", "sommelier", text]);
});

afterAll(() => server.stop());

function run(args: readonly string[], surroundings: CommandSurroundings = {}) {
  return runCommand(args, { ...surroundings, environment: { VADEMECUM_SERVER: server.grpcUrl } });
}

describe("reindex", () => {
  it("reindex prints a summary, and shows progress only on a terminal", async () => {
    expect(await run(["reindex", "--user", "ada", "--agent", "sommelier"])).toEqual({
      exitCode: 0,
      stdout: "1 namespace changed to static-256@1, 2 texts embedded.\n",
      stderr: "",
    });
    expect((await run(["reindex", "--all"])).stdout).toBe(
      "0 namespaces changed to static-256@1, 0 texts embedded. Unchanged: 1.\n",
    );
  });

  it("reindex shows progress in one line, and clears it at the end", async () => {
    const { stdout, stderr } = await run(["reindex", "--user", "ada", "--agent", "sommelier"], {
      isTTY: true,
    });
    expect(stdout).toBe("1 namespace changed to static-256@1, 2 texts embedded.\n");
    expect(stderr).toContain("100 % (2 of 2 memories) embedding: ada, sommelier");
    expect(stderr).not.toContain("\n");
    expect(stderr.endsWith("\u001b[1G\u001b[2K")).toBe(true);
  });

  it("reindex --json prints each message of the stream", async () => {
    const { stdout } = await run(["reindex", "--json", "--user", "ada", "--agent", "sommelier"]);
    const messages = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(messages[0]).toMatchObject({
      progress: { phase: "REINDEX_PHASE_EMBEDDING", memoriesDone: "2", memoriesTotal: "2" },
    });
    expect(messages.at(-1)).toEqual({
      summary: { modelId: "static-256@1", namespacesChanged: "1", memoriesEmbedded: "2" },
    });
  });

  it("reindex --detach leaves while the server goes on", async () => {
    const { exitCode, stdout } = await run(["reindex", "--all", "--detach"]);
    expect(exitCode).toBe(0);
    // Nothing was left to do, so that the first message is the summary.
    expect(stdout).toContain("0 namespaces changed");
    const namespace = ["--user", "ada", "--agent", "sommelier"];
    expect((await run(["reindex", ...namespace, "--detach"])).stdout).toBe(
      "The server has begun, and goes on by itself. `vademecum status` shows its progress.\n",
    );
  });

  it("reindex requires either a namespace or --all", async () => {
    expect(await run(["reindex"])).toMatchObject({ exitCode: 2, stdout: "" });
    const both = await run(["reindex", "--all", "--user", "ada"]);
    expect(both).toMatchObject({
      exitCode: 2,
      stdout: "",
      stderr:
        "error: --all: cannot be combined with a namespace. Give --all, or --user and --agent.\n",
    });
  });

  it("reindex reports a server without an embedder", async () => {
    const bare = await startTestServer({ provider: "memory", embedder: "none" });
    const { exitCode, stderr } = await runCommand(["reindex", "--all", "--server", bare.grpcUrl]);
    await bare.stop();
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(
      /^error: this server makes no vectors .*\(FAILED_PRECONDITION, NO_EMBEDDER\)\n$/,
    );
  });
});

import { describe, expect, it } from "vitest";
import { startTestServer } from "../e2e/harness/test-server.js";
import { runCommand } from "./run-command.js";

describe("health", () => {
  it("health exits with 0 while the server takes calls, and with 1 when it has stopped", async () => {
    const server = await startTestServer({ provider: "memory", embedder: "none" });
    expect(await runCommand(["health", "--server", server.grpcUrl])).toEqual({
      exitCode: 0,
      stdout: "SERVING\n",
      stderr: "",
    });
    expect((await runCommand(["health", "--json", "--server", server.grpcUrl])).stdout).toBe(
      '{"status":"SERVING"}\n',
    );
    await server.stop();
    expect((await runCommand(["health", "--server", server.grpcUrl])).exitCode).toBe(1);
  });
});

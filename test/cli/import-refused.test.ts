import { fileURLToPath } from "node:url";
import { expect, it, onTestFinished } from "vitest";
import { startCredentialedServer } from "../e2e/harness/credentialed-server.js";
import { runCommand } from "./run-command.js";

it("an import that a role refuses does not ask to repeat the command", async () => {
  const all = { users: ["*"], agents: ["*"], runs: ["*"], tools: ["*"] };
  const server = await startCredentialedServer([{ name: "writer", roles: ["writer"], ...all }]);
  onTestFinished(() => server.stop());
  const { authorization } = server.headerOf("writer");
  const environment = { VADEMECUM_API_KEY: authorization.replace(/^Bearer /i, "") };
  const file = new URL("../fixtures/exports/vademecum-format-1.jsonl", import.meta.url);
  const refused = await runCommand(["import", fileURLToPath(file), "--server", server.grpcUrl], {
    environment,
  });
  expect(refused).toMatchObject({ exitCode: 1 });
  expect(refused.stderr).toContain("operator");
  expect(refused.stderr).not.toContain("Repeat");
});

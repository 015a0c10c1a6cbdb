import { expect, it } from "vitest";
import { runCommand } from "./run-command.js";

it("the command prints the address of the console of this machine's server", async () => {
  expect((await runCommand(["console"])).stdout).toBe("http://127.0.0.1:8080/console/\n");
  const environment = { VADEMECUM_HTTP: "0.0.0.0:9000", VADEMECUM_TLS_CERT: "cert.pem" };
  expect((await runCommand(["console"], { environment })).stdout).toBe(
    "https://127.0.0.1:9000/console/\n",
  );
});

it("--url names another server, also below a path", async () => {
  const run = await runCommand(["console", "--url", "https://example.com/memory"]);
  expect(run.stdout).toBe("https://example.com/memory/console/\n");
  const wrong = await runCommand(["console", "--url", "example.com"]);
  expect([wrong.exitCode, wrong.stderr]).toEqual([2, expect.stringContaining("--url")]);
});

it("a key is in the fragment, which no server sees, and never leaves in plaintext", async () => {
  const environment = { VADEMECUM_API_KEY: "vm_a/b" };
  expect((await runCommand(["console"], { environment })).stdout).toBe(
    "http://127.0.0.1:8080/console/#key=vm_a%2Fb\n",
  );
  const plain = await runCommand(["console", "--url", "http://example.com"], { environment });
  expect([plain.exitCode, plain.stderr]).toEqual([2, expect.stringContaining("plaintext")]);
});

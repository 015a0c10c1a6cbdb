import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { startServerProcess } from "../faults/server/server-process.js";
import { runCommand } from "./run-command.js";

const warning =
  "other machines can reach this server without credentials or without TLS (--insecure)";

async function logOf(...flags: readonly string[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "vademecum-insecure-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const common = ["--provider", "memory", "--embedder", "none"];
  const server = await startServerProcess(join(folder, "data"), { flags: [...common, ...flags] });
  expect(await server.end("SIGTERM")).toBe(0);
  return server.log();
}

/** Returns the lines with the warning, without times. */
function warningsIn(log: string): unknown[] {
  return log
    .split("\n")
    .filter((line) => line.includes(warning))
    .map((line) => JSON.parse(line) as unknown);
}

it("serve with --insecure warns in its log about what other machines can reach", async () => {
  const log = await logOf("--insecure", "--grpc", "0.0.0.0:0");
  expect(warningsIn(log)).toMatchObject([{ level: "warn", credentials: false, tls: false }]);
});

it("serve with --insecure names the protection that exists, such as credentials", async () => {
  const folder = await mkdtemp(join(tmpdir(), "vademecum-insecure-keys-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, "credentials.json");
  await runCommand(["keys", "create", "ann", "--role", "reader", "--credentials", file]);
  const log = await logOf("--insecure", "--http", "0.0.0.0:0", "--credentials", file);
  expect(warningsIn(log)).toMatchObject([{ level: "warn", credentials: true, tls: false }]);
});

it("serve on loopback warns about nothing, with --insecure or without", async () => {
  expect(warningsIn(await logOf("--insecure"))).toEqual([]);
  expect(warningsIn(await logOf())).toEqual([]);
});

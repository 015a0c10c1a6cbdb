import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { env, execPath } from "node:process";
import { createInterface } from "node:readline";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createApiKey } from "../../src/credentials/api-key.js";
import { runCommand } from "./run-command.js";

const main = join(import.meta.dirname, "..", "..", "dist", "main.js");

interface ReadyLine {
  readonly grpc: string;
  readonly http: string;
  readonly provider: string;
  readonly key?: string;
}

let folder: string;
const running: ChildProcess[] = [];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "vademecum-dev-test-"));
});
afterEach(async () => {
  for (const child of running.splice(0)) {
    child.kill("SIGKILL");
    if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
  }
  await rm(folder, { recursive: true });
});

/** Starts a command that serves on free ports, with its temporary files in `folder`. */
async function start(
  command: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<{ readonly ready: ReadyLine; readonly child: ChildProcess }> {
  const flags = ["--grpc", "127.0.0.1:0", "--http", "127.0.0.1:0", "--embedder", "none"];
  const child = spawn(execPath, [main, command, ...flags], {
    cwd: folder,
    env: { ...env, TMPDIR: folder, ...environment },
    stdio: ["ignore", "pipe", "ignore"],
  });
  running.push(child);
  for await (const line of createInterface({ input: child.stdout }))
    return { ready: JSON.parse(line) as ReadyLine, child };
  throw new Error("the command ended before it was ready");
}

const add = (grpc: string, environment: Readonly<Record<string, string>> = {}) =>
  runCommand(["add", "--server", grpc, "--user", "ada", "--agent", "x", "tea"], { environment });

describe("vademecum dev", () => {
  it("vademecum dev serves from RAM for the key that it prints, and leaves no file", async () => {
    const { ready, child } = await start("dev", { VADEMECUM_PROVIDER: "level" });
    expect(ready).toMatchObject({ event: "ready", provider: "memory" });
    const { grpc, key = "" } = ready;
    expect((await add(grpc)).stderr).toContain("CREDENTIALS_REQUIRED");
    expect((await add(grpc, { VADEMECUM_API_KEY: createApiKey().text })).exitCode).toBe(1);
    expect(await add(grpc, { VADEMECUM_API_KEY: key })).toMatchObject({ exitCode: 0 });
    child.kill("SIGTERM");
    expect(await once(child, "exit")).toEqual([0, null]);
    expect(await readdir(folder)).toEqual([]);
  });

  it("vademecum dev keeps the key of VADEMECUM_API_KEY, and refuses another text", async () => {
    const { text } = createApiKey();
    const { ready } = await start("dev", { VADEMECUM_API_KEY: text });
    expect(ready.key).toBe(text);
    const refused = await runCommand(["dev"], { environment: { VADEMECUM_API_KEY: "secret" } });
    expect(refused.exitCode).toBe(2);
    expect(refused.stderr).toContain("VADEMECUM_API_KEY: its value is not an API key");
    expect(refused.stderr).not.toContain("secret");
  });

  it("vademecum dev refuses an address that other machines can reach", async () => {
    const { exitCode, stderr } = await runCommand(["dev", "--grpc", "0.0.0.0:0"]);
    expect(exitCode).toBe(2);
    expect(stderr).toContain("--insecure");
  });
});

describe("vademecum serve-testing", () => {
  it("vademecum serve-testing has an empty store for each token, and writes no file", async () => {
    const { ready, child } = await start("serve-testing");
    expect(ready.key).toBeUndefined();
    const count = async (token: string) => {
      const args = ["count", "--server", ready.grpc, "--user", "ada", "--agent", "x"];
      return (await runCommand(args, { environment: { VADEMECUM_API_KEY: token } })).stdout;
    };
    expect((await add(ready.grpc, { VADEMECUM_API_KEY: "one" })).exitCode).toBe(0);
    expect(await count("one")).toContain("1");
    expect(await count("two")).toContain("0");
    expect((await add(ready.grpc)).stderr).toContain("CREDENTIALS_REQUIRED");
    child.kill("SIGTERM");
    expect(await once(child, "exit")).toEqual([0, null]);
    expect(existsSync(join(folder, "data"))).toBe(false);
  });

  it("vademecum serve-testing names the flag of a wrong bound", async () => {
    const { exitCode, stderr } = await runCommand(["serve-testing", "--stores", "0"]);
    expect(exitCode).toBe(2);
    expect(stderr).toContain("--stores: got '0'; allowed: a whole number from 1 to 10000");
  });
});

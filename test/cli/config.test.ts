import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { readConfig } from "../../src/config/config.js";
import { parseSettingsFile } from "../../src/config/config-file.js";
import { serverSettings } from "../../src/config/server-settings.js";
import { runCommand } from "./run-command.js";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "vademecum-config-"));
});
afterAll(() => rm(folder, { recursive: true }));

let files = 0;
async function fileOf(text: string): Promise<string> {
  const path = join(folder, `${++files}.yaml`);
  await writeFile(path, text);
  return path;
}

const check = (path: string, args: string[] = [], environment: Record<string, string> = {}) =>
  runCommand(["config", "check", path, ...args], { environment });

it("a flag wins over a variable, which wins over the file, which wins over the default", async () => {
  const path = await fileOf("log-level: error\nembedder: none\nmemory-versions: 5\n");
  const environment = { VADEMECUM_EMBEDDER: "local", VADEMECUM_LOG_LEVEL: "warn" };
  const { exitCode, stdout, stderr } = await check(path, ["--log-level", "debug"], environment);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
  const lines = stdout.split("\n");
  expect(lines).toContain("log-level: debug  # --log-level");
  expect(lines).toContain("embedder: local  # VADEMECUM_EMBEDDER");
  expect(lines).toContain(`memory-versions: 5  # ${path}:3: memory-versions`);
  expect(lines).toContain("data: ./data  # default");
  const flags = new Map([["log-level", "debug"]]);
  const file = parseSettingsFile(
    "log-level: error\nembedder: none\nmemory-versions: 5\n",
    path,
    serverSettings,
  );
  expect(readConfig(flags, environment, file)).toMatchObject({
    ...{ logLevel: "debug", embedder: "local", memoryVersions: 5, dataFolder: "./data" },
  });
});

it("each setting of the server can stand in a file, switches and lists too", () => {
  const text =
    "insecure: true\nsync-marks: false\nopenai-timeout: 20s\nquota-bytes: 1GiB\n" +
    "http-allow-origin: [https://a.example, https://b.example]\nmove-targets: 10.0.0.1\n";
  const file = parseSettingsFile(text, "f.yaml", serverSettings);
  const config = readConfig(new Map(), {}, file);
  expect(config).toMatchObject({ insecure: true, syncMarks: false });
  expect(config.httpAllowedOrigins).toEqual(["https://a.example", "https://b.example"]);
});

it("an empty file sets nothing", async () => {
  expect((await check(await fileOf("# nothing\n"))).exitCode).toBe(0);
});

it("a secret is never printed, and cannot stand in a file", async () => {
  const { stdout } = await check(await fileOf(""), [], { VADEMECUM_OPENAI_KEY: "sk-1" });
  expect(stdout).toContain("VADEMECUM_OPENAI_KEY: (not shown)  # VADEMECUM_OPENAI_KEY");
  expect(stdout).not.toContain("sk-1");
  const refused = await check(await fileOf("openai-key: sk-1\n"));
  expect(refused).toMatchObject({ exitCode: 2, stdout: "" });
  expect(refused.stderr).toContain("1: openai-key: a secret cannot stand in a file");
  expect(refused.stderr).not.toContain("sk-1");
});

it.each([
  ["an unknown name", "data: x\nlog-levl: warn\n", "2: log-levl: no setting has this name"],
  ["an unknown name, with the nearest", "log-levl: warn\n", "Nearest: log-level"],
  ["the name of another command", "server: a\n", "1: server: no setting has this name"],
  ["a list for one value", "grpc: [a, b]\n", "1: grpc: is a list, and takes one value"],
  ["a map", "\ngrpc:\n  host: a\n", "2: grpc: is a map; allowed: a text"],
  ["no value", "grpc:\n", "1: grpc: is empty; allowed"],
  ["a wrong value", "log-level: loud\n", "1: log-level: got 'loud'; allowed: "],
  ["a name twice", "data: a\ndata: b\n", "2: Map keys must be unique"],
  ["broken YAML", "data: [a\n", ": "],
  ["a list of settings", "- data\n", "1: must be a map of settings"],
])("a file with %s is refused, with its line", async (_, text, message) => {
  const path = await fileOf(text);
  for (const args of [
    ["config", "check", path],
    ["serve", "--config", path],
  ]) {
    const { exitCode, stdout, stderr } = await runCommand(args);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "" });
    expect(stderr).toContain(path);
    expect(stderr).toContain(message);
  }
});

it("all problems of a file are told at once", async () => {
  const { stderr } = await check(await fileOf("a: 1\nb: 2\n"));
  expect(stderr).toContain("1: a: no setting");
  expect(stderr).toContain("2: b: no setting");
});

it("a file that cannot be read is refused", async () => {
  const { exitCode, stderr } = await runCommand(["serve"], {
    environment: { VADEMECUM_CONFIG: join(folder, "missing.yaml") },
  });
  expect(exitCode).toBe(2);
  expect(stderr).toContain("--config: cannot read");
});

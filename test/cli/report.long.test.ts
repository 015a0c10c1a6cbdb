import { mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ServerProcess, startServerProcess } from "../faults/server/server-process.js";
import { runCommand } from "./run-command.js";

/** A text that the report must not contain, in any case or encoding of its own. */
const mark = "Zyxoqua";

/** What a report has. */
interface Report {
  readonly version: string;
  readonly machine: { readonly node: string };
  readonly settings: Readonly<Record<string, string>>;
  readonly health: unknown;
  readonly counts: unknown;
  readonly folder: Readonly<Record<string, number>>;
  readonly metrics: readonly string[];
}

let folder: string;
let server: ServerProcess;
let key: string;
let keyId: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), `vademecum-${mark}-`));
  const credentials = join(folder, `${mark}.json`);
  const created = await runCommand([
    ...["keys", "create", `principal-${mark}`, "--credentials", credentials, "--role", "operator"],
    ...["--role", "writer", "--role", "curator", "--user", "*", "--agent", "*", "--run", "*"],
  ]);
  key = created.stdout.trim();
  keyId = key.slice(4, 20);
  server = await startServerProcess(join(folder, "data"), {
    flags: ["--credentials", credentials, "--metrics", "127.0.0.1:0", "--quota-memories", "50"],
    environment: {
      VADEMECUM_SLOW_CALL: "3s",
      VADEMECUM_JWT_ISSUER: "",
      VADEMECUM_OPENAI_KEY: `secret-${mark}`,
      [`VADEMECUM_${mark.toUpperCase()}`]: mark,
    },
  });
  await run("add", "--agent", `agent-${mark}`, "--tag", `tag-${mark}`, `a text about ${mark}`);
  await run("block", "put", `label-${mark}`, `${mark} lives in Lyon`);
  await run("search", "--agent", `agent-${mark}`, `where is ${mark}`);
});
afterAll(async () => {
  await server.end("SIGTERM");
  await rm(folder, { recursive: true });
});

async function run(...args: readonly string[]): Promise<void> {
  const connection = ["--server", new URL(server.grpcUrl).host, "--user", `user-${mark}`];
  const { exitCode, stderr } = await runCommand([...args, ...connection], {
    environment: { VADEMECUM_API_KEY: key },
  });
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
}

async function report(
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<{ readonly text: string; readonly report: Report }> {
  const { stdout, stderr, exitCode } = await runCommand(["report", ...args], { environment });
  expect(stderr).toBe("");
  expect(exitCode).toBe(0);
  return { text: stdout, report: JSON.parse(stdout) as Report };
}

describe("vademecum report", () => {
  it.runIf(process.platform === "linux")(
    "vademecum report has versions, settings, counts, sizes and metrics, and nothing of a user",
    async () => {
      const address = new URL(server.grpcUrl).host;
      const { text, report: found } = await report(
        ["--server", address, "--pid", String(server.pid)],
        { VADEMECUM_API_KEY: key },
      );
      expect(found).toMatchObject({
        version: "0.1.0",
        machine: { node: process.version },
        settings: {
          ...{ data: "set", credentials: "set", "quota-memories": "50", "slow-call": "3s" },
          ...{ "openai-key": "set", metrics: "set" },
        },
        unknownVariables: 1,
        health: "SERVING",
        server: { provider: "level", credentialsInUse: true, writes: "SERVER_WRITES_OK" },
        counts: { users: 1, agents: 1, memories: 1, blocks: 1, pendingProposals: 0 },
      });
      expect(found.folder["freeBytes"]).toBeGreaterThan(0);
      expect(Object.keys(found.folder).length).toBeGreaterThan(3);
      for (const secret of [mark, mark.toUpperCase(), mark.toLowerCase(), key, keyId, folder])
        expect(text).not.toContain(secret);
    },
  );

  it("vademecum report includes the metrics of a server whose address it knows", async () => {
    const metrics = server.metricsUrl ?? "";
    const { report: found } = await report(["--server", new URL(server.grpcUrl).host], {
      VADEMECUM_METRICS: new URL(metrics).host,
      VADEMECUM_API_KEY: key,
    });
    expect(found.metrics.some((line) => line.startsWith("vademecum_build_info"))).toBe(true);
    expect(found.metrics.join("\n")).not.toContain(mark);
  });

  it("vademecum report says what it could not read, and shows no wrong value", async () => {
    const { text, report: found } = await report(["--server", "127.0.0.1:1"], {
      VADEMECUM_DATA: join(folder, "none"),
      VADEMECUM_QUOTA_MEMORIES: mark,
      VADEMECUM_METRICS: "127.0.0.1:1",
    });
    expect(found).toMatchObject({
      settings: { data: "set", "quota-memories": "set" },
      health: { failure: "Unavailable" },
      counts: { failure: "Unavailable" },
      folder: { failure: "ENOENT" },
    });
    expect(text).not.toContain(mark);
  });

  it("vademecum report writes a new file that only its owner can read", async () => {
    const file = join(folder, "report.json");
    const written = await runCommand(["report", "--server", "127.0.0.1:1", file]);
    expect(written).toMatchObject({
      exitCode: 0,
      stdout: `Wrote ${file}. Read it before you send it.\n`,
    });
    expect(JSON.parse(await readFile(file, "utf8"))).toMatchObject({ report: "vademecum report" });
    if (process.platform !== "win32") expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect((await runCommand(["report", file])).exitCode).toBe(2);
  });

  it("vademecum report says who may read a process", async () => {
    const { exitCode, stderr } = await runCommand(["report", "--pid", "999999999"]);
    expect(exitCode).toBe(2);
    expect(stderr).toContain("--pid: cannot read the process 999999999");
    expect((await runCommand(["report", "--pid", "0"])).stderr).toContain("leave out --pid");
  });
});

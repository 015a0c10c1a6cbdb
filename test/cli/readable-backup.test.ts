import { mkdtemp, readdir, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { readConfig } from "../../src/config/config.js";
import { formatAddress } from "../../src/edge/address.js";
import { startServer } from "../../src/server/start-server.js";
import { runCommand } from "./run-command.js";

let folder: string;
let data: string;
let file: string;
let restored: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "vademecum-readable-"));
  data = join(folder, "data");
  file = join(folder, "readable.backup");
  restored = join(folder, "restored");
  onTestFinished(() => rm(folder, { recursive: true }));
});

/** Runs a server on a data folder during `use`. */
async function withServer<T>(path: string, use: (address: string) => Promise<T>): Promise<T> {
  const flags = {
    data: path,
    grpc: "127.0.0.1:0",
    http: "127.0.0.1:0",
    embedder: "none",
    "log-level": "silent",
  };
  const server = await startServer(readConfig(new Map(Object.entries(flags)), {}));
  try {
    return await use(formatAddress(server.grpcAddress));
  } finally {
    await server.stop();
  }
}

function list(address: string) {
  return runCommand(["list", "--server", address, "--user", "ann", "--agent", "notes"]);
}

/** Adds some memories, and cuts off the end of LevelDB's log. */
async function fillAndDamage(): Promise<void> {
  await withServer(data, async (address) => {
    for (const text of ["one", "two", "three"])
      await runCommand(["add", "--server", address, "--user", "ann", "--agent", "notes", text]);
  });
  const records = join(data, "records");
  const [log = "none"] = (await readdir(records)).filter((name) => name.endsWith(".log"));
  await truncate(join(records, log), (await readFile(join(records, log))).length - 20);
}

describe("backup --readable-only", () => {
  it("a damaged folder is refused by name of the two commands that save what is readable", async () => {
    await fillAndDamage();
    await expect(withServer(data, list)).rejects.toMatchObject({
      reason: "STORE_DAMAGED",
      message: expect.stringContaining(
        `\`vademecum backup --readable-only --data ${data} FILE\`, then ` +
          "`vademecum restore FILE --data NEW_FOLDER`",
      ) as string,
    });
    const backup = await runCommand(["backup", "--readable-only", "--data", data, file]);
    expect(backup.exitCode).toBe(0);
    expect(backup.stdout).toMatch(/^Wrote what is readable in .* \(scopes: 1, records: \d+, bytes/);
    expect(backup.stdout).toMatch(/Damaged or missing \(findings: \d+\):\n {2}records: /);
    expect(backup.stdout).toContain(`vademecum restore ${file} --data NEW_FOLDER`);
    expect((await runCommand(["verify", "--backup", file])).exitCode).toBe(0);
    expect((await runCommand(["restore", file, "--data", restored])).exitCode).toBe(0);
    expect((await runCommand(["verify", "--data", restored])).exitCode).toBe(0);
    const { stdout } = await withServer(restored, list);
    expect(stdout).toContain("one");
    expect(stdout).toContain("two");
    expect(stdout).not.toContain("three");
  });

  it("a backup to standard output is whole, and its report goes to standard error", async () => {
    await fillAndDamage();
    const args = ["backup", "--readable-only", "--data", data, "--json", "-"];
    const { exitCode, stdout, stderr } = await runCommand(args, { stdoutEncoding: "latin1" });
    const backup = Buffer.from(stdout, "latin1");
    expect(exitCode).toBe(0);
    const report: unknown = JSON.parse(stderr);
    expect(report).toMatchObject({ scopes: 1, bytes: backup.length, otherTenants: [] });
    expect(report).toMatchObject({ findings: [{ where: "records" }], hasMoves: false });
    await writeFile(file, backup);
    const checked = await runCommand(["verify", "--backup", file, "--json"]);
    expect(JSON.parse(checked.stdout)).toMatchObject({ sound: true, scopes: 1 });
    const onTerminal = await runCommand(args, { isTTY: true });
    expect(onTerminal.exitCode).toBe(2);
    expect(onTerminal.stderr).toContain("standard output is a terminal");
  });

  it("a dry run writes nothing and reports that nothing is missing from a sound folder", async () => {
    await withServer(data, async () => undefined);
    await writeFile(join(data, "moves.json"), "[]");
    const args = ["backup", "--readable-only", "--data", data, "--dry-run", file];
    const { exitCode, stdout } = await runCommand(args);
    expect(exitCode).toBe(0);
    expect(stdout).toContain("Nothing is damaged or missing.");
    expect(stdout).toContain(`copy ${data}/moves.json into the new folder`);
    expect(await readdir(folder)).toEqual(["data"]);
  });

  it("a failed backup leaves no file", async () => {
    await fillAndDamage();
    await writeFile(join(data, "RESTORING"), "{}");
    const args = ["backup", "--readable-only", "--data", data, file];
    const { exitCode, stderr } = await runCommand(args);
    expect(exitCode).toBe(1);
    expect(stderr).toContain("restored");
    expect(await readdir(folder)).toEqual(["data"]);
  });

  it.each([
    [["--data", "x", "f"], "--data: only with --readable-only"],
    [["--tenant", "acme", "f"], "--tenant: only with --readable-only"],
    [["--readable-only", "--server", "x:1", "f"], "--server: --readable-only reads a folder"],
    [["-"], "only a backup with --readable-only can go to standard output"],
  ])("the options of the two kinds of backup exclude each other: %s", async (args, message) => {
    const { exitCode, stderr } = await runCommand(["backup", ...args]);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(message);
  });
});

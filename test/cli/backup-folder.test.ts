import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  copyFile,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  utimes,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execPath } from "node:process";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { backUpIntoFolder } from "../../src/cli/backups/backup-folder.js";
import { startTestServer, type TestServer } from "../e2e/harness/test-server.js";
import { runCommand } from "./run-command.js";

const main = join(import.meta.dirname, "..", "..", "dist", "main.js");

let server: TestServer;
let address: string;
let folder: string;
let root: string;
let count = 0;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "vademecum-backups-"));
  server = await startTestServer({ embedder: "none" });
  address = new URL(server.grpcUrl).host;
  for (const user of ["ann", "bob"])
    await runCommand(["add", "--server", address, "--user", user, "--agent", "x", "tea"]);
});
afterAll(async () => {
  await server.stop();
  await rm(root, { recursive: true });
});
beforeEach(() => {
  folder = join(root, `folder-${++count}`);
});

const backUp = (...args: readonly string[]) =>
  runCommand(["backup", "--server", address, "--to", folder, ...args]);

describe("vademecum backup --to", () => {
  it("vademecum backup --to writes a verified backup that only its owner can read", async () => {
    const { exitCode, stdout } = await backUp();
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(
      /^Wrote and verified \S+\.backup \(scopes: 2, records: \d+, bytes: \d+\)\.\n$/,
    );
    const [name = "", ...others] = await readdir(folder);
    expect(others).toEqual([]);
    expect((await runCommand(["verify", "--backup", join(folder, name)])).exitCode).toBe(0);
    if (process.platform === "win32") return;
    expect((await stat(join(folder, name))).mode & 0o777).toBe(0o600);
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
  });

  it("vademecum backup --keep leaves the newest backups, and all other files", async () => {
    await backUp();
    await writeFile(join(folder, "notes.backup"), "");
    const names: string[] = [];
    for (let round = 0; round < 3; round++) {
      const { stdout } = await backUp("--keep", "2", "--json");
      const { file, removed } = JSON.parse(stdout) as { file: string; removed: string[] };
      names.push(file.slice(folder.length + 1));
      expect(removed).toHaveLength(round === 0 ? 0 : 1);
    }
    expect(await readdir(folder)).toEqual(["notes.backup", ...names.slice(-2)].sort());
  });

  it("vademecum backup --to keeps every older backup if the new one is damaged", async () => {
    const { stdout } = await backUp("--json");
    const { file } = JSON.parse(stdout) as { file: string };
    const before = await readdir(folder);
    const options = { folder, keep: 1, nowMs: Date.now() };
    const damaged = backUpIntoFolder({
      ...options,
      write: async (path) => {
        const bytes = await readFile(file);
        bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1;
        await writeFile(path, bytes);
        return { scopes: 2, records: 2, bytes: bytes.length };
      },
    });
    await expect(damaged).rejects.toThrow(/unverified/);
    const short = backUpIntoFolder({
      ...options,
      write: async (path) => {
        await copyFile(file, path);
        return { scopes: 3, records: 9, bytes: 0 };
      },
    });
    await expect(short).rejects.toThrow("it has 2 scopes");
    expect(await readdir(folder)).toEqual(before);
  });

  it("a killed backup leaves no file that counts, and a later one removes what it left", async () => {
    await backUp();
    const before = await readdir(folder);
    const seen = new Set<string>();
    for (let round = 0; round < 3; round++) {
      const child = spawn(execPath, [main, "backup", "--server", address, "--to", folder], {
        stdio: "ignore",
      });
      const exited = once(child, "exit");
      // Kills the command as soon as it has begun a file.
      while (child.exitCode === null) {
        const begun = (await readdir(folder)).filter((name) => name.includes(".unverified"));
        for (const name of begun) seen.add(name);
        if (begun.length > 0) break;
        await new Promise((resolve) => setImmediate(resolve));
      }
      child.kill("SIGKILL");
      await exited;
      for (const name of await readdir(folder))
        if (name.endsWith(".backup"))
          expect((await runCommand(["verify", "--backup", join(folder, name)])).exitCode).toBe(0);
    }
    expect(seen.size).toBeGreaterThan(0);
    const left = (await readdir(folder)).filter((name) => name.includes(".unverified"));
    const old = new Date(Date.now() - 2 * 3_600_000);
    for (const name of left) await utimes(join(folder, name), old, old);
    expect((await backUp()).exitCode).toBe(0);
    const after = await readdir(folder);
    expect(after.filter((name) => name.includes(".unverified"))).toEqual([]);
    expect(after).toEqual(expect.arrayContaining(before));
  });

  it.each([
    [[], "file: give either a file or --to FOLDER"],
    [["x.backup", "--to", "y"], "file: give either a file or --to FOLDER"],
    [["x.backup", "--keep", "3"], "--keep: only with --to, and at least 1"],
    [["--to", "y", "--keep", "0"], "--keep: only with --to, and at least 1"],
    [["--to", "y", "--user", "ann"], "--to: not with --readable-only, --user or --range"],
    [["--to", "y", "--readable-only"], "--to: not with --readable-only, --user or --range"],
  ])("vademecum backup refuses %j", async (args, message) => {
    expect(await runCommand(["backup", ...args])).toMatchObject({
      exitCode: 2,
      stderr: `error: ${message}\n`,
    });
  });
});

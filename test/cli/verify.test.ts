import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readConfig } from "../../src/config/config.js";
import { formatAddress } from "../../src/edge/address.js";
import { startServer } from "../../src/server/start-server.js";
import { runCommand } from "./run-command.js";

let folder: string;
let data: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "vademecum-verify-"));
  data = join(folder, "data");
});

afterEach(() => rm(folder, { recursive: true }));

/** Runs a server on the data folder during `use`. */
async function withServer(use: (address: string) => Promise<void>): Promise<void> {
  const flags = {
    data,
    grpc: "127.0.0.1:0",
    http: "127.0.0.1:0",
    embedder: "none",
    "log-level": "silent",
  };
  const server = await startServer(readConfig(new Map(Object.entries(flags)), {}));
  try {
    await use(formatAddress(server.grpcAddress));
  } finally {
    await server.stop();
  }
}

async function fill(address: string): Promise<void> {
  for (const agent of ["bio", "prime"]) {
    for (const text of ["one", "two"])
      await runCommand(["add", "--server", address, "--user", "u1", "--agent", agent, text]);
  }
}

describe("verify", () => {
  it("verify reports that a folder is sound, with its counts", async () => {
    await withServer(fill);
    const { exitCode, stdout } = await runCommand(["verify", "--data", data]);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(
      new RegExp(`^${data} is sound \\(records: \\d+, namespaces: 2\\)\\.\n$`),
    );
    const json = await runCommand(["verify", "--json"], { environment: { VADEMECUM_DATA: data } });
    expect(JSON.parse(json.stdout)).toMatchObject({ sound: true, namespaces: 2, findings: [] });
  });

  it("verify reports the damage and the remedy, and exits with 1", async () => {
    await withServer(fill);
    const records = join(data, "records");
    const logs = (await readdir(records)).filter((name) => name.endsWith(".log"));
    for (const log of logs)
      await writeFile(join(records, log), (await readFile(join(records, log))).subarray(0, 100));
    const { exitCode, stdout, stderr } = await runCommand(["verify", "--data", data]);
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(
      / is damaged \(findings: \d+; readable records: \d+, namespaces: \d+\)\.\n/,
    );
    expect(stdout).toContain(
      "What to do: restore a backup, or save the readable records with `vademecum backup --readable-only",
    );
    expect(stderr).toBe(`error: ${data} is damaged\n`);
  });

  it.each([0, 4096])(
    "verify reports a damaged slot of the high-water mark until writes renew it: byte %i",
    async (slot) => {
      await withServer(fill);
      const path = join(data, "high-water-mark");
      const bytes = await readFile(path);
      bytes[slot + 90] = (bytes[slot + 90] ?? 0) ^ 1;
      await writeFile(path, bytes);
      const { exitCode, stdout } = await runCommand(["verify", "--data", data]);
      expect(exitCode).toBe(1);
      expect(stdout).toContain(`the slot at byte ${slot} is damaged`);
      expect(stdout).toContain("What to do: start the server on the folder and write to it");
      await withServer(fill);
      expect((await runCommand(["verify", "--data", data])).exitCode).toBe(0);
    },
  );

  it("verify refuses a folder that a server uses", async () => {
    await withServer(async () => {
      const { exitCode, stderr } = await runCommand(["verify", "--data", data]);
      expect(exitCode).toBe(1);
      expect(stderr).toContain("is in use by another process; stop that process first");
    });
  });

  it("verify creates no folder", async () => {
    const { exitCode, stderr } = await runCommand(["verify", "--data", data]);
    expect(exitCode).toBe(1);
    expect(stderr).toContain(data);
    expect(await readdir(folder)).toEqual([]);
  });
});

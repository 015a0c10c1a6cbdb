import { mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createMarkFile, readMarkFile } from "../../src/store/level/folder/mark-file.js";
import { kim } from "../contract/store/context.js";
import { openTestStore } from "../store/level/level-folder.js";
import { runCommand } from "./run-command.js";

let folder: string;
let data: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "vademecum-restored-"));
  data = join(folder, "data");
});

afterEach(() => rm(folder, { recursive: true }));

async function headOf(scope = kim) {
  const store = await openTestStore(data);
  const head = await store.head(scope);
  await store.close();
  return head;
}

async function fill(): Promise<void> {
  const store = await openTestStore(data);
  await store.update(kim, async (tx) => tx.put("digestKeys", kim, "a", "ab"));
  async function* nothing() {}
  const moved = { kind: "user", userId: "moved" } as const;
  const restored = { scope: moved, seq: 5, lastTimeMs: 0, epoch: "brought" };
  await store.restoreScope(restored, { epoch: "", seq: 0 }, nothing());
  await store.close();
}

it("`vademecum new-epoch` gives every scope a new epoch, even a scope that was moved to the folder", async () => {
  await fill();
  const before = await headOf();
  const moved = { kind: "user", userId: "moved" } as const;
  expect(await headOf(moved)).toEqual({ epoch: "brought", seq: 5 });
  expect(await runCommand(["new-epoch", "--data", data])).toMatchObject({
    exitCode: 0,
    stdout: `${data} has a new epoch. Page tokens and commit_seq values of the old epoch are refused.\n`,
  });
  const after = await headOf();
  expect(after.seq).toBe(before.seq);
  expect(after.epoch).not.toBe(before.epoch);
  expect(await headOf(moved)).toEqual({ epoch: after.epoch, seq: 5 });
  expect((await runCommand(["verify", "--data", data])).exitCode).toBe(0);
});

it("opening a folder completes a change of epoch that a crash interrupted", async () => {
  await fill();
  const before = await headOf();
  const { newEpoch } = { newEpoch: join(data, "NEW_EPOCH") };
  const to = "00000000-0000-4000-8000-000000000000";
  await writeFile(newEpoch, JSON.stringify({ from: before.epoch, to }));
  expect((await headOf()).epoch).toBe(to);
  await expect(stat(newEpoch)).rejects.toMatchObject({ code: "ENOENT" });
  expect((await readMarkFile(join(data, "high-water-mark")))?.epoch).toBe(to);
  // The records already have the new epoch, and the high-water mark still has the old one.
  await writeFile(newEpoch, JSON.stringify({ from: to, to }));
  expect((await headOf()).epoch).toBe(to);
});

it("`vademecum new-epoch` gives the folder of --data a new epoch, even if the environment names a database", async () => {
  await fill();
  const before = await headOf();
  const environment = { VADEMECUM_POSTGRES_URL: "postgres://vademecum@127.0.0.1:1/vademecum" };
  expect(await runCommand(["new-epoch", "--data", data], { environment })).toMatchObject({
    exitCode: 0,
    stdout: expect.stringContaining(`${data} has a new epoch.`) as unknown,
  });
  expect((await headOf()).epoch).not.toBe(before.epoch);
});

it("the commands restored and restore refuse a command line with both a folder and a database", async () => {
  const both = ["--data", data, "--postgres-url", "postgres://vademecum@127.0.0.1:1/vademecum"];
  for (const command of [["new-epoch"], ["restore", join(folder, "a.backup")]])
    expect(await runCommand([...command, ...both])).toEqual({
      exitCode: 2,
      stdout: "",
      stderr: "error: --data and --postgres-url: give a folder or a database, not both\n",
    });
});

it("verify finds no damage in a folder whose change of epoch a crash interrupted", async () => {
  await fill();
  const { epoch: from } = await headOf();
  const to = "00000000-0000-4000-8000-000000000000";
  const renewal = JSON.stringify({ from, to });
  await writeFile(join(data, "NEW_EPOCH"), renewal);
  expect((await runCommand(["verify", "--data", data])).exitCode).toBe(0);
  expect((await headOf()).epoch).toBe(to);
  // The records have the new epoch already, and the high-water mark still has the old one.
  const renewed = await readMarkFile(join(data, "high-water-mark"));
  if (renewed === undefined) throw new Error("the folder has no high-water mark");
  await createMarkFile(join(data, "high-water-mark"), { ...renewed, epoch: from });
  await writeFile(join(data, "NEW_EPOCH"), renewal);
  expect(await runCommand(["verify", "--data", data])).toMatchObject({ exitCode: 0, stderr: "" });
  expect((await headOf()).epoch).toBe(to);
});

it("the command restored refuses a folder without data", async () => {
  const { exitCode, stderr } = await runCommand(["new-epoch", "--data", data]);
  expect(exitCode).toBe(1);
  expect(stderr).toContain("there is no data in");
});

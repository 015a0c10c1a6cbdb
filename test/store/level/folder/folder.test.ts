import { mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import type { Scope } from "../../../../src/core/model/namespace.js";
import { verifyFolder } from "../../../../src/store/level/recovery/verify-folder.js";
import { openRestoreFolder } from "../../../../src/store/level/restore-folder.js";
import { createTestFolder, fixedClock, openTestStore } from "../level-folder.js";

const scope: Scope = { kind: "run", runId: "r" };

let folder: string;

beforeEach(async () => {
  folder = await createTestFolder(onTestFinished);
});

async function openAndClose(): Promise<void> {
  await (await openTestStore(folder)).close();
}

async function headSeq(): Promise<number> {
  const store = await openTestStore(folder);
  const { head } = await store.update(scope, async () => undefined);
  await store.close();
  return head.seq;
}

async function writeOne(): Promise<void> {
  const store = await openTestStore(folder);
  await store.update(scope, async (tx) => tx.put("replyExpiries", scope, "k", "v"));
  await store.close();
}

describe("a data folder", () => {
  it("a data folder is created with its missing parent folders", async () => {
    folder = join(folder, "deep", "below");
    await writeOne();
    expect(await headSeq()).toBe(1);
  });

  it("a data folder may already contain saved graphs, or the folder `lost+found` of a disk", async () => {
    await mkdir(join(folder, "lost+found"), { recursive: true });
    await mkdir(join(folder, "graphs"));
    await writeOne();
    expect(await headSeq()).toBe(1);
  });

  it("a data folder with foreign files is refused and not touched", async () => {
    await mkdir(folder);
    await writeFile(join(folder, "thesis.txt"), "");
    const refused = { code: "FAILED_PRECONDITION", reason: "NOT_A_DATA_FOLDER" };
    await expect(openTestStore(folder)).rejects.toMatchObject(refused);
    await expect(verifyFolder(folder)).rejects.toMatchObject(refused);
    expect(await readdir(folder)).toEqual(["thesis.txt"]);
  });

  it("a data folder is created again if the process ended during its creation", async () => {
    await openAndClose();
    await rm(join(folder, "high-water-mark"));
    await writeFile(join(folder, "CREATING"), "");
    await writeOne();
    expect(await headSeq()).toBe(1);
  });

  it("a restore begins again if the process ended while it wrote the file RESTORING into a new folder", async () => {
    await mkdir(folder);
    await writeFile(join(folder, "RESTORING.tmp"), "ba");
    const restore = await openRestoreFolder({
      folder,
      backupId: "backup",
      tenant: undefined,
      clock: fixedClock,
    });
    await restore.close();
    await restore.finish();
    expect(await readdir(folder)).not.toContain("RESTORING.tmp");
    await writeOne();
    expect(await headSeq()).toBe(1);
  });

  it("a data folder is locked by one store until that store is closed, even within a process", async () => {
    const first = await openTestStore(folder);
    const inUse = { code: "FAILED_PRECONDITION", reason: "FOLDER_IN_USE" };
    await expect(openTestStore(folder)).rejects.toMatchObject(inUse);
    await expect(verifyFolder(folder)).rejects.toMatchObject(inUse);
    await first.update(scope, async (tx) => tx.put("replyExpiries", scope, "k", "v"));
    await first.close();
    expect(await headSeq()).toBe(1);
  });

  it("a data folder opens even if files in its lock folder are damaged", async () => {
    await writeOne();
    for (const name of await readdir(join(folder, "lock")))
      await writeFile(join(folder, "lock", name), "garbage");
    expect(await headSeq()).toBe(1);
  });

  it("a data folder holds no temporary files after opening", async () => {
    await openAndClose();
    await writeOne();
    expect((await readdir(folder)).toSorted()).toEqual([
      "high-water-mark",
      "lock",
      "records",
      "reserve",
    ]);
  });

  it("an intact data folder verifies, with the number of its records", async () => {
    await writeOne();
    expect(await verifyFolder(folder)).toEqual({ findings: [], namespaces: 0, records: 1 });
  });

  it("a data folder cannot be verified when it holds no data", async () => {
    await expect(verifyFolder(folder)).rejects.toMatchObject({
      code: "FAILED_PRECONDITION",
      reason: "NOT_A_DATA_FOLDER",
    });
  });
});

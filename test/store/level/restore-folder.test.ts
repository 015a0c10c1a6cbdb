import { beforeEach, expect, it, onTestFinished } from "vitest";
import { openRestoreFolder } from "../../../src/store/level/restore-folder.js";
import { createTestFolder, fixedClock, openTestStore } from "./level-folder.js";

const unfinished = { code: "FAILED_PRECONDITION", reason: "RESTORE_UNFINISHED" };

let folder: string;

beforeEach(async () => {
  folder = await createTestFolder(onTestFinished);
});

const open = (tenant: string | undefined, backupId = "backup") =>
  openRestoreFolder({ folder, backupId, tenant, clock: fixedClock });

it("an interrupted restore into a tenant continues for this tenant, and for no other", async () => {
  await (await open("acme")).close();
  for (const other of ["bolt", undefined])
    await expect(open(other)).rejects.toMatchObject(unfinished);
  await expect(open("acme", "another backup")).rejects.toMatchObject(unfinished);
  const restore = await open("acme");
  await restore.close();
  await restore.finish();
  await (await openTestStore(folder)).close();
});

it("an interrupted restore without a tenant does not continue for a tenant", async () => {
  await (await open(undefined)).close();
  await expect(open("acme")).rejects.toMatchObject(unfinished);
  await (await open(undefined)).close();
});

import { randomUUID } from "node:crypto";
import { restoreBackup } from "../../src/core/backup/restore-backup.js";
import { writeBackup } from "../../src/core/backup/write-backup.js";
import { endlessCall } from "../../src/core/ports/call.js";
import { withReadableFolder } from "../../src/store/level/readable-folder.js";
import type { Finding } from "../../src/store/level/recovery/damage.js";
import { openRestoreFolder } from "../../src/store/level/restore-folder.js";
import { fixedClock } from "../store/level/level-folder.js";

/** What a rescue could not save, and where more data is. */
export interface Rescue {
  readonly findings: readonly Finding[];
  readonly otherTenants: readonly (string | undefined)[];
}

/** Restores a backup of the readable records of a folder into a new folder. */
export async function rescueFolder(
  folder: string,
  target: string,
  tenant?: string,
): Promise<Rescue> {
  const names = {
    productVersion: "0.0.0",
    backupId: randomUUID(),
    createTimeMs: fixedClock.nowMs(),
    sourceId: "",
  };
  return withReadableFolder(
    { folder, tenant, clock: fixedClock },
    async ({ source, report: { findings }, otherTenants }) => {
      const into = await openRestoreFolder({
        folder: target,
        backupId: names.backupId,
        tenant,
        clock: fixedClock,
      });
      try {
        const chunks = writeBackup(source, { content: "records" }, names, endlessCall);
        // The records of these tests do not fit each other.
        const check = () => ({ add: () => undefined, end: () => undefined });
        const options = { epoch: "new", latestMs: undefined, check } as const;
        for await (const _ of restoreBackup(into.target, chunks, options, endlessCall));
      } finally {
        await into.close();
      }
      await into.finish();
      return { findings, otherTenants };
    },
  );
}

import { emptyFolder } from "../../errors.js";
import type { Database } from "../folder/database.js";
import { type FolderPaths, folderPaths, inspectFolder } from "../folder/folder.js";
import { lockFolder } from "../folder/folder-lock.js";
import { type HighWaterMark, readMarkSlots } from "../folder/mark-file.js";
import { realPlatform } from "../folder/platform.js";
import { type Finding, readDamage, restoreOrRescue } from "./damage.js";
import { readEpochRenewal } from "./epoch-renewal.js";
import { checkOpened } from "./opening-checks.js";
import { openReadableCopy } from "./readable-copy.js";
import { type VerifiedRecords, type VerifyOptions, verifyRecords } from "./verify-records.js";

/** The content of a data folder, and its damage. */
export type VerifyReport = VerifiedRecords;

/**
 * Checks everything in the data folder of a stopped server: every block of LevelDB's files, the
 * mark of every group, every record and all totals.
 *
 * Changes nothing. Reads the records from a temporary copy. Where the file system has hard links,
 * the copy shares LevelDB's table files with the folder, and needs little more space than the logs.
 *
 * @throws FAILED_PRECONDITION (FOLDER_IN_USE) when a server uses the folder
 * @throws FAILED_PRECONDITION (NOT_A_DATA_FOLDER) when the folder holds no store
 */
export async function verifyFolder(
  folder: string,
  options: VerifyOptions = {},
): Promise<VerifyReport> {
  return readVerified(folder, options, async (report) => report);
}

/**
 * Checks a data folder as `verifyFolder` does. Calls `use` with the report and the temporary copy
 * of the records, from which LevelDB can read what is undamaged. The copy is `undefined` if LevelDB
 * can read nothing.
 *
 * @throws the errors of `verifyFolder` and of `use`
 */
export async function readVerified<T>(
  folder: string,
  options: VerifyOptions,
  use: (report: VerifyReport, copy: Database | undefined) => Promise<T>,
): Promise<T> {
  const paths = folderPaths(folder);
  if ((await inspectFolder(paths)) === "new") throw emptyFolder(folder);
  const lock = await lockFolder(folder, paths.lock);
  try {
    const { newest: mark, damagedAt } = await readMarkSlots(paths.highWaterMark);
    const earlierFindings = (await readDamage(paths)).map((finding) => ({
      ...finding,
      what: `${finding.what} (found at an earlier start)`,
    }));
    const markFindings =
      mark === undefined
        ? [finding(paths.highWaterMark, "it is missing or damaged")]
        : damagedAt.map((offset) => damagedSlot(paths.highWaterMark, offset));
    return await verifyFiles(paths, mark, options, (report, copy) =>
      use({ ...report, findings: [...earlierFindings, ...markFindings, ...report.findings] }, copy),
    );
  } finally {
    await lock.release();
  }
}

function finding(where: string, what: string): Finding {
  return { where, what, remedy: restoreOrRescue };
}

/**
 * Returns a finding about one damaged slot. The slots are written in turn, so the intact slot holds
 * either the newest mark or the mark before it. The content of the slot does not tell which.
 */
function damagedSlot(where: string, offset: number): Finding {
  return {
    where,
    what:
      `the slot at byte ${offset} is damaged; the records are checked against the other slot, ` +
      "so the loss of the last group of writes could go unnoticed",
    remedy: "start the server on the folder and write to it: two writes renew both slots",
  };
}

async function verifyFiles<T>(
  paths: FolderPaths,
  mark: HighWaterMark | undefined,
  options: VerifyOptions,
  use: (report: VerifyReport, copy: Database | undefined) => Promise<T>,
): Promise<T> {
  const copy = await openReadableCopy(paths, mark?.manifest, realPlatform);
  try {
    const { database, findings } = copy;
    if (database === undefined) {
      const all = [...findings, finding("records", "LevelDB cannot open them")];
      return await use({ findings: all, namespaces: 0, records: 0 }, undefined);
    }
    const groups = mark === undefined ? [] : await checkGroups(database, mark, paths);
    const report = await verifyRecords(database, options);
    const all = [...findings, ...groups, ...report.findings];
    return await use({ ...report, findings: all }, database);
  } finally {
    await copy.discard();
  }
}

async function checkGroups(
  database: Database,
  mark: HighWaterMark,
  paths: FolderPaths,
): Promise<readonly Finding[]> {
  try {
    const result = await checkOpened(database, mark, await readEpochRenewal(paths));
    return "findings" in result ? result.findings : [];
  } catch (error) {
    return [finding("records", `they cannot be read: ${String(error)}`)];
  }
}

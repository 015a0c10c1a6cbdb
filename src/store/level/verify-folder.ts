import { rm } from "node:fs/promises";
import { emptyFolder } from "../errors.js";
import { type Finding, readDamage, restoreOrAccept } from "./damage.js";
import { type Database, openDatabase } from "./database.js";
import { copyLevelFolder } from "./evidence.js";
import { checkManifest, checkTables } from "./files-check.js";
import { type FolderPaths, folderPaths, inspectFolder } from "./folder.js";
import { lockFolder } from "./folder-lock.js";
import { type HighWaterMark, readMarkFile } from "./mark-file.js";
import { checkOpened } from "./opening-checks.js";
import { type VerifiedRecords, verifyRecords } from "./verify-records.js";

/** What a data folder holds, and what is wrong with it. */
export type VerifyReport = VerifiedRecords;

/**
 * Checks everything in the data folder of a stopped server: LevelDB's files down to every block, that no group of writes is missing, every record, and every sum of records. Changes nothing that is there: records are read from a copy, which needs room for LevelDB's logs.
 * Errors: FAILED_PRECONDITION (FOLDER_IN_USE) while a server runs on it, FAILED_PRECONDITION (NOT_A_DATA_FOLDER) if there is no store in it.
 */
export async function verifyFolder(folder: string): Promise<VerifyReport> {
  const paths = folderPaths(folder);
  if ((await inspectFolder(paths)) === "new") throw emptyFolder(folder);
  const lock = await lockFolder(folder, paths.lock);
  try {
    const mark = await readMarkFile(paths.highWaterMark);
    const noted = (await readDamage(paths)).map((finding) => ({ ...finding, what: `${finding.what} (found at an earlier start)` }));
    const unmarked = mark === undefined ? [finding(paths.highWaterMark, "it is missing or damaged")] : [];
    const report = await verifyFiles(paths, mark);
    return { ...report, findings: [...noted, ...unmarked, ...report.findings] };
  } finally {
    await lock.release();
  }
}

function finding(where: string, what: string): Finding {
  return { where, what, remedy: restoreOrAccept };
}

async function verifyFiles(paths: FolderPaths, mark: HighWaterMark | undefined): Promise<VerifiedRecords> {
  const manifest = await checkManifest(paths.records, mark?.manifest);
  // Without its list of tables LevelDB would show next to nothing, and every record would be reported as missing.
  if ("finding" in manifest) return { findings: [manifest.finding], namespaces: 0, records: 0 };
  const tableFindings = await checkTables(paths.records, manifest.tables, "all");
  await rm(paths.scratch, { recursive: true, force: true });
  try {
    await copyLevelFolder(paths.records, paths.scratch);
    const report = await verifyCopy(paths.scratch, mark);
    return { ...report, findings: [...tableFindings, ...report.findings] };
  } finally {
    await rm(paths.scratch, { recursive: true, force: true });
  }
}

async function verifyCopy(folder: string, mark: HighWaterMark | undefined): Promise<VerifiedRecords> {
  let database: Database;
  try {
    database = await openDatabase(folder, { createIfMissing: false });
  } catch (error) {
    const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
    return { findings: [finding("records", `LevelDB cannot open them: ${String(cause)}`)], namespaces: 0, records: 0 };
  }
  try {
    const opened = mark === undefined ? { findings: [] } : await checkOpened(database, mark);
    const report = await verifyRecords(database);
    return { ...report, findings: ["findings" in opened ? opened.findings : [], report.findings].flat() };
  } finally {
    await database.close();
  }
}

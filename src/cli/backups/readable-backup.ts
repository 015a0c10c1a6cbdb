import { randomUUID } from "node:crypto";
import { createWriteStream } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { encodeFrame, fileMagic } from "../../backup-format/backup-file.js";
import { writeBackup } from "../../core/backup/write-backup.js";
import type { BackupSource } from "../../core/ports/backup.js";
import { endlessCall } from "../../core/ports/call.js";
import { productVersion } from "../../edge/version.js";
import type { ReadableFolder } from "../../store/level/readable-folder.js";
import { CommandFailure, type CommandIo, printLine } from "../command-io.js";
import { printable } from "../printable.js";
import { partPath, syncParent } from "./part-file.js";

/** What `backup --readable-only` reads and writes. */
export interface ReadableBackup {
  /** The file to write; `-` for standard output. */
  readonly path: string;
  /** The data folder of a stopped server. */
  readonly folder: string;
  /** `undefined`: the data without a tenant. */
  readonly tenant: string | undefined;
  /** Writes no backup, and reports what one would contain. */
  readonly dryRun: boolean;
  /** Prints the report as one line of JSON. */
  readonly json: boolean;
}

/** The size of a backup. */
interface Size {
  readonly scopes: number;
  readonly records: number;
  readonly bytes: number;
}

type Report = Size &
  Pick<ReadableFolder, "otherTenants" | "hasMoves"> &
  Pick<ReadableFolder["report"], "findings">;

/**
 * Writes a backup of the undamaged records of a data folder. Reports what is missing: to standard
 * output, or to standard error if the backup goes to standard output.
 *
 * @throws CommandFailure when standard output is a terminal
 * @throws the errors of `withReadableFolder`
 */
export async function backUpReadable(backup: ReadableBackup, io: CommandIo): Promise<void> {
  const { path, folder, tenant, dryRun, json } = backup;
  const toOutput = path === "-" && !dryRun;
  if (toOutput && io.stdout.isTTY === true)
    throw new CommandFailure("file: standard output is a terminal; redirect it, or name a file", 2);
  // A dynamic import, because backups of servers do not need the store.
  const { withReadableFolder } = await import("../../store/level/readable-folder.js");
  const clock = { nowMs: () => Date.now() };
  const report = await withReadableFolder(
    { folder, tenant, clock, links: true },
    async ({ source, report: { findings }, otherTenants, hasMoves }): Promise<Report> => {
      const size = dryRun
        ? await writeTo(new Writable({ write: (_chunk, _encoding, done) => done() }), source)
        : toOutput
          ? await writeOutput(io.stdout, source)
          : await writeFile(path, source);
      return { ...size, findings, otherTenants, hasMoves };
    },
  );
  await printLine(
    toOutput ? io.stderr : io.stdout,
    json ? JSON.stringify(report) : printable(reportText(backup, report)),
  );
}

/** Writes to standard output. If its reader goes away, the process ends with exit code 1. */
async function writeOutput(output: Writable, source: BackupSource): Promise<Size> {
  const before = process.exitCode;
  process.exitCode = 1;
  const size = await writeTo(output, source);
  process.exitCode = before;
  return size;
}

/** Writes a file that survives a power cut. Leaves no file if this fails. */
async function writeFile(path: string, source: BackupSource): Promise<Size> {
  const part = partPath(path);
  try {
    // Only the owner may read the file, because it contains the data of all users.
    const size = await writeTo(createWriteStream(part, { mode: 0o600, flush: true }), source);
    await rename(part, path);
    await syncParent(path);
    return size;
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
}

async function writeTo(output: Writable, source: BackupSource): Promise<Size> {
  let size: Size = { scopes: 0, records: 0, bytes: fileMagic.length };
  const names = {
    productVersion: productVersion(),
    backupId: randomUUID(),
    createTimeMs: Date.now(),
    sourceId: "",
  };
  async function* frames() {
    yield fileMagic;
    for await (const chunk of writeBackup(source, { content: "records" }, names, endlessCall)) {
      const frame = encodeFrame(chunk);
      const { scopes, records } = chunk.kind === "trailer" ? chunk : size;
      size = { scopes, records, bytes: size.bytes + frame.length };
      yield frame;
    }
  }
  await pipeline(frames, output, { end: output !== process.stdout });
  return size;
}

function reportText(
  { path, folder, tenant, dryRun }: ReadableBackup,
  { scopes, records, bytes, findings, otherTenants, hasMoves }: Report,
): string {
  const counts = `scopes: ${scopes}, records: ${records}, bytes: ${bytes}`;
  const lines = [
    dryRun
      ? `A backup of what is readable in ${folder} would have ${counts}.`
      : `Wrote what is readable in ${folder} to ${path === "-" ? "standard output" : path} (${counts}).`,
    findings.length === 0
      ? "Nothing is damaged or missing."
      : `Damaged or missing (findings: ${findings.length}):`,
    ...findings.map(({ where, what }) => `  ${where}: ${what}`),
    ...otherTenants.map((name) =>
      name === undefined
        ? "The folder also has data without a tenant: repeat the command without --tenant."
        : `The folder also has data of the tenant ${name}: repeat the command with --tenant ${name}.`,
    ),
  ];
  if (hasMoves)
    lines.push(
      `Some users have moved to other servers: copy ${folder}/moves.json into the new folder before ` +
        "a server starts on it, or the server serves their old data.",
    );
  const into = tenant === undefined ? "" : ` --tenant ${tenant}`;
  if (!dryRun)
    lines.push(
      `Restore it with: vademecum restore ${path === "-" ? "FILE" : path} --data NEW_FOLDER${into}`,
    );
  return printable(lines.join("\n"));
}

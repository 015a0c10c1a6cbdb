import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { rm } from "node:fs/promises";
import { encodeFrame, fileMagic } from "../../backup-format/backup-file.js";
import { type BackupChunk, backupFormat } from "../../core/backup/backup-chunk.js";
import { type BackupNames, writeBackup } from "../../core/backup/write-backup.js";
import type { BackupSource } from "../../core/ports/backup.js";
import { endlessCall } from "../../core/ports/call.js";
import { productVersion } from "../../edge/version.js";
import {
  CommandFailure,
  type CommandIo,
  type Output,
  printable,
  printLine,
} from "../command-io.js";
import { createProgressLine } from "../progress-line.js";
import { PartFile, partPath } from "./part-file.js";

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

/** The size of a written backup. */
interface Written {
  readonly scopes: number;
  readonly records: number;
  readonly bytes: number;
}

/** The content of the report. */
interface Report extends Written {
  readonly missing: readonly { readonly where: string; readonly what: string }[];
  /** Tenants with data in the folder that are not in the backup; `null`: data without a tenant. */
  readonly otherTenants: readonly (string | null)[];
  /** Whether `moves.json` in the folder names users or runs that have moved to other servers. */
  readonly hasMoves: boolean;
}

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
    { folder, tenant, clock },
    async ({ source, report: { findings }, otherTenants, hasMoves }): Promise<Report> => {
      const target = dryRun ? discard : toOutput ? toStream(io.stdout) : toFile(path);
      return {
        ...(await target(source, io)),
        missing: findings.map(({ where, what }) => ({ where, what })),
        otherTenants: otherTenants.map((name) => name ?? null),
        hasMoves,
      };
    },
  );
  await printLine(
    toOutput ? io.stderr : io.stdout,
    json ? JSON.stringify(report) : reportText(backup, report),
  );
}

/** Writes the backup of a source somewhere. */
type WriteSource = (source: BackupSource, io: CommandIo) => Promise<Written>;

function toFile(path: string): WriteSource {
  return async (source, { stderr }) => {
    const names = newNames();
    const scopes = await countScopes(source);
    const header = { ...names, format: backupFormat, content: "records", scopes } as const;
    const part = await PartFile.open(path, header);
    const line = createProgressLine(stderr);
    let isFinished = false;
    try {
      await part.copy(chunksOf(source, names), () =>
        line.show(`${part.scopes} of ${scopes} scopes, ${part.records} records`),
      );
      await part.finish();
      isFinished = true;
      return { scopes: part.scopes, records: part.records, bytes: part.bytes };
    } finally {
      line.clear();
      if (!isFinished) {
        await part.close();
        // Another attempt cannot continue it, because the epoch is another one.
        await rm(partPath(path), { force: true });
      }
    }
  };
}

function toStream(output: Output): WriteSource {
  return (source) =>
    writeChunks(source, async (bytes) => {
      if (!output.write(bytes)) await once(output, "drain");
    });
}

const discard: WriteSource = (source) => writeChunks(source, async () => undefined);

async function writeChunks(
  source: BackupSource,
  write: (bytes: Uint8Array) => Promise<void>,
): Promise<Written> {
  let written: Written = { scopes: 0, records: 0, bytes: fileMagic.length };
  await write(fileMagic);
  for await (const chunk of chunksOf(source, newNames())) {
    const frame = encodeFrame(chunk);
    await write(frame);
    const { scopes, records } = chunk.kind === "trailer" ? chunk : written;
    written = { scopes, records, bytes: written.bytes + frame.length };
  }
  return written;
}

function chunksOf(source: BackupSource, names: BackupNames): AsyncIterable<BackupChunk> {
  return writeBackup(source, { content: "records" }, names, endlessCall);
}

function newNames(): BackupNames {
  return {
    productVersion: productVersion(),
    backupId: randomUUID(),
    createTimeMs: Date.now(),
    sourceId: randomUUID(),
  };
}

async function countScopes(source: BackupSource): Promise<number> {
  let count = 0;
  for await (const _ of source.scopeStates()) count++;
  return count;
}

function reportText(
  { path, folder, tenant, dryRun }: ReadableBackup,
  { scopes, records, bytes, missing, otherTenants, hasMoves }: Report,
): string {
  const counts = `scopes: ${scopes}, records: ${records}, bytes: ${bytes}`;
  const target = path === "-" ? "standard output" : path;
  const lines = [
    dryRun
      ? `A backup of what is readable in ${folder} would have ${counts}.`
      : `Wrote what is readable in ${folder} to ${target} (${counts}).`,
    missing.length === 0
      ? "Nothing is damaged or missing."
      : `Damaged or missing (findings: ${missing.length}):`,
    ...missing.map(({ where, what }) => `  ${where}: ${what}`),
    ...otherTenants.map((name) =>
      name === null
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

import { randomUUID } from "node:crypto";
import { Code, ConnectError } from "@connectrpc/connect";
import { Argument, type Command } from "commander";
import pRetry, { AbortError } from "p-retry";
import { connectionSettings } from "../config/client-settings.js";
import { readSettings } from "../config/config.js";
import { serverSettings } from "../config/server-settings.js";
import type { BackupHeader } from "../core/backup/backup-chunk.js";
import { readBackup } from "../core/backup/read-backup.js";
import type { Scope } from "../core/model/namespace.js";
import { type BackupSize, backUpIntoFolder, isUnverified } from "./backups/backup-folder.js";
import { PartFile, partPath, pathExists } from "./backups/part-file.js";
import { backUpReadable } from "./backups/readable-backup.js";
import { backupOf, chunksOfStream, inCalls, readHeads } from "./backups/remote-scopes.js";
import { addSelection, requireUsers, selectionOf } from "./backups/scope-selection.js";
import { callServer, clientCommand, type ServerCall } from "./client-command.js";
import { CommandFailure, type CommandIo, printLine } from "./command-io.js";
import type { Connection } from "./connection.js";
import { parseTenantName } from "./keys/grant-values.js";
import { wholeNumber } from "./option-values.js";
import { printable } from "./printable.js";
import { createProgressLine } from "./progress-line.js";
import { addSettings, readFlagTexts } from "./setting-options.js";

const folderSettings = { dataFolder: serverSettings.dataFolder };

const examples = `
Examples:
  $ vademecum backup vademecum.backup
  $ vademecum backup vademecum.backup --server https://memory.example.net:50051
  $ vademecum backup --to /var/backups/vademecum --keep 7
  $ vademecum backup ann.backup --user ann
  $ vademecum backup --readable-only --data /var/lib/vademecum readable.backup

The server continues to serve. The file holds the data of all users of the caller's tenant, each
user in one consistent state. Keep the file as private as the data folder. An interrupted backup is
in FILE.part. The same command continues it within a day. Check a backup with \`verify --backup\`,
and restore it with \`restore\`.

With --readable-only, the command reads the data folder of a stopped server past all damage, lists
what is missing, and does not change the folder. Restore the backup into a new folder.`;

/** Number of retries after the connection has broken. */
const retries = 5;

/** The options of the command, besides those of the connection. */
interface BackupOptions {
  readonly dryRun?: boolean;
  readonly readableOnly?: boolean;
  readonly tenant?: string;
  readonly to?: string;
  readonly keep?: number;
  readonly json?: boolean;
}

/** Creates the command `backup`, which writes a backup of a server to a file. */
export function backupCommand(io: CommandIo): Command {
  const command = clientCommand("backup", "Write a backup of a running server to a file.")
    .addArgument(
      new Argument(
        "[file]",
        "The file to write. It must not exist. With --readable-only, - is standard output.",
      ),
    )
    .option(
      "--to <folder>",
      "Instead of a file: write a new file into this folder, read it again, and only then give it " +
        "its name, which has the time and ends in .backup.",
    )
    .option(
      "--keep <count>",
      "With --to: how many backups stay in the folder. Older ones are removed after the new one is " +
        "verified. Default: all stay.",
      wholeNumber,
    )
    .option("--dry-run", "Only count what would be backed up.")
    .option(
      "--readable-only",
      "Back up the undamaged records of a stopped server's data folder, and list what is missing.",
    )
    .option(
      "--tenant <name>",
      "With --readable-only: the tenant to back up. Default: the data without a tenant.",
      parseTenantName,
    )
    .addHelpText("after", examples);
  addSelection(command, "Back up");
  addSettings(command, folderSettings);
  return command.action(async (file?: string) => {
    const { dryRun = false, readableOnly, tenant, json } = command.opts<BackupOptions>();
    requireOptionsOf(command);
    const target = await targetOf(command, file);
    if (readableOnly === true) {
      const path = target.file;
      const flags = readFlagTexts(command, folderSettings);
      const { dataFolder: folder } = readSettings(folderSettings, flags, io.environment);
      await backUpReadable({ path, folder, tenant, dryRun, json: json === true }, io);
      return;
    }
    await callServer(command, io, async (call) => {
      const { header, states } = await readHeads(call.connection.admin);
      const selection = selectionOf(command);
      const scopes = states.map(({ scope }) => scope).filter((scope) => selection.has(scope));
      requireUsers(selection, scopes, "the server");
      if (!dryRun) {
        await writeTo(target, scopes, header, call, io);
        return;
      }
      await printLine(
        io.stdout,
        call.json
          ? JSON.stringify({ scopes: scopes.length })
          : `${scopes.length} scopes (users, runs and manifests) would be backed up.`,
      );
    });
  });
}

/** Where a backup goes: into a file, or into a new file in a folder. */
interface BackupTarget {
  readonly file: string;
  readonly folder: string | undefined;
  readonly keep: number | undefined;
}

/** Throws a `CommandFailure` if the command line does not name one target, or the file exists. */
async function targetOf(command: Command, file: string | undefined): Promise<BackupTarget> {
  const { readableOnly, to: folder, keep } = command.opts<BackupOptions>();
  if ((file === undefined) === (folder === undefined))
    throw new CommandFailure("file: give either a file or --to FOLDER", 2);
  if (keep !== undefined && (folder === undefined || keep < 1))
    throw new CommandFailure("--keep: only with --to, and at least 1", 2);
  if (folder !== undefined && (readableOnly === true || !selectionOf(command).isAll))
    throw new CommandFailure("--to: not with --readable-only, --user or --range", 2);
  if (file === "-" ? readableOnly !== true : file !== undefined && (await pathExists(file)))
    throw new CommandFailure(
      file === "-"
        ? "file: only a backup with --readable-only can go to standard output; give the name of a file"
        : `file: '${file}' exists; choose another name, or remove it`,
      2,
    );
  return { file: file ?? "", folder, keep };
}

async function writeTo(
  { file, folder, keep }: BackupTarget,
  scopes: readonly Scope[],
  header: BackupHeader,
  call: ServerCall,
  io: CommandIo,
): Promise<void> {
  if (folder === undefined) {
    const written = await writeFile(file, scopes, header, call, io);
    await printLine(
      io.stdout,
      call.json ? JSON.stringify(written) : `Wrote ${printable(file)} (${sizeText(written)}).`,
    );
    return;
  }
  const write = (path: string) => writeFile(path, scopes, header, call, io);
  const kept = await backUpIntoFolder({ folder, keep, nowMs: Date.now(), write });
  const removed = kept.removed.length === 0 ? "" : ` Removed: ${kept.removed.join(", ")}.`;
  await printLine(
    io.stdout,
    call.json
      ? JSON.stringify(kept)
      : `Wrote and verified ${printable(kept.file)} (${sizeText(kept)}).${removed}`,
  );
}

function sizeText({ scopes, records, bytes }: BackupSize): string {
  return `scopes: ${scopes}, records: ${records}, bytes: ${bytes}`;
}

/** Throws a `CommandFailure` if an option belongs to the other kind of backup. */
function requireOptionsOf(command: Command): void {
  const { readableOnly = false, tenant } = command.opts<BackupOptions>();
  const given = readFlagTexts(command, readableOnly ? connectionSettings : folderSettings);
  if (readableOnly && !selectionOf(command).isAll)
    throw new CommandFailure("--user and --range: not with --readable-only", 2);
  const [flag = readableOnly || tenant === undefined ? undefined : "tenant"] = given.keys();
  if (flag === undefined) return;
  const reason = readableOnly
    ? "--readable-only reads a folder and calls no server"
    : "only with --readable-only; a running server backs up the tenant of the caller";
  throw new CommandFailure(`--${flag}: ${reason}`, 2);
}

async function writeFile(
  path: string,
  scopes: readonly Scope[],
  { productVersion, format, sourceId }: BackupHeader,
  { connection, json }: Pick<ServerCall, "connection" | "json">,
  { stderr }: CommandIo,
): Promise<BackupSize> {
  const newHeader = {
    format,
    productVersion,
    backupId: randomUUID(),
    createTimeMs: Date.now(),
    content: "records",
    scopes: scopes.length,
    sourceId,
  } as const;
  const part = await PartFile.open(path, newHeader, scopes);
  const line = createProgressLine(stderr, { terminalOnly: json });
  const show = (): void => {
    const percent = scopes.length === 0 ? 100 : Math.floor((100 * part.scopes) / scopes.length);
    line.show(`${percent} % (${part.scopes} of ${scopes.length} scopes, ${part.records} records)`);
  };
  let isFinished = false;
  try {
    for (const some of inCalls(scopes)) await copyScopes(some, part, connection, show);
    await part.finish();
    isFinished = true;
    return { scopes: part.scopes, records: part.records, bytes: part.bytes };
  } catch (error) {
    line.clear();
    if (!isUnverified(path))
      stderr.write(
        `The backup is not whole. Repeat the command to continue ${printable(partPath(path))}.\n`,
      );
    throw error;
  } finally {
    line.clear();
    if (!isFinished) await part.close();
  }
}

/** Copies scopes to the file. After a broken connection, continues after the last whole scope. */
async function copyScopes(
  scopes: readonly Scope[],
  part: PartFile,
  connection: Connection,
  onScope: () => void,
): Promise<void> {
  await pRetry(
    async () => {
      const missing = scopes.filter((scope) => !part.has(scope));
      if (missing.length === 0) return;
      try {
        await copyOnce(missing, part, connection, onScope);
      } catch (error) {
        await part.dropScope();
        throw isBroken(error) ? error : new AbortError(error as Error);
      }
    },
    { retries, minTimeout: 500, maxTimeout: 10_000 },
  );
}

async function copyOnce(
  scopes: readonly Scope[],
  part: PartFile,
  { admin }: Connection,
  onScope: () => void,
): Promise<void> {
  async function* copied() {
    for await (const chunk of chunksOfStream(backupOf(admin, scopes))) {
      // The file has a header and a trailer of its own.
      if (chunk.kind !== "header" && chunk.kind !== "trailer") await part.write(chunk);
      yield chunk;
    }
  }
  for await (const { state, digest } of readBackup(copied(), { scope: async () => undefined })) {
    part.endScope(state.scope, digest);
    onScope();
  }
}

function isBroken(error: unknown): boolean {
  return (
    error instanceof ConnectError &&
    [Code.Unavailable, Code.Canceled, Code.Aborted].includes(error.code)
  );
}

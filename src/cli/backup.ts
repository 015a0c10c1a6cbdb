import { randomUUID } from "node:crypto";
import { Code, ConnectError } from "@connectrpc/connect";
import { Argument, type Command } from "commander";
import pRetry, { AbortError } from "p-retry";
import type { BackupHeader } from "../core/backup/backup-chunk.js";
import { readBackup } from "../core/backup/read-backup.js";
import type { Scope } from "../core/model/namespace.js";
import { PartFile, partPath, pathExists } from "./backups/part-file.js";
import { backupOf, chunksOfStream, inCalls, readHeads } from "./backups/remote-scopes.js";
import { callServer, clientCommand } from "./client-command.js";
import { CommandFailure, type CommandIo, printable, printLine } from "./command-io.js";
import type { Connection } from "./connection.js";
import { createProgressLine } from "./progress-line.js";

const examples = `
Examples:
  $ vademecum backup vademecum.backup
  $ vademecum backup vademecum.backup --server https://memory.example.net:50051

The server continues to serve. The file holds the data of all users of the caller's tenant, each
user in one consistent state. Keep the file as private as the data folder. An interrupted backup is
in FILE.part. The same command continues it within a day. Check a backup with \`verify --backup\`,
and restore it with \`restore\`.`;

/** Number of retries after the connection has broken. */
const retries = 5;

/** Creates the command `backup`, which writes a backup of a running server to a file. */
export function backupCommand(io: CommandIo): Command {
  const command = clientCommand("backup", "Write a backup of a running server to a file.")
    .addArgument(new Argument("<file>", "The file to write. It must not exist."))
    .option("--dry-run", "Only count what would be backed up.")
    .addHelpText("after", examples);
  return command.action(async (path: string) => {
    const dryRun = command.opts<{ dryRun?: boolean }>().dryRun === true;
    if (await pathExists(path))
      throw new CommandFailure(`file: '${path}' exists; choose another name, or remove it`, 2);
    await callServer(command, io, async ({ connection, json }) => {
      const { header, states } = await readHeads(connection.admin);
      const scopes = states.map(({ scope }) => scope);
      if (dryRun) {
        await printLine(
          io.stdout,
          json
            ? JSON.stringify({ scopes: scopes.length })
            : `${scopes.length} scopes (users, runs and manifests) would be backed up.`,
        );
        return;
      }
      const written = await writeFile(path, scopes, header, connection, io);
      await printLine(
        io.stdout,
        json
          ? JSON.stringify(written)
          : `Wrote ${printable(path)} (scopes: ${written.scopes}, records: ${written.records}, ` +
              `bytes: ${written.bytes}).`,
      );
    });
  });
}

interface WrittenBackup {
  readonly scopes: number;
  readonly records: number;
  readonly bytes: number;
}

async function writeFile(
  path: string,
  scopes: readonly Scope[],
  { productVersion, format, sourceId }: BackupHeader,
  connection: Connection,
  { stderr }: CommandIo,
): Promise<WrittenBackup> {
  const part = await PartFile.open(path, {
    format,
    productVersion,
    backupId: randomUUID(),
    createTimeMs: Date.now(),
    content: "records",
    scopes: scopes.length,
    sourceId,
  });
  const line = createProgressLine(stderr);
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

import { Argument, Command } from "commander";
import { latestTimeAt, restoreBackup } from "../core/backup/restore-backup.js";
import type { ScopeState } from "../core/ports/backup.js";
import { endlessCall } from "../core/ports/call.js";
import type { RestoreFolder } from "../store/level/restore-folder.js";
import type { RestoreDatabase } from "../store/postgres/restore-database.js";
import { checkBackupFile, chunksOf } from "./backups/backup-path.js";
import { readReceipts } from "./backups/receipts-file.js";
import { addSelection, requireUsers, selectionOf } from "./backups/scope-selection.js";
import { type CommandIo, printLine } from "./command-io.js";
import { parseTenantName } from "./keys/grant-values.js";
import { printable } from "./printable.js";
import { createProgressLine } from "./progress-line.js";
import { addSettings } from "./setting-options.js";
import { readStoreConfig, type StoreConfig, storeSettings } from "./store-settings.js";

const examples = `
Examples:
  $ vademecum restore vademecum.backup --data /var/lib/vademecum-restored
  $ vademecum restore vademecum.backup --data ./copy --tenant acme
  $ vademecum restore vademecum.backup --data ./copy --receipts receipts.jsonl
  $ vademecum restore vademecum.backup --postgres-url postgres://vademecum@db.example/vademecum

The folder or the database must be empty or new. With --tenant it may hold data of other tenants.
The whole file is checked before anything is written. No server starts on the folder or the database
before the restore is done. After an interruption, the same command continues.
Afterwards, page tokens and commit_seq values from before the restore are refused.`;

/** Creates the command `restore`, which fills an empty data folder or database from a backup. */
export function restoreCommand(io: CommandIo): Command {
  const command = new Command("restore")
    .description("Restore a backup into an empty data folder or database.")
    .addArgument(new Argument("<file>", "The backup, as written by `backup`."))
    .option(
      "--tenant <name>",
      "The tenant that gets the data. Default: the data without a tenant.",
      parseTenantName,
    )
    .option("--dry-run", "Only check the backup.")
    .option(
      "--allow-future",
      "Restore data whose last write is more than an hour ahead of this machine's clock. Check the " +
        "clock before: a server starts on data that is a day ahead only with --accept-clock.",
    )
    .option(
      "--receipts <file>",
      "Leave out the users and runs that these receipts of `forget` name, unless they have written " +
        "after their erasure.",
    )
    .option("--json", "Print the result as one line of JSON.")
    .addHelpText("after", examples);
  addSelection(command, "Restore");
  addSettings(command, storeSettings);
  return command.action(async (path: string) => {
    const {
      tenant,
      dryRun,
      allowFuture,
      receipts: receiptsPath,
      json,
    } = command.opts<{
      tenant?: string;
      dryRun?: boolean;
      allowFuture?: boolean;
      receipts?: string;
      json?: boolean;
    }>();
    const receipts = await readReceipts(receiptsPath);
    const config = readStoreConfig(command, io.environment);
    const { dataFolder, postgresUrls } = config;
    const place = postgresUrls.length > 0 ? "the database" : dataFolder;
    const line = createProgressLine(io.stderr, { terminalOnly: json === true });
    try {
      const latestMs = allowFuture === true ? undefined : latestTimeAt(Date.now());
      const selection = selectionOf(command);
      const showShare = (share: number): void => line.show(`${Math.floor(100 * share)} % checked`);
      const selects = (state: ScopeState): boolean =>
        selection.has(state.scope) && !receipts.covers(state);
      const checked = await checkBackupFile(path, showShare, selects, latestMs);
      requireUsers(selection, checked.selected, path);
      if (dryRun !== true)
        await restoreFile({ path, config, tenant, selects, ...checked }, (scopes) => {
          const percent = Math.floor((100 * scopes) / Math.max(1, checked.allScopes));
          line.show(`${percent} % restored (${scopes} of ${checked.allScopes} scopes)`);
        });
      line.clear();
      const { scopes, records } = checked;
      const counts = { scopes, records, ...(receiptsPath && { erased: receipts.covered }) };
      const where = dryRun === true ? undefined : place;
      await printLine(
        io.stdout,
        json === true ? JSON.stringify(counts) : printable(resultText(path, where, counts)),
      );
    } finally {
      line.clear();
    }
  });
}

/** @param place where the backup was restored to. `undefined`: it was only checked */
function resultText(
  path: string,
  place: string | undefined,
  { scopes, records, erased }: { scopes: number; records: number; erased?: number },
): string {
  const left = erased === undefined ? "" : `, erased and left out: ${erased}`;
  const counts = `(scopes: ${scopes}, records: ${records}${left})`;
  return place === undefined
    ? `${path} is sound and can be restored ${counts}.`
    : `Restored ${path} into ${place} ${counts}.`;
}

interface FileRestore {
  readonly path: string;
  readonly config: StoreConfig;
  readonly tenant: string | undefined;
  readonly selects: (state: ScopeState) => boolean;
  readonly header: { readonly backupId: string };
}

async function restoreFile(
  { path, config, tenant, selects, header }: FileRestore,
  onScope: (scopes: number) => void,
): Promise<void> {
  const { PageCheck } = await import("../store/codec/owned-tables.js");
  const { target, ...opened } = await openTarget(config, header.backupId, tenant);
  try {
    for await (const { scopes } of restoreBackup(
      target,
      chunksOf(path),
      {
        epoch: "new",
        ...{ selects, latestMs: undefined, check: () => new PageCheck() },
      },
      endlessCall,
    ))
      onScope(scopes);
  } finally {
    await opened.close();
  }
  await opened.finish();
}

async function openTarget(
  config: StoreConfig,
  backupId: string,
  tenant: string | undefined,
): Promise<RestoreFolder | RestoreDatabase> {
  // Dynamic imports, because most other commands do not need the stores.
  if (config.postgresUrls.length > 0) {
    const { openRestoreDatabase } = await import("../store/postgres/restore-database.js");
    const { readPostgresTargets } = await import("../server/postgres-targets.js");
    const { targets, owner = targets[0] } = await readPostgresTargets(config);
    if (owner !== undefined) return openRestoreDatabase({ targets, owner, backupId, tenant });
  }
  const { openRestoreFolder } = await import("../store/level/restore-folder.js");
  const clock = { nowMs: () => Date.now() };
  return openRestoreFolder({ folder: config.dataFolder, backupId, tenant, clock });
}

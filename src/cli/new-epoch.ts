import { Command } from "commander";
import type { PostgresConfig } from "../config/postgres-settings.js";
import { type CommandIo, printLine } from "./command-io.js";
import { printable } from "./printable.js";
import { addSettings } from "./setting-options.js";
import { readStoreConfig, storeSettings } from "./store-settings.js";

const examples = `
Examples:
  $ vademecum new-epoch --data /var/lib/vademecum
  $ vademecum new-epoch --postgres-url postgres://vademecum@db.example/vademecum

Use this command after you have restored a data folder without \`restore\`, for example from a copy
of the folder or a snapshot of its disk. Use it also after you have restored a PostgreSQL database
from its own backup. All servers must be stopped. Afterwards, page tokens and commit_seq values of
the old epoch are refused, because they may refer to writes that are gone.`;

/** Creates the command `new-epoch`, which gives a new epoch to a data folder or a database. */
export function newEpochCommand(io: CommandIo): Command {
  const command = new Command("new-epoch")
    .description("Give a new epoch to data that was restored from a copy.")
    .addHelpText("after", examples);
  addSettings(command, storeSettings);
  return command.action(async () => {
    const config = readStoreConfig(command, io.environment);
    const { dataFolder, postgresUrls } = config;
    if (postgresUrls.length > 0) {
      await renewInPostgres(config);
      await printLine(
        io.stdout,
        "The database has a new epoch. Page tokens and commit_seq values of the old epoch are refused.",
      );
      return;
    }
    // A dynamic import, because most other commands do not need the store.
    const { openLevelStore } = await import("../store/level/level-store.js");
    const clock = { nowMs: () => Date.now() };
    const store = await openLevelStore({ folder: dataFolder, clock, newEpoch: true });
    await store.close();
    await printLine(
      io.stdout,
      printable(
        `${dataFolder} has a new epoch. Page tokens and commit_seq values of the old epoch are refused.`,
      ),
    );
  });
}

async function renewInPostgres(config: PostgresConfig): Promise<void> {
  // Dynamic imports, because most other commands do not need the driver.
  const { renewEpoch } = await import("../store/postgres/renew-epoch.js");
  const { readPostgresTargets } = await import("../server/postgres-targets.js");
  const { targets, owner = targets[0] } = await readPostgresTargets(config);
  if (owner !== undefined) await renewEpoch(owner);
}

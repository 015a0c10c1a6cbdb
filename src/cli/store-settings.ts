import type { Command } from "commander";
import { type Environment, readSettings } from "../config/config.js";
import { postgresSettings } from "../config/postgres-settings.js";
import { serverSettings } from "../config/server-settings.js";
import type { ValuesOf } from "../config/setting.js";
import { CommandFailure } from "./command-io.js";
import { readFlagTexts } from "./setting-options.js";

/** The settings that name the store of a stopped server: a data folder or a database. */
export const storeSettings = { dataFolder: serverSettings.dataFolder, ...postgresSettings };

/** The store of a stopped server. Without `postgresUrls`, it is the data folder. */
export type StoreConfig = ValuesOf<typeof storeSettings>;

/**
 * Returns the store that the command line names. If it names none, returns the store that the
 * environment names. `--data` wins over a database in the environment.
 *
 * @throws CommandFailure when the command line names both a folder and a database
 * @throws ConfigError when a setting is wrong
 */
export function readStoreConfig(command: Command, environment: Environment): StoreConfig {
  const flags = readFlagTexts(command, storeSettings);
  const { flag: folder } = storeSettings.dataFolder;
  if (!flags.has(folder)) return readSettings(storeSettings, flags, environment);
  const other = [...flags.keys()].find((flag) => flag !== folder);
  if (other !== undefined)
    throw new CommandFailure(
      `--${folder} and --${other}: give a folder or a database, not both`,
      2,
    );
  return readSettings(storeSettings, flags, {});
}

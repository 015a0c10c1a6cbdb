import { readFile } from "node:fs/promises";
import {
  ConfigError,
  type Environment,
  type FlagTexts,
  readSettings,
  type SettingsFile,
} from "../../config/config.js";
import { configFileChoice, parseSettingsFile } from "../../config/config-file.js";
import { serverSettings } from "../../config/server-settings.js";
import { errorText } from "../../core/model/errors.js";

/**
 * Reads the configuration file that `--config` or its variable names. `undefined`: none is named.
 *
 * @throws ConfigError when the file cannot be read, or is wrong
 */
export async function namedSettingsFile(
  flagTexts: FlagTexts,
  environment: Environment,
): Promise<SettingsFile | undefined> {
  const { configFile } = readSettings(configFileChoice, flagTexts, environment);
  return configFile === undefined ? undefined : readSettingsFile(configFile);
}

/**
 * Reads a configuration file of the server.
 *
 * @throws ConfigError when it cannot be read, or is wrong
 */
export async function readSettingsFile(path: string): Promise<SettingsFile> {
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(await readFile(path));
  } catch (error) {
    const reason = error instanceof TypeError ? "it is not UTF-8" : errorText(error);
    throw new ConfigError([`--config: cannot read '${path}': ${reason}`]);
  }
  return parseSettingsFile(text, path, serverSettings);
}

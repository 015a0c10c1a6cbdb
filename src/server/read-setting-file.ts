import { readFile } from "node:fs/promises";
import { ConfigError } from "../config/config.js";
import { errorText } from "../core/model/errors.js";

/**
 * Reads the file that a setting names.
 *
 * @throws ConfigError when it cannot be read
 */
export async function readSettingFile(flag: string, path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    throw new ConfigError([
      `${flag}: cannot read '${path}' (${errorText(error)}); allowed: a file that this process may read`,
    ]);
  }
}

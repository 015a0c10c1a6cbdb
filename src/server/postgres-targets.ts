import { ConfigError } from "../config/config.js";
import type { PostgresConfig } from "../config/postgres-settings.js";
import { type PostgresTarget, postgresTarget } from "../store/postgres/session/target.js";
import { readSettingFile } from "./read-setting-file.js";

/** The PostgreSQL targets that the settings name. */
export interface PostgresTargets {
  readonly targets: readonly PostgresTarget[];
  /** The role that may change tables; `undefined`: the role of the first target. */
  readonly owner: PostgresTarget | undefined;
}

/**
 * Returns the targets that the settings name, with the password and the certificates.
 *
 * @throws ConfigError when a file cannot be used
 */
export async function readPostgresTargets({
  postgresUrls,
  postgresOwnerUrl,
  postgresPasswordFile,
  postgresPassword,
  postgresCa,
}: PostgresConfig): Promise<PostgresTargets> {
  const secrets = {
    password:
      postgresPasswordFile === undefined
        ? postgresPassword
        : await readPassword(postgresPasswordFile),
    ca: postgresCa === undefined ? undefined : await readSettingFile("--postgres-ca", postgresCa),
  };
  return {
    targets: postgresUrls.map((url) => postgresTarget(url, secrets)),
    owner: postgresOwnerUrl === undefined ? undefined : postgresTarget(postgresOwnerUrl, secrets),
  };
}

/** Reads a password. A line break at the end of the file is not part of the password. */
async function readPassword(path: string): Promise<string> {
  const flag = "--postgres-password-file";
  const password = (await readSettingFile(flag, path)).replace(/\r?\n$/, "");
  if (password === "" || /[\0\r\n]/.test(password))
    throw new ConfigError([`${flag}: '${path}' must hold one line with the password`]);
  return password;
}

import { ConfigError } from "../config/config.js";
import type { PostgresConfig } from "../config/postgres-settings.js";
import { isLoopback } from "../edge/address.js";
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
 * @throws ConfigError when a file cannot be used, or when the connection would cross a network in
 *   plaintext, and the URL or `insecure` does not ask for it
 */
export async function readPostgresTargets({
  postgresUrls,
  postgresOwnerUrl,
  postgresPasswordFile,
  postgresPassword,
  postgresCa,
  insecure = false,
}: PostgresConfig & { readonly insecure?: boolean }): Promise<PostgresTargets> {
  if (!insecure && postgresCa === undefined) {
    const urls = [...postgresUrls, ...(postgresOwnerUrl === undefined ? [] : [postgresOwnerUrl])];
    for (const url of urls) requireProtected(url);
  }
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

/** Refuses a URL of another machine that says nothing about TLS. */
function requireProtected(url: string): void {
  const { hostname, searchParams } = new URL(url);
  if (searchParams.has("sslmode") || searchParams.has("host")) return;
  const host = hostname.replace(/^\[(.*)\]$/, "$1");
  if (isLoopback({ host })) return;
  throw new ConfigError([
    `--postgres-url: '${host}' is another machine, so the password and all memories would cross the ` +
      "network in plaintext. Give --postgres-ca FILE or add ?sslmode=verify-full to the URL, for " +
      "TLS. On a network where you trust everyone, add ?sslmode=disable instead",
  ]);
}

/** Reads a password. A line break at the end of the file is not part of the password. */
async function readPassword(path: string): Promise<string> {
  const flag = "--postgres-password-file";
  const password = (await readSettingFile(flag, path)).replace(/\r?\n$/, "");
  if (password === "" || /[\0\r\n]/.test(password))
    throw new ConfigError([`${flag}: '${path}' must hold one line with the password`]);
  return password;
}

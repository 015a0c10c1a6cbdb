import {
  listSetting,
  optionalSetting,
  type Settings,
  secretSetting,
  type ValuesOf,
} from "./setting.js";
import { parsePassword, parsePath, parsePostgresUrl, parsePostgresUrls } from "./setting-values.js";

/** The configuration of a PostgreSQL. */
export type PostgresConfig = ValuesOf<typeof postgresSettings>;

/** The settings of `--provider postgres`. */
export const postgresSettings = {
  postgresUrls: listSetting({
    flag: "postgres-url",
    placeholder: "url",
    parse: parsePostgresUrls,
    help:
      "For --provider postgres: the database, as postgres://USER@HOST:PORT/DATABASE without a " +
      "password. `?sslmode=verify-full` requires TLS. Another machine needs TLS, unless the URL " +
      "has `?sslmode=disable`. Repeat the flag for several addresses of " +
      "the same database, such as the nodes of Citus. Without --postgres-owner-url, USER creates " +
      "the tables at the first start.",
  }),
  postgresOwnerUrl: optionalSetting({
    flag: "postgres-owner-url",
    placeholder: "url",
    parse: parsePostgresUrl,
    help:
      "For --provider postgres: the same database, with a role that may create and change tables. " +
      "The USER of --postgres-url must then be vm_app. Create the role vm_app with its password " +
      "before the first start. With Citus, give the URL of the coordinator.",
  }),
  postgresPasswordFile: optionalSetting({
    flag: "postgres-password-file",
    placeholder: "file",
    parse: parsePath,
    help:
      "For --provider postgres: a file with the password of the roles in the URLs, read at the " +
      "start. Or set the environment variable VADEMECUM_POSTGRES_PASSWORD.",
  }),
  postgresPassword: secretSetting({
    flag: "postgres-password",
    parse: parsePassword,
    help:
      "For --provider postgres: the password of the roles in the URLs. It has no flag, because " +
      "other users of the machine can read command lines. It is never logged and never part of " +
      "an error.",
  }),
  postgresCa: optionalSetting({
    flag: "postgres-ca",
    placeholder: "file",
    parse: parsePath,
    help:
      "For --provider postgres: a file in PEM form with the certificates of the authorities " +
      "that sign the certificate of PostgreSQL. With this file, connections use TLS, and the " +
      "certificate of PostgreSQL must name the host of the URL.",
  }),
} as const satisfies Settings;

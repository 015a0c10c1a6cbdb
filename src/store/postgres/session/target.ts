/** Where a PostgreSQL is, and how to log in to it. */
export interface PostgresTarget {
  /** Host name, address, or folder of a Unix socket. */
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly database: string;
  /** The password, which is never logged. Absent: PostgreSQL must not ask for one. */
  readonly password: string | undefined;
  /** Settings of TLS. Absent: no TLS. */
  readonly tls: PostgresTls | undefined;
}

/** TLS to PostgreSQL. The server's certificate and name are always checked. */
export interface PostgresTls {
  /**
   * Certificates of the authorities that sign the server's certificate, in PEM form. Absent: the
   * authorities that Node knows.
   */
  readonly ca: string | undefined;
}

/** The secret parts of a target. */
export interface TargetSecrets {
  readonly password: string | undefined;
  /** See `PostgresTls.ca`. If present, TLS is on. */
  readonly ca: string | undefined;
}

const defaultPort = 5432;

/**
 * Returns the target of `postgres://USER@HOST:PORT/DATABASE`. TLS is on if `ca` is given, or if the
 * URL has the parameter `sslmode` with another value than `disable`. The parameter `host` names the
 * folder of a Unix socket.
 *
 * Requires: the URL has a user and a database.
 */
export function postgresTarget(url: string, { password, ca }: TargetSecrets): PostgresTarget {
  const { hostname, port, username, pathname, searchParams } = new URL(url);
  const sslmode = searchParams.get("sslmode") ?? "disable";
  return {
    host: searchParams.get("host") ?? hostname.replace(/^\[(.*)\]$/, "$1"),
    port: port === "" ? defaultPort : Number(port),
    user: decodeURIComponent(username),
    database: decodeURIComponent(pathname.slice(1)),
    password,
    tls: ca !== undefined || sslmode !== "disable" ? { ca } : undefined,
  };
}

import { randomUUID } from "node:crypto";
import { errorForCallers } from "./errors.js";
import { Connection } from "./session/connection.js";
import type { PostgresTarget } from "./session/target.js";
import { requireKnownFormat } from "./tables/create-tables.js";
import { requireNoServers } from "./tables/require-no-servers.js";
import { renewalStatements } from "./tables/statements.js";

const times = { connectMs: 5_000, answerMs: 3_600_000 };

/**
 * Gives all scopes of a database a new epoch, after the database was restored without this service,
 * for example with PostgreSQL's own tools. From then on, servers refuse page tokens and commit
 * sequence numbers of the old epoch.
 *
 * @throws FAILED_PRECONDITION (POSTGRES_NOT_USABLE) while servers use the database, or when the
 *   role may not change it
 * @throws FAILED_PRECONDITION (UNSUPPORTED_FORMAT) when the tables have another format
 * @throws UNAVAILABLE (STORE_UNAVAILABLE) when PostgreSQL cannot be reached
 */
export async function renewEpoch(owner: PostgresTarget): Promise<void> {
  let connection: Connection | undefined;
  try {
    connection = await Connection.open(owner, times);
    await renew(connection);
  } catch (error) {
    throw errorForCallers(error);
  } finally {
    await connection?.end();
  }
}

async function renew(connection: Connection): Promise<void> {
  const { rows: meta } = await connection.run<{ format: number }>(
    "select format from vademecum.vm_meta",
  );
  requireKnownFormat(meta[0]?.format);
  await requireNoServers(connection);
  const epoch = randomUUID();
  await connection.run("begin");
  for (const statement of renewalStatements) await connection.query(statement, [epoch]);
  const { command } = await connection.run("commit");
  if (command !== "COMMIT") throw new Error(`COMMIT ended as ${command}`);
}

import { inject } from "vitest";
import { type PostgresTarget, postgresTarget } from "../../../src/store/postgres/session/target.js";
import { onPostgres } from "../../fixtures/postgres.js";
import { createDatabase, dropDatabase } from "../../fixtures/postgres-nodes.js";
import { isOverPostgres } from "../../suite.js";

/** The names of the databases that replace data folders, by the path of the folder. */
const databases = new Map<string, string>();

/**
 * Returns the flags of a server with its store. `vitest --mode postgres` puts a database of
 * PostgreSQL in the place of a data folder of LevelDB: the same database for the same folder.
 */
export async function storeFlags<F extends Readonly<Record<string, string>>>(
  given: F & { readonly data: string },
): Promise<Readonly<Record<string, string>>> {
  if (!isOverPostgres || (given["provider"] ?? "level") !== "level") return given;
  const url = inject("postgresUrl");
  const known = databases.get(given.data);
  const database = known ?? `vm_e2e_${process.pid}_${databases.size}`;
  if (known === undefined) await createDatabase(ownerOf(url), database);
  databases.set(given.data, database);
  return { ...given, ...onPostgres(url, database) };
}

/** Removes the database in place of a data folder. */
export async function dropStore(data: string): Promise<void> {
  const database = databases.get(data);
  if (database !== undefined) await dropDatabase(ownerOf(inject("postgresUrl")), database);
}

function ownerOf(url: string): PostgresTarget {
  return postgresTarget(url, { password: undefined, ca: undefined });
}

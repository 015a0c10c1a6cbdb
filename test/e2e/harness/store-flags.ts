import { existsSync } from "node:fs";
import { join } from "node:path";
import { inject } from "vitest";
import { openLevelStore } from "../../../src/store/level/level-store.js";
import { openPostgresStore } from "../../../src/store/postgres/open-postgres-store.js";
import { type PostgresTarget, postgresTarget } from "../../../src/store/postgres/session/target.js";
import { systemClock } from "../../../src/system/clock.js";
import { onPostgres } from "../../fixtures/postgres.js";
import { createDatabase, dropDatabase } from "../../fixtures/postgres-nodes.js";
import { isOverPostgres } from "../../suite.js";

/** The names of the databases that replace data folders, by the path of the folder. */
const databases = new Map<string, string>();

/**
 * Returns the flags of a server, with the store that it uses. With `vitest --mode postgres`, a
 * database of PostgreSQL replaces the data folder of LevelDB. Each folder has a database of its
 * own. When the database is created, it gets the records of the folder.
 */
export async function storeFlags<F extends Readonly<Record<string, string>>>(
  given: F & { readonly data: string },
): Promise<Readonly<Record<string, string>>> {
  if (!isOverPostgres || (given["provider"] ?? "level") !== "level") return given;
  const url = inject("postgresUrl");
  const known = databases.get(given.data);
  const database = known ?? `vm_e2e_${process.pid}_${databases.size}`;
  if (known === undefined) {
    await createDatabase(ownerOf(url), database);
    if (existsSync(join(given.data, "records")))
      await copyRecords(given.data, { ...ownerOf(url), database });
  }
  databases.set(given.data, database);
  return { ...given, ...onPostgres(url, database) };
}

/** Removes the database that replaces a data folder. */
export async function dropStore(data: string): Promise<void> {
  const database = databases.get(data);
  if (database !== undefined) await dropDatabase(ownerOf(inject("postgresUrl")), database);
}

async function copyRecords(folder: string, target: PostgresTarget): Promise<void> {
  const from = await openLevelStore({ folder, clock: systemClock });
  const to = await openPostgresStore({ targets: [target] });
  for await (const { scope, head, lastTimeMs } of from.scopeStates()) {
    await using reader = await from.openScope(scope);
    const restored = { scope, seq: head.seq, epoch: head.epoch, lastTimeMs };
    await to.restoreScope(restored, await to.records.head(scope), reader.pages());
  }
  await to.close();
  await from.close();
}

function ownerOf(url: string): PostgresTarget {
  return postgresTarget(url, { password: undefined, ca: undefined });
}

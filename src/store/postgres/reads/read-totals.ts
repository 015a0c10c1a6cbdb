import { scopeCodes } from "../../codec/scope-codes.js";
import type { TotalsGrowth } from "../../engine/storage-totals.js";
import { allOf } from "../session/connection.js";
import type { Pool } from "../session/pool.js";
import { listingStatements } from "../tables/statements.js";

/**
 * Reads what a tenant holds, from the heads of its scopes and namespaces.
 *
 * @param tenant `""` is data without a tenant
 */
export async function readTotals(pool: Pool, tenant: string): Promise<TotalsGrowth> {
  const id = Buffer.from(tenant);
  const { sumStored, sumHeld, countNamespaces } = listingStatements;
  const [stored, held, places] = await pool.use((session) =>
    allOf([
      session.query<{ account: string; bytes: number }>(sumStored, [id]),
      session.query<{ users: number; memories: number }>(sumHeld, [id, scopeCodes.user]),
      session.query<{ namespaces: number }>(countNamespaces, [id]),
    ]),
  );
  return {
    users: held.rows[0]?.users ?? 0,
    memories: held.rows[0]?.memories ?? 0,
    namespaces: places.rows[0]?.namespaces ?? 0,
    stored: new Map(stored.rows.map(({ account, bytes }) => [account, bytes])),
  };
}

import { type Database, readFailure } from "../folder/database.js";
import { kinds, rangeOf, tenantCode } from "../format/keys.js";

/**
 * Returns the tenants that have a note on a record of `crossUserTables`, `undefined` for the data
 * without a tenant. Seeks once for each tenant.
 */
export async function notedTenants(database: Database): Promise<readonly (string | undefined)[]> {
  const { prefix, end } = rangeOf(Buffer.of(kinds.crossUser, tenantCode));
  const tenants: (string | undefined)[] = [undefined];
  try {
    const keys = database.keys({ gte: prefix, lt: end });
    try {
      for (let key = await keys.next(); key !== undefined; key = await keys.next()) {
        const nameEnd = 4 + key.readUInt16BE(2);
        const tenant = key.toString("utf8", 4, nameEnd);
        tenants.push(tenant);
        keys.seek(rangeOf(key.subarray(0, nameEnd)).end);
      }
    } finally {
      await keys.close();
    }
  } catch (error) {
    throw readFailure(database, error);
  }
  return tenants;
}

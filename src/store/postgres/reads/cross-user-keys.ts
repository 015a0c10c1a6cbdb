import type { CrossUserRange } from "../../../core/ports/scan-range.js";
import type { CrossUserTable } from "../../../core/ports/store.js";
import { allOf, type Connection } from "../session/connection.js";
import { keyBytes } from "../tables/record-codec.js";
import { setAcrossUsers } from "../tables/set-scope.js";
import { crossUserStatements } from "../tables/statements.js";

/** Number of keys in the first page. Many callers need no more. */
const firstPageKeys = 32;
/** Number of keys in each later page. */
const pageKeys = 500;

/** A scope id that sorts before all others. */
export const firstScopeId = "00000000-0000-0000-0000-000000000000";
/** A scope id that sorts after all others. */
const lastScopeId = "ffffffff-ffff-ffff-ffff-ffffffffffff";

/** A key before all others, and one after all others, which are UTF-8. */
const firstKey = Buffer.alloc(0);
const lastKey = Buffer.of(0xff);

interface KeyRow {
  readonly key: Buffer;
  readonly scope: string;
  /** The id of the user. */
  readonly id: Buffer;
}

/** Calls a function with a connection. Repeats the call if the connection breaks. */
type WithConnection = (
  list: (connection: Connection) => Promise<readonly KeyRow[]>,
) => Promise<readonly KeyRow[]>;

/** Iterates over the keys of a table of all users of a tenant, page by page. */
export async function* crossUserKeys(
  table: CrossUserTable,
  { after, reverse = false, tenant = "" }: CrossUserRange,
  withConnection: WithConnection,
): AsyncGenerator<readonly [key: string, userId: string]> {
  const statement = crossUserStatements[table][reverse ? "reverse" : "forward"];
  let last: readonly [key: Buffer, scope: string] = [
    after === undefined ? (reverse ? lastKey : firstKey) : keyBytes(after),
    reverse === (after === undefined) ? lastScopeId : firstScopeId,
  ];
  for (let keys = firstPageKeys; ; keys = pageKeys) {
    const values = [...last, Buffer.from(tenant), keys];
    const rows = await withConnection(async (connection) => {
      const [, , listed] = await allOf([
        connection.run("begin read only"),
        setAcrossUsers(connection),
        connection.query<KeyRow>(statement, values),
        connection.run("commit"),
      ]);
      return listed.rows;
    });
    for (const row of rows) {
      last = [row.key, row.scope];
      yield [row.key.toString(), row.id.toString()];
    }
    if (rows.length < keys) return;
  }
}

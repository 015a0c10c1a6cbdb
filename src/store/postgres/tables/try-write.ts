import type { Connection } from "../session/connection.js";
import { noScope, setScope } from "./set-scope.js";

/**
 * A record of 128 KiB that cannot be compressed, so that PostgreSQL has to allocate pages for it.
 */
const insertion = `insert into vademecum.vm_record (scope, place, tbl, key, value)
  select '${noScope}', -1, -1, 'try', decode(string_agg(md5(n || random()::text), ''), 'hex')
  from generate_series(1, 8192) n`;

/** Writes a record and takes it back. @throws what PostgreSQL refuses, or ConnectionLost */
export async function tryWrite(connection: Connection): Promise<void> {
  await connection.run("begin");
  await setScope(connection, { uuid: noScope });
  await connection.run(insertion);
  await connection.run("rollback");
}

import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { postgresFlags, startPostgres, type TestPostgres } from "../fixtures/postgres.js";
import {
  clientsOver,
  filesWith,
  newMark,
  writeEverything,
  writeRun,
} from "./harness/marked-records.js";
import { nativeGrpc } from "./harness/protocols.js";
import { startTestServer } from "./harness/test-server.js";

let postgres: TestPostgres;

beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres.close());

/** Returns the names of the tables, and of the statistics of tables, in which a row has a text. */
async function tablesWith(text: string): Promise<readonly string[]> {
  const tables = await postgres.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
     where schemaname = 'vademecum'`,
  );
  const forms = [text, Buffer.from(text).toString("hex")];
  const found: string[] = [];
  for (const { name } of [...tables, { name: "pg_catalog.pg_stats" }]) {
    const [row] = await postgres.query<{ rows: number }>(
      `select count(*)::int as rows from ${name} t
       where t::text like '%' || $1 || '%' or t::text like '%' || $2 || '%'`,
      forms,
    );
    if ((row?.rows ?? 0) > 0) found.push(name);
  }
  return found;
}

it("no row has anything of an erased user or run, and no file of tables after VACUUM FULL", async () => {
  const server = await startTestServer({ ...postgresFlags(postgres), audit: "off" });
  const connection = nativeGrpc.connect(server);
  const clients = clientsOver(connection.transport);
  const [mark, kept] = [newMark(), newMark()];
  await writeEverything(clients, "ann", mark);
  await writeRun(clients, "run of ann", mark);
  await writeEverything(clients, "ben", kept);
  await writeRun(clients, "run of ben", kept);
  // As autovacuum does from time to time: PostgreSQL then keeps samples of the columns.
  await postgres.query("analyze");
  expect(await tablesWith(mark)).toEqual(
    expect.arrayContaining(["vademecum.vm_record", "vademecum.vm_change", "vademecum.vm_place"]),
  );
  const { receipt } = await clients.admin.forgetUser({ userId: "ann", runIds: ["run of ann"] });
  expect(receipt?.counts).toMatchObject({
    ...{ memories: 4n, memoryVersions: 1n, vectors: 5n, blocks: 1n, blockVersions: 2n },
    ...{ proposals: 2n, skills: 1n, keys: 1n, replies: 2n },
  });
  expect(await tablesWith(mark)).toEqual([]);
  expect(await tablesWith(kept)).toContain("vademecum.vm_record");
  await postgres.query("vacuum full vademecum.vm_record, vademecum.vm_change, vademecum.vm_place");
  // PostgreSQL removes the files of the old tables with the next checkpoint.
  await postgres.query("checkpoint");
  const [{ folder } = { folder: "" }] = await postgres.query<{ folder: string }>(
    "select current_setting('data_directory') as folder",
  );
  expect(filesWith(mark, join(folder, "base"))).toEqual([]);
  expect(filesWith(kept, join(folder, "base"))).not.toEqual([]);
  const { blocks } = await clients.blocks.listBlocks({ userId: "ben" });
  expect(blocks.map(({ body }) => body)).toEqual([`Moved to ${kept}.`]);
  connection.close();
  await server.stop();
});

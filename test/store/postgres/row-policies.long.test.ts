import pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { namespaceIn, type Scope, userScope } from "../../../src/core/model/namespace.js";
import { crossUserTables, type Store } from "../../../src/core/ports/store.js";
import { tableCodes } from "../../../src/store/codec/table-codes.js";
import { scopeRow } from "../../../src/store/postgres/tables/scope-row.js";
import { sampleMemory } from "../../contract/sample-records.js";
import { startPostgres, type TestPostgres } from "../../fixtures/postgres.js";

const kim = userScope("kim");
const { uuid: kimId } = scopeRow(kim);

let postgres: TestPostgres;
let store: Store;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres.close());
beforeEach(async () => {
  await postgres.empty();
  store = await postgres.openStore();
});
afterEach(() => store.close());

async function put(id: string, scope: Scope & { kind: "user" } = kim as never) {
  return store.update(scope, async (tx) => {
    tx.put("memories", namespaceIn(scope, "notes"), id, sampleMemory(id, id));
  });
}

describe("row policies", () => {
  async function asApp<T>(use: (client: pg.Client) => Promise<T>): Promise<T> {
    const { host, port, user, database, password } = postgres.owner;
    const client = new pg.Client({ host, port, user, database, password: password ?? "" });
    await client.connect();
    try {
      await client.query("set role vm_app");
      await client.query("set citus.propagate_set_commands = 'local'");
      return await use(client);
    } finally {
      await client.end();
    }
  }

  it("row policies refuse every read and write without a scope", async () => {
    await put("m1");
    await asApp(async (client) => {
      for (const table of ["vm_record", "vm_change"]) {
        await expect(client.query(`select * from vademecum.${table}`)).rejects.toThrow("vm.scope");
        await expect(client.query(`delete from vademecum.${table}`)).rejects.toThrow("vm.scope");
      }
    });
  });

  it("row policies bind the functions that write a group", async () => {
    await put("m1");
    const count = () =>
      postgres.query(`select place, tbl, key from vademecum.vm_record where scope = '${kimId}'`);
    const records = (await count()) as { place: string; tbl: number; key: Buffer }[];
    expect(records.length).toBeGreaterThan(0);
    const [{ place, tbl, key } = { place: "", tbl: 0, key: Buffer.alloc(0) }] = records;
    const find: pg.QueryConfig = {
      text: "select * from vademecum.vm_find_records($1, $2, $3, $4)",
      values: [kimId, [place], [tbl], [key]],
    };
    const drop: pg.QueryConfig = {
      text: "select vademecum.vm_delete_records($1, $2, $3, $4)",
      values: [kimId, place, tbl, [key]],
    };
    await asApp(async (client) => {
      for (const call of [find, drop]) await expect(client.query(call)).rejects.toThrow("vm.scope");
      await client.query("begin");
      await client.query("set local vm.scope = '00000000-0000-0000-0000-000000000000'");
      expect((await client.query(find)).rows).toEqual([]);
      await client.query(drop);
      await client.query("commit");
      await client.query("begin");
      await client.query(`set local vm.scope = '${kimId}'`);
      expect((await client.query(find)).rows).toHaveLength(1);
      await client.query("rollback");
    });
    expect(await count()).toHaveLength(records.length);
  });

  it("a function of another user cannot replace a function that the functions of a group call", async () => {
    await postgres.query("create schema if not exists public");
    await postgres.query(
      "create or replace function public.cardinality(bigint[]) returns int language plpgsql as " +
        "$$ begin raise exception 'a foreign function was called'; end $$",
    );
    try {
      await put("m1");
    } finally {
      await postgres.query("drop function public.cardinality(bigint[])");
    }
  });

  it("row policies show the records of one scope alone", async () => {
    await put("m1");
    await put("m2", { kind: "user", userId: "lee" });
    await asApp(async (client) => {
      await client.query("begin");
      await client.query(`set local vm.scope = '${kimId}'`);
      const { rows } = await client.query<{ scope: string }>(
        "select scope from vademecum.vm_record",
      );
      expect(rows).toEqual([{ scope: kimId }]);
      await client.query("rollback");
    });
  });

  it("a listing over all users sees the keys of proposals alone, and changes nothing", async () => {
    await put("m1");
    const lee = userScope("lee");
    await store.update(lee, async (tx) => tx.put("pendingProposals", lee, "p1", null));
    const tables = crossUserTables.map((table) => tableCodes[table]);
    await asApp(async (client) => {
      await client.query("begin");
      await client.query("set local vm.scope = '00000000-0000-0000-0000-000000000000'");
      await client.query("set local vm.across_users = 'on'");
      const { rows } = await client.query<{ tbl: number }>("select tbl from vademecum.vm_record");
      expect(rows.length).toBeGreaterThan(0);
      for (const { tbl } of rows) expect(tables).toContain(tbl);
      const { rowCount } = await client.query("delete from vademecum.vm_record");
      expect(rowCount).toBe(0);
      await client.query("rollback");
    });
  });

  it("the role of all sessions owns no table, so row policies bind this role", async () => {
    const rows = await postgres.query(
      "select tableowner from pg_tables where schemaname = 'vademecum' and tableowner = 'vm_app'",
    );
    expect(rows).toEqual([]);
  });
});

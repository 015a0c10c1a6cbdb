import { randomUUID } from "node:crypto";
import pg from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { scopeStatements } from "../../../src/store/postgres/tables/statements.js";
import { startPostgres, type TestPostgres } from "../../fixtures/postgres.js";
import { clientConfig, hasCitus } from "../../fixtures/postgres-nodes.js";

let postgres: TestPostgres;
beforeAll(async () => {
  postgres = await startPostgres();
  await (await postgres.openStore()).close();
});
afterAll(() => postgres.close());

const scope = randomUUID();

/** Returns the query inside of the function that finds records. */
async function findRecords(): Promise<string> {
  const [row] = await postgres.query<{ body: string }>(
    "select prosrc as body from pg_proc where proname = 'vm_find_records'",
  );
  return /return query (select .*?);/s.exec(row?.body ?? "")?.[1] ?? "";
}

/** Statements that name records by their keys. */
const byKey = [
  {
    name: scopeStatements.findRecords.name,
    types: "(uuid, bigint[], smallint[], bytea[])",
    read: findRecords,
  },
  {
    name: scopeStatements.deleteRecords.name,
    types: "",
    read: async () => scopeStatements.deleteRecords.text,
  },
];

it.for(byKey)(
  "the statement $name reads only the named records, even if the tables have no statistics",
  async ({ name, types, read }, { skip }) => {
    skip(await hasCitus(postgres.owner), "citus.long.test.ts checks the plans of Citus");
    const text = await read();
    // PostgreSQL takes each scope of such a table for tiny, so reading all of it looks cheap.
    await postgres.empty();
    const client = new pg.Client(clientConfig(postgres.owner));
    await client.connect();
    await client.query("set role vm_app");
    for (const kind of ["seqscan", "hashjoin", "mergejoin"])
      await client.query(`set enable_${kind} = off`);
    await client.query("set plan_cache_mode = force_generic_plan");
    await client.query("begin");
    await client.query(`set local vm.scope = '${scope}'`);
    await client.query(`prepare ${name}${types} as ${text}`);
    const { rows: prepared } = await client.query<{ count: number }>(
      `select cardinality(parameter_types) as count from pg_prepared_statements where name = '${name}'`,
    );
    const values = [
      `'${scope}'`,
      ...Array<string>((prepared[0]?.count ?? 1) - 1).fill("null"),
    ].join(", ");
    const { rows } = await client.query<Record<"QUERY PLAN", string>>(
      `explain (costs off) execute ${name}(${values})`,
    );
    await client.end();
    const plan = rows.map((row) => row["QUERY PLAN"]).join("\n");
    expect(plan).toMatch(/Index Cond: .*\bscope\b.*\bplace\b.*\btbl\b.*\bkey\b/);
    expect(plan).not.toContain("Join Filter");
  },
);

import { randomUUID } from "node:crypto";
import pg from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import {
  crossUserStatements,
  listingStatements,
} from "../../../src/store/postgres/tables/statements.js";
import { startPostgres, type TestPostgres } from "../../fixtures/postgres.js";
import { clientConfig, hasCitus } from "../../fixtures/postgres-nodes.js";

let postgres: TestPostgres;
beforeAll(async () => {
  postgres = await startPostgres();
  await (await postgres.openStore()).close();
});
afterAll(() => postgres.close());

const scope = randomUUID();

/** Functions that name records by their keys, with the types of their parameters. */
const byKey = [
  { name: "vm_find_records", types: "uuid, bigint[], smallint[], bytea[]" },
  { name: "vm_delete_records", types: "uuid, bigint, smallint, bytea[]" },
];

/** Returns the statement inside of a function. */
async function statementOf(name: string): Promise<string> {
  const [row] = await postgres.query<{ body: string }>(
    `select prosrc as body from pg_proc where proname = '${name}'`,
  );
  return /begin\s+(?:return query )?(.*?);/s.exec(row?.body ?? "")?.[1] ?? "";
}

it.for(byKey)(
  "the function $name reads only the named records, even if the tables have no statistics",
  async ({ name, types }, { skip }) => {
    skip(await hasCitus(postgres.owner), "citus.long.test.ts checks the plans of Citus");
    const text = await statementOf(name);
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
    await client.query(`prepare ${name}(${types}) as ${text}`);
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

it("a listing over all users reads only the index of proposals, in its order", async ({ skip }) => {
  skip(await hasCitus(postgres.owner), "citus.long.test.ts checks the plans of Citus");
  await postgres.empty();
  const client = new pg.Client(clientConfig(postgres.owner));
  await client.connect();
  await client.query("set role vm_app");
  await client.query("set plan_cache_mode = force_generic_plan");
  for (const [table, { forward, reverse }] of Object.entries(crossUserStatements))
    for (const [direction, { text }] of Object.entries({ forward, reverse })) {
      await client.query("begin");
      await client.query(`set local vm.scope = '${scope}'`);
      await client.query("set local vm.across_users = 'on'");
      const name = `${table}_${direction}`;
      await client.query(`prepare ${name}(bytea, uuid, bytea, int) as ${text}`);
      const { rows } = await client.query<Record<"QUERY PLAN", string>>(
        `explain (costs off) execute ${name}('', '${scope}', '', 10)`,
      );
      await client.query("commit");
      const plan = rows.map((row) => row["QUERY PLAN"]).join("\n");
      expect(plan).toContain("vm_record_across_users");
      expect(plan).not.toContain("Sort");
    }
  await client.end();
});

it("a page of users, runs or agents reads only its own part of an index", async ({ skip }) => {
  skip(await hasCitus(postgres.owner), "citus.long.test.ts checks the plans of Citus");
  await postgres.empty();
  const client = new pg.Client(clientConfig(postgres.owner));
  await client.connect();
  await client.query("set role vm_app");
  await client.query("set plan_cache_mode = force_generic_plan");
  const { listIds, listAgents } = listingStatements;
  const plans = [];
  for (const [{ name, text }, types, values] of [
    [listIds, "bytea, smallint, bytea, bytea, int", "'', 1, 'a', 'b', 10"],
    [listAgents, "uuid, bytea, bytea, int", `'${scope}', 'a', 'b', 10`],
  ] as const) {
    await client.query(`prepare ${name}(${types}) as ${text}`);
    const { rows } = await client.query<Record<"QUERY PLAN", string>>(
      `explain (costs off) execute ${name}(${values})`,
    );
    plans.push(rows.map((row) => row["QUERY PLAN"]).join("\n"));
  }
  await client.end();
  expect(plans[0]).toMatch(/vm_scope_ids[\s\S]*Index Cond: .*tenant.*kind.*id >= .*id < /);
  expect(plans[1]).toMatch(/vm_place_pkey[\s\S]*Index Cond: .*scope.*agent >= .*agent < /);
  for (const plan of plans) expect(plan).not.toContain("Sort");
});

import { randomUUID } from "node:crypto";
import { env } from "node:process";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { namespaceIn, userScope } from "../../../src/core/model/namespace.js";
import { SessionOpener } from "../../../src/store/postgres/session/open-session.js";
import type { Statement } from "../../../src/store/postgres/session/statement.js";
import type { PostgresTarget } from "../../../src/store/postgres/session/target.js";
import { createHead, scopeStatements } from "../../../src/store/postgres/tables/statements.js";
import { sampleMemory } from "../../contract/sample-records.js";
import { startPostgres, type TestPostgres } from "../../fixtures/postgres.js";
import {
  clientConfig,
  dropDatabase,
  hasCitus,
  nodesOf,
  queryOn,
} from "../../fixtures/postgres-nodes.js";

/**
 * Number of executions after which PostgreSQL may use a generic plan, which does not depend on the
 * values of the parameters.
 */
const executions = 7;

const scope = randomUUID();

/** A value of each type of parameter. */
const valuesByType: Readonly<Record<string, string>> = {
  uuid: `'${scope}'`,
  bigint: "1",
  smallint: "1",
  bytea: "'a'",
  text: "'a'",
  "bigint[]": "'{1}'",
  "smallint[]": "'{1}'",
  "bytea[]": "'{a}'",
  // Each text of this list is an array of numbers, written as text.
  "text[]": `'{"{1}"}'`,
};

/** Statements that call a function of the database, which runs on the node of the shard. */
const calls: ReadonlySet<Statement> = new Set([
  scopeStatements.beginGroup,
  scopeStatements.findRecords,
  scopeStatements.deleteRecords,
  scopeStatements.writeGroup,
]);

/** Returns the id of the shard of a scope, and whether a node has this shard. */
async function shardOn(
  node: PostgresTarget,
  table: string,
  id: string,
): Promise<{ readonly shard: string; readonly isHere: boolean }> {
  const [row] = await queryOn<{ shard: string; here: boolean }>(
    node,
    `select s.shardid::text as shard, n.nodeport = $3 as here
      from pg_dist_placement s join pg_dist_node n using (groupid)
      where s.shardid = get_shard_id_for_distribution_column($1, $2::uuid)`,
    [`vademecum.${table}`, id, node.port],
  );
  return { shard: row?.shard ?? "", isHere: row?.here === true };
}

/** Returns a scope whose shard a node has; `undefined` if the node has no shards. */
async function scopeOn(node: PostgresTarget): Promise<string | undefined> {
  for (let i = 0; i < 100; i++) {
    const id = randomUUID();
    if ((await shardOn(node, "vm_scope", id)).isHere) return id;
  }
  return undefined;
}

/** Returns the last plan of a prepared statement that was planned several times. */
async function planOf(client: pg.Client, { name, text }: Statement): Promise<string> {
  await client.query(`prepare ${name} as ${text}`);
  const { rows: prepared } = await client.query<{ types: string[] }>(
    `select parameter_types::text[] as types from pg_prepared_statements where name = '${name}'`,
  );
  const values = prepared[0]?.types.map((type) => valuesByType[type] ?? "no value") ?? [];
  let plan = "";
  for (let i = 0; i < executions; i++) {
    const { rows } = await client.query<Record<"QUERY PLAN", string>>(
      `explain (costs off) execute ${name}(${values.join(", ")})`,
    );
    plan = rows.map((row) => row["QUERY PLAN"]).join("\n");
  }
  return plan;
}

// Only a PostgreSQL that VADEMECUM_TEST_POSTGRES names can have Citus.
describe.runIf(env["VADEMECUM_TEST_POSTGRES"])("on Citus", () => {
  let postgres: TestPostgres;
  let isDistributed: boolean;
  beforeAll(async () => {
    postgres = await startPostgres();
    await postgres.dropTables();
    await (await postgres.openStore()).close();
    isDistributed = await hasCitus(postgres.owner);
  });
  afterAll(() => postgres.close());

  it("each statement about a scope is one task on one node", async ({ skip }) => {
    skip(!isDistributed, "VADEMECUM_TEST_POSTGRES names no Citus");
    for (const entry of postgres.targets) {
      const client = new pg.Client(clientConfig(entry));
      await client.connect();
      try {
        await client.query("set role vm_app");
        await client.query("set citus.propagate_set_commands = 'local'");
        for (const statement of [...Object.values(scopeStatements), createHead]) {
          await client.query("begin");
          await client.query(`set local vm.scope = '${scope}'`);
          const plan = await planOf(client, statement);
          await client.query("rollback");
          // A node runs a function itself if it has the shard.
          const { isHere } = await shardOn(entry, "vm_scope", scope);
          const tasks = calls.has(statement) && isHere ? null : ["Task Count: 1"];
          expect(plan.match(/Task Count: \d+/g), `${statement.name}:\n${plan}`).toEqual(tasks);
          expect(plan).not.toContain("pull to coordinator");
        }
      } finally {
        await client.end();
      }
    }
  });

  it("a page of records is one range of an index", async ({ skip }) => {
    skip(!isDistributed, "VADEMECUM_TEST_POSTGRES names no Citus");
    const client = new pg.Client(clientConfig(postgres.owner));
    await client.connect();
    await client.query("set role vm_app");
    await client.query("set citus.propagate_set_commands = 'local'");
    await client.query("begin");
    await client.query(`set local vm.scope = '${scope}'`);
    const plan = await planOf(client, scopeStatements.nextPage);
    await client.end();
    expect(plan).toMatch(/Index Scan using vm_record_pkey_\d+/);
    expect(plan).not.toMatch(/Seq Scan|Sort/);
  });

  it.for([
    ["vm_find_records", "'{1}'::bigint[]", "'{1}'::smallint[]"],
    ["vm_delete_records", "1", "1"],
  ] as const)(
    "the function %s reads only the named entries of the shard",
    async ([name, places, tables], { skip }) => {
      skip(!isDistributed, "VADEMECUM_TEST_POSTGRES names no Citus");
      for (const node of await nodesOf(postgres.owner)) {
        const { shard, isHere } = await shardOn(node, "vm_record", scope);
        if (!isHere) continue;
        const [row] = await queryOn<{ body: string }>(
          node,
          `select prosrc as body from pg_proc where proname = '${name}'`,
        );
        const text = /\$statement\$(.*)\$statement\$/s.exec(row?.body ?? "")?.[1] ?? "";
        const client = new pg.Client(clientConfig(node));
        await client.connect();
        await client.query("set role vm_app");
        for (const kind of ["seqscan", "hashjoin", "mergejoin"])
          await client.query(`set enable_${kind} = off`);
        await client.query("begin");
        await client.query(`set local vm.scope = '${scope}'`);
        const { rows } = await client.query<Record<"QUERY PLAN", string>>(
          `explain (costs off) ${text
            .replace("_%s", `_${shard}`)
            .replace("$1", `'${scope}'::uuid`)
            .replace("$2", places)
            .replace("$3", tables)
            .replace("$4", "'{a}'::bytea[]")}`,
        );
        await client.end();
        const plan = rows.map((line) => line["QUERY PLAN"]).join("\n");
        expect(plan).toMatch(/Index Cond: .*\bscope\b.*\bplace\b.*\btbl\b.*\bkey\b/);
        expect(plan).not.toMatch(/Seq Scan|Join Filter/);
        return;
      }
      throw new Error("no node has the shard");
    },
  );

  it("a session keeps no plan of each execution, so its memory does not grow", async ({ skip }) => {
    skip(!isDistributed, "VADEMECUM_TEST_POSTGRES names no Citus");
    for (const node of await nodesOf(postgres.owner)) {
      const local = await scopeOn(node);
      if (local === undefined) continue;
      const times = { connectMs: 5_000, answerMs: 30_000, idleInTransactionMs: 60_000 };
      const session = await new SessionOpener([node], () => undefined).open(times);
      const bytes = async (): Promise<number> => {
        await session.run("reset role");
        const { rows } = await session.run<{ bytes: number }>(
          "select sum(total_bytes)::bigint as bytes from pg_backend_memory_contexts",
        );
        await session.run("set role vm_app");
        return rows[0]?.bytes ?? Number.NaN;
      };
      const runAll = async (): Promise<void> => {
        for (let i = 0; i < 200; i++) {
          await session.run(`begin; set local vm.scope = '${local}'`);
          for (const { name, text } of [
            scopeStatements.lockHead,
            scopeStatements.readHead,
            scopeStatements.readPlaces,
          ])
            await session.query({ name, text }, [local]);
          await session.query(scopeStatements.beginGroup, [local, "", "", 1, ""]);
          await session.run("rollback");
        }
      };
      await runAll();
      const before = await bytes();
      await runAll();
      expect((await bytes()) - before).toBeLessThan(1_000_000);
      await session.end();
    }
  });

  it("the tables are distributed by scope, and all records of a scope are on one node", async ({
    skip,
  }) => {
    skip(!isDistributed, "VADEMECUM_TEST_POSTGRES names no Citus");
    const tables = await postgres.query(
      `select t.table_name::text as name, t.citus_table_type as type, t.distribution_column as by,
        t.colocation_id = s.colocation_id as together
      from citus_tables t, citus_tables s
      where t.table_name::text like 'vademecum.%' and s.table_name::text = 'vademecum.vm_scope'
      order by name`,
    );
    const distributed = { type: "distributed", by: "scope", together: true };
    expect(tables).toMatchObject([
      { name: "vademecum.vm_change", ...distributed },
      { name: "vademecum.vm_meta", type: "reference" },
      { name: "vademecum.vm_place", ...distributed },
      { name: "vademecum.vm_record", ...distributed },
      { name: "vademecum.vm_scope", ...distributed },
      { name: "vademecum.vm_sweep", ...distributed },
    ]);
  });

  it("no transaction of a scope commits in two phases", async ({ skip }) => {
    skip(!isDistributed, "VADEMECUM_TEST_POSTGRES names no Citus");
    const twoPhased = async (): Promise<number> => {
      let count = 0;
      for (const node of await nodesOf(postgres.owner))
        count += (await queryOn(node, "select 1 from pg_dist_transaction")).length;
      return count;
    };
    const before = await twoPhased();
    const store = await postgres.openStore();
    for (let i = 0; i < 20; i++) {
      const userId = `user ${i}`;
      const notes = namespaceIn({ kind: "user", userId }, "notes");
      await store.update(userScope(userId), async (tx) => {
        tx.put("memories", notes, "m1", sampleMemory("m1", "one"));
        tx.put("memories", notes, "m2", sampleMemory("m2", "two"));
      });
      await store.update(userScope(userId), async (tx) => tx.delete("memories", notes, "m1"));
      await store.update(userScope(userId), async (tx) => tx.clear(notes));
    }
    await store.close();
    expect(await twoPhased()).toBe(before);
  });

  it("the store refuses a worker that acknowledges commits before they are on disk", async ({
    skip,
  }) => {
    skip(!isDistributed, "VADEMECUM_TEST_POSTGRES names no Citus");
    const [, worker] = await nodesOf(postgres.owner);
    if (worker === undefined) return skip("this Citus has no worker");
    await queryOn(worker, "alter system set synchronous_commit = local");
    await queryOn(worker, "select pg_reload_conf()");
    try {
      await expect(postgres.openStore({ targets: [postgres.owner] })).rejects.toMatchObject({
        reason: "POSTGRES_NOT_USABLE",
        message: expect.stringMatching(
          /node \S+:\d+ of Citus .* synchronous_commit = local/,
        ) as unknown,
      });
    } finally {
      await queryOn(worker, "alter system reset synchronous_commit");
      await queryOn(worker, "select pg_reload_conf()");
    }
  });

  it("the store refuses a coordinator without a node for shards, and says how to add one", async ({
    skip,
  }) => {
    skip(!isDistributed, "VADEMECUM_TEST_POSTGRES names no Citus");
    const database = `vm_test_alone_${process.pid}`;
    await queryOn(postgres.owner, `create database ${database}`);
    onTestFinished(() => dropDatabase(postgres.owner, database));
    const alone = { ...postgres.owner, database };
    const { host, port } = alone;
    await queryOn(alone, "create extension citus");
    await queryOn(alone, "select citus_set_coordinator_host($1, $2)", [host, port]);
    const open = () => postgres.openStore({ targets: [alone], owner: alone });
    await expect(open()).rejects.toMatchObject({
      code: "FAILED_PRECONDITION",
      reason: "POSTGRES_NOT_USABLE",
      message: expect.stringMatching(/citus_add_node.*shouldhaveshards/) as unknown,
    });
    await queryOn(alone, "select citus_set_node_property($1, $2, 'shouldhaveshards', true)", [
      host,
      port,
    ]);
    await (await open()).close();
  });
});

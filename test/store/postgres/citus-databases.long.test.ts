import { env } from "node:process";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { namespaceIn, userScope } from "../../../src/core/model/namespace.js";
import type { PostgresTarget } from "../../../src/store/postgres/session/target.js";
import { sampleMemory } from "../../contract/sample-records.js";
import { startPostgres, type TestPostgres } from "../../fixtures/postgres.js";
import { hasCitus, queryOn } from "../../fixtures/postgres-nodes.js";

const kim = userScope("kim");
const notes = namespaceIn({ kind: "user", userId: "kim" }, "notes");

// Only a PostgreSQL that VADEMECUM_TEST_POSTGRES names can have Citus.
describe.runIf(env["VADEMECUM_TEST_POSTGRES"])("a database with Citus", () => {
  const name = "vm_test_without_workers";
  let postgres: TestPostgres;
  let database: PostgresTarget;
  let canHaveCitus: boolean;
  beforeAll(async () => {
    postgres = await startPostgres();
    database = { ...postgres.owner, database: name };
    canHaveCitus = await hasCitus(postgres.owner);
  });
  afterAll(async () => {
    await queryOn(postgres.owner, `drop database if exists ${name} with (force)`);
    await postgres.close();
  });

  async function recreate(): Promise<void> {
    await queryOn(postgres.owner, `drop database if exists ${name} with (force)`);
    await queryOn(postgres.owner, `create database ${name}`);
  }

  async function add(id: string): Promise<number> {
    const store = await postgres.openStore({ targets: [database], owner: database });
    try {
      await store.update(kim, async (tx) => tx.put("memories", notes, id, sampleMemory(id, id)));
      await using snapshot = await store.snapshot(kim);
      return await snapshot.count("memories", notes);
    } finally {
      await store.close();
    }
  }

  it("tables that are older than Citus in their database stay undistributed", async ({ skip }) => {
    skip(!canHaveCitus, "VADEMECUM_TEST_POSTGRES names no Citus");
    await recreate();
    expect(await add("m1")).toBe(1);
    await queryOn(database, "create extension citus");
    expect(await add("m2")).toBe(2);
    expect(await add("m3")).toBe(3);
  });

  it("the first start is refused if Citus would keep several copies of a shard", async ({
    skip,
  }) => {
    skip(!canHaveCitus, "VADEMECUM_TEST_POSTGRES names no Citus");
    await recreate();
    await queryOn(database, "create extension citus");
    await queryOn(postgres.owner, `alter database ${name} set citus.shard_replication_factor = 2`);
    await expect(add("m1")).rejects.toThrow("citus.shard_replication_factor must be 1");
    await queryOn(postgres.owner, `alter database ${name} set citus.shard_replication_factor = 1`);
    expect(await add("m1")).toBe(1);
  });
});

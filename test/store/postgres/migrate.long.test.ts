import { afterAll, beforeAll, expect, it } from "vitest";
import { namespaceIn, userScope } from "../../../src/core/model/namespace.js";
import { sampleMemory } from "../../contract/sample-records.js";
import { collect } from "../../contract/store/context.js";
import { startPostgres, type TestPostgres } from "../../fixtures/postgres.js";

let postgres: TestPostgres;
beforeAll(async () => {
  postgres = await startPostgres();
  await postgres.empty();
});
afterAll(() => postgres.close());

const kim = userScope("kim");
const notes = namespaceIn({ kind: "user", userId: "kim" }, "notes");

/** Opens a store, adds a memory, and returns the ids of all memories. */
async function add(id: string): Promise<readonly string[]> {
  const store = await postgres.openStore();
  try {
    await store.update(kim, async (tx) => tx.put("memories", notes, id, sampleMemory(id, id)));
    await using snapshot = await store.snapshot(kim);
    return (await collect(snapshot.scan("memories", notes))).map(([found]) => found);
  } finally {
    await store.close();
  }
}

/** Takes the tables back to the format before the functions. */
async function goBackToFormat2(): Promise<void> {
  for (const name of ["begin_group", "find_records", "delete_records", "write_group"])
    await postgres.query(`drop function vademecum.vm_${name}`);
  await postgres.query("update vademecum.vm_meta set format = 2");
}

it("tables of the version before the functions keep their records, and get the functions", async () => {
  await add("m1");
  await goBackToFormat2();
  expect(await add("m2")).toEqual(["m1", "m2"]);
});

import { afterAll, beforeEach, expect, it } from "vitest";
import { instantOfMillis } from "../../../src/core/model/instant.js";
import { namespaceIn, type Scope, userScope } from "../../../src/core/model/namespace.js";
import { endlessCall } from "../../../src/core/ports/call.js";
import { dueStore, settleDueScopes } from "../../../src/core/pruning/due-scopes.js";
import type { PostgresStore } from "../../../src/store/postgres/postgres-store.js";
import { storeOfTenant } from "../../../src/store/tenant-store.js";
import { sampleMemory } from "../../contract/sample-records.js";
import { collect } from "../../contract/store/context.js";
import { startPostgres, type TestPostgres } from "../../fixtures/postgres.js";

let postgres: TestPostgres;
let store: PostgresStore;
beforeEach(async () => {
  postgres ??= await startPostgres();
  await postgres.empty();
  store = await postgres.openStore();
  return () => store.close();
});
afterAll(() => postgres.close());

const clock = { nowMs: () => 1_000 };

function add(userId: string, id: string, expireMs?: number): Promise<unknown> {
  const expiry = expireMs === undefined ? {} : { expireTime: instantOfMillis(expireMs) };
  const namespace = { userId, agentId: "a" };
  return store.update(userScope(userId), async (tx) =>
    tx.put("memories", namespace, id, { ...sampleMemory(id, "text"), ...expiry }),
  );
}

async function remove(userId: string, id: string): Promise<void> {
  await store.update(userScope(userId), async (tx) =>
    tx.delete("memories", { userId, agentId: "a" }, id),
  );
}

const due = async (nowMs = 1_000) =>
  (await collect(store.dueScopes(nowMs))).map(({ scope }) => (scope as { userId: string }).userId);
const view = () => storeOfTenant(store, undefined);
const settle = () => settleDueScopes(view(), clock, endlessCall);

it("only scopes with something due are listed, the earliest first", async () => {
  await add("never", "m1");
  await add("later", "m1", 2_000);
  await add("now", "m1", 1_000);
  await add("long ago", "m1", 5);
  await add("long ago", "m2", 900);
  expect(await due()).toEqual(["long ago", "now"]);
  expect(await due(2_000)).toEqual(["long ago", "now", "later"]);
  const listed = dueStore(view(), clock);
  const namespaces = await collect(listed.namespaces());
  expect(namespaces).toEqual(
    ["long ago", "now"].map((userId) => namespaceIn(userScope(userId) as never, "a")),
  );
  expect(await collect(listed.scopes())).toEqual([userScope("long ago"), userScope("now")]);
});

it("a pruned scope is listed again when the next of its records is due", async () => {
  await add("ann", "m1", 100);
  await add("ann", "m2", 1_500);
  await add("bob", "m1", 100);
  await remove("ann", "m1");
  await remove("bob", "m1");
  await settle();
  expect(await due()).toEqual([]);
  expect(await due(1_499)).toEqual([]);
  expect(await due(1_500)).toEqual(["ann"]);
  await add("bob", "m2", 1_200);
  expect(await due(1_200)).toEqual(["bob"]);
});

it("a scope that changes while it is settled stays listed", async () => {
  await add("ann", "m1", 100);
  const { head } = await store.snapshot(userScope("ann")).then(async (snapshot) => {
    await snapshot[Symbol.asyncDispose]();
    return snapshot;
  });
  await add("ann", "m2", 200);
  await store.settleDue(userScope("ann"), head, undefined);
  expect(await due()).toEqual(["ann"]);
});

it("a restored scope is visited once", async () => {
  const scope: Scope = userScope("ann");
  const head = await store.head(scope);
  await store.restoreScope(
    { scope, seq: 7, lastTimeMs: 5, epoch: undefined },
    head,
    (async function* () {})(),
  );
  expect(await due()).toEqual(["ann"]);
  await settle();
  expect(await due(Number.MAX_SAFE_INTEGER)).toEqual([]);
});

import { afterAll, beforeAll, beforeEach, expect, it, onTestFinished } from "vitest";
import { namespaceIn, userScope } from "../../src/core/model/namespace.js";
import type { PostgresStore } from "../../src/store/postgres/postgres-store.js";
import { sampleMemory } from "../contract/sample-records.js";
import type { NamespaceClient } from "../e2e/harness/namespace-client.js";
import { nativeGrpc } from "../e2e/harness/protocols.js";
import { startTestServer } from "../e2e/harness/test-server.js";
import { createUserClient } from "../e2e/harness/user-client.js";
import { postgresFlags, startPostgres, type TestPostgres } from "../fixtures/postgres.js";

const kim = userScope("kim");

let postgres: TestPostgres;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres.close());
beforeEach(() => postgres.empty());

/** Starts a server, and returns a client of one namespace on it. */
async function startServer(): Promise<NamespaceClient> {
  const flags = { ...postgresFlags(postgres), embedder: "none", pruning: "off" };
  const server = await startTestServer(flags);
  onTestFinished(() => server.stop());
  const connection = nativeGrpc.connect(server);
  onTestFinished(() => connection.close());
  return createUserClient(connection, { userId: "kim", agentId: "notes" }).memories;
}

async function openStore(...options: Parameters<TestPostgres["openStore"]>) {
  const store = await postgres.openStore(...options);
  onTestFinished(() => store.close());
  return store;
}

const put = (store: PostgresStore, agentId: string, id: string) =>
  store.update(kim, async (tx) =>
    tx.put(
      "memories",
      namespaceIn({ kind: "user", userId: "kim" }, agentId),
      id,
      sampleMemory(id, id),
    ),
  );

async function idsIn(store: PostgresStore, agentId: string): Promise<string[]> {
  await using snapshot = await store.snapshot(kim);
  const ids: string[] = [];
  const namespace = namespaceIn({ kind: "user", userId: "kim" }, agentId);
  for await (const [id] of snapshot.scan("memories", namespace)) ids.push(id);
  return ids;
}

it.each([
  { commits: "as many memories as were lost", added: ["red car", "red door"] },
  { commits: "more memories than were lost", added: ["red car", "red door", "red egg"] },
])(
  "after a failover, a server finds no lost memory, even if another server has added $commits",
  async ({ added }) => {
    const [one, two] = [await startServer(), await startServer()];
    await one.add("red apple");
    await postgres.copyToStandby();
    await one.addAll("red brick", "red boat");
    expect((await one.search("red")).contents).toHaveLength(3);
    await postgres.failOver();
    await two.addAll(...added);
    const { contents } = await one.search("red");
    expect(contents.toSorted()).toEqual(["red apple", ...added]);
  },
);

it("after a failover that lost a namespace, a server does not write into the namespace that another server has created instead", async () => {
  const lines: string[] = [];
  const log = (_: string, message: string) => lines.push(message);
  const [one, two] = [await openStore({ log }), await openStore()];
  await put(one, "notes", "m1");
  await postgres.copyToStandby();
  await put(one, "lost", "m2");
  await postgres.failOver();
  await put(two, "created", "m3");
  await put(one, "lost", "m4");
  for (const store of [one, two]) {
    expect(await idsIn(store, "created")).toEqual(["m3"]);
    expect(await idsIn(store, "lost")).toEqual(["m4"]);
  }
  expect(lines.filter((line) => line.includes("failed over"))).toHaveLength(1);
});

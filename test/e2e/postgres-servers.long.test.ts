import { createClient } from "@connectrpc/connect";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { MemoryProvider } from "#gen/vademecum/v1/memory_provider_pb.js";
import { ProposalStatus } from "#gen/vademecum/v1/proposal_pb.js";
import { postgresFlags, startPostgres, type TestPostgres } from "../fixtures/postgres.js";
import { watchMemories } from "./harness/memory-watch.js";
import { nativeGrpc } from "./harness/protocols.js";
import { startTestServer, type TestServer } from "./harness/test-server.js";
import { createUserClient, type UserClient } from "./harness/user-client.js";

let postgres: TestPostgres;
const servers: TestServer[] = [];

beforeAll(async () => {
  postgres = await startPostgres();
  await postgres.empty();
  const flags = { ...postgresFlags(postgres), embedder: "none" };
  for (let i = 0; i < 2; i++) servers.push(await startTestServer(flags));
});
afterAll(async () => {
  for (const server of servers) await server.stop();
  await postgres.close();
});

/** Returns a client of a user on each server. */
function clientsOf(userId: string): [UserClient, UserClient] {
  const [one, two] = servers.map((server) => {
    const connection = nativeGrpc.connect(server);
    onTestFinished(() => connection.close());
    return createUserClient(connection, { userId, agentId: "agent" });
  });
  if (one === undefined || two === undefined) throw new Error("the servers are not running");
  return [one, two];
}

it("a watcher sees proposals that another server made and decided", async () => {
  const [here, there] = clientsOf("watched");
  await there.put("one two");
  const watch = here.watch();
  const first = watch.next();
  const id = await there.proposed({ old: "one", new: "1" });
  expect(await first).toMatchObject({ id, status: ProposalStatus.PENDING });
  const second = watch.next();
  await there.approve(id);
  expect(await second).toMatchObject({ id, status: ProposalStatus.APPROVED });
  watch.end();
});

it("a watcher of memories sees each change that another server makes, once and in order", async () => {
  const [here, there] = servers.map((server) => {
    const connection = nativeGrpc.connect(server);
    onTestFinished(() => connection.close());
    return createClient(MemoryProvider, connection.transport);
  });
  if (here === undefined || there === undefined) throw new Error("the servers are not running");
  const namespace = { userId: "followed", agentId: "agent" };
  const watch = watchMemories(here, { namespace });
  await watch.next();
  const ids: string[] = [];
  const told: string[] = [];
  for (const content of ["one", "two", "three"]) {
    ids.push((await there.add({ namespace, content })).id);
    // Commits of the own server wake the watch at once, and bring those of the other along.
    ids.push(
      (await (content === "two" ? here : there).add({ namespace, content: `${content}!` })).id,
    );
    while (told.length < ids.length) told.push((await watch.event()).id);
  }
  expect(told).toEqual(ids);
  watch.end();
});

it("a watcher sees proposals after its server has lost the connection to PostgreSQL", async () => {
  const [here, there] = clientsOf("reconnected");
  await there.put("one two");
  const watch = here.watch();
  const first = watch.next();
  await there.proposed({ old: "one", new: "1" });
  await first;
  const second = watch.next();
  await postgres.endSessions();
  const id = await there.proposed({ old: "two", new: "2" });
  expect(await second).toMatchObject({ id });
  watch.end();
});

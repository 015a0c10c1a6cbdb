import { fromJson, type JsonObject, toJson } from "@bufbuild/protobuf";
import { createClient } from "@connectrpc/connect";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { MemoryProvider, type SearchResponse } from "#gen/vademecum/v1/memory_provider_pb.js";
import { factsOf } from "../../../src/rpc/rpc-facts.js";
import {
  type CredentialedServer,
  startCredentialedServer,
} from "../harness/credentialed-server.js";
import { failureOf } from "../harness/failure.js";
import { callMethod } from "../harness/generic-call.js";
import { collect, required } from "../harness/namespace-client.js";
import { type Connection, nativeGrpc } from "../harness/protocols.js";
import { allMethods } from "./services.js";

const own = { userId: "kim", agentId: "one" };
const foreign = [
  { userId: "kim", agentId: "two" },
  { userId: "bob", agentId: "one" },
  { userId: "kimberly", agentId: "one" },
  { userId: "Kim", agentId: "one" },
];
/** test/e2e/overview.test.ts tests ListRuns, whose replies name neither users nor agents. */
const methods = (await allMethods())
  .filter((method) => factsOf(method).unsetMeansAllowed && method.name !== "ListRuns")
  .filter(({ parent }) => parent.typeName !== MemoryProvider.typeName);

let server: CredentialedServer;
let connection: Connection;

beforeAll(async () => {
  const all = { agents: ["*"], runs: ["*"], tools: ["*"] };
  server = await startCredentialedServer([
    { name: "kim", roles: ["reader"], users: ["kim"], agents: ["one"], runs: [], tools: [] },
    { name: "writer", roles: ["writer"], users: ["kim"], agents: ["one"], runs: [], tools: [] },
    { name: "everybody", roles: ["reader", "writer", "proposer"], users: ["*"], ...all },
  ]);
  connection = nativeGrpc.connect(server);
  for (const namespace of [...foreign, own, ...foreign]) await propose(namespace);
});
afterAll(async () => {
  connection.close();
  await server.stop();
});

/** Stores a memory, and a proposal of an edit of it. */
async function propose(namespace: typeof own): Promise<void> {
  const client = createClient(MemoryProvider, connection.transport);
  const options = { headers: server.headerOf("everybody") };
  const { id } = await client.add({ namespace, content: "tea" }, options);
  const target = { case: "memoryId", value: id } as const;
  const edit = { oldString: "tea", newString: "coffee", reasoning: "because" };
  await client.proposeEdit({ namespace, target, ...edit }, options);
}

describe.each(methods.map((method) => ({ method, name: method.name })))("$name", ({ method }) => {
  const call = (name: string, request: JsonObject) =>
    callMethod(
      connection.transport,
      method,
      [fromJson(method.input, request)],
      server.headerOf(name),
    );
  /** Returns the namespaces that a reply names. */
  const namesIn = (reply: unknown): string[] => {
    const text = JSON.stringify(reply);
    const named = [...text.matchAll(/"userId":"([^"]*)","agentId":"([^"]*)"/g)];
    // ListUsers counts the agents of a user, and the key may name one.
    const counted = [...text.matchAll(/"userId":"([^"]*)","agents":1\b/g)];
    return [
      ...named.map(([, userId, agentId]) => `${userId} ${agentId}`),
      ...counted.map(([, userId]) => `${userId} one`),
    ];
  };
  // Counts name their users and agents only in groups.
  const grouped: JsonObject = method.input.field["groupBy"] === undefined ? {} : { groupBy: 2 };
  const namesOf = async (name: string, request: JsonObject): Promise<string[]> => {
    const { messages, error } = await call(name, { ...grouped, ...request });
    expect(error).toBeUndefined();
    const names = messages.flatMap((message) => namesIn(toJson(method.output, message)));
    // Export names the namespace with each of its records.
    return [...new Set(names)];
  };

  it("a key for one user and one agent gets only their records if it names none", async () => {
    expect(await namesOf("kim", {})).toEqual(["kim one"]);
    expect(await namesOf("everybody", {})).not.toEqual(["kim one"]);
  });

  it.runIf(method.input.field["userId"] !== undefined)(
    "a key for one user and one agent gets only their records if it names the user, and may name no other",
    async () => {
      expect(await namesOf("kim", { userId: "kim" })).toEqual(["kim one"]);
      for (const userId of ["bob", "kimberly", "Kim", "nobody"]) {
        const { error } = await call("kim", { userId });
        const failure = await failureOf(Promise.reject(required(error, "no error")));
        expect(failure).toMatchObject({ code: "PERMISSION_DENIED", reason: "OUT_OF_SCOPE" });
      }
    },
  );
});

/** Calls of MemoryProvider that name a user and no agent. */
describe("a key for one user and one agent", () => {
  const clientOf = () => createClient(MemoryProvider, connection.transport);
  const asKim = () => ({ headers: server.headerOf("kim") });
  const asAll = () => ({ headers: server.headerOf("everybody") });

  it("searches only its agent with all_agents, and may name no other agent or user", async () => {
    const client = clientOf();
    const agentsOf = async (call: AsyncIterable<SearchResponse>) => {
      const found = await collect(call);
      const agents = found.flatMap(({ hits }) =>
        hits.map(({ memory }) => memory?.namespace?.agentId),
      );
      return { agents, matches: found.at(-1)?.summary?.totalMatches };
    };
    const all = { userId: "kim", query: "tea", allAgents: true };
    expect(await agentsOf(client.search(all, asKim()))).toEqual({ agents: ["one"], matches: 1n });
    expect((await agentsOf(client.search(all, asAll()))).agents).toContain("two");
    const recalled = await client.recall({ search: all }, asKim());
    expect(recalled.hits.map(({ memory }) => memory?.namespace)).toMatchObject([own]);
    const refused = [
      { userId: "bob", query: "tea", allAgents: true },
      { userId: "kim", query: "tea", agentIds: ["one", "two"] },
      { userId: "kim", query: "tea", agentIds: ["no such agent"] },
      { namespace: own, query: "tea", agentIds: ["two"] },
    ];
    for (const search of refused) {
      for (const call of [
        collect(client.search(search, asKim())),
        client.recall({ search }, asKim()),
      ])
        expect(await failureOf(call)).toMatchObject({ reason: "OUT_OF_SCOPE" });
    }
  });

  it("reaches no memory of another agent by its id, as if the id did not exist", async () => {
    const client = clientOf();
    const idOf = async (namespace: typeof own) =>
      (await client.getAll({ namespace }, asAll())).memories[0]?.id ?? "";
    const userId = "kim";
    expect((await client.get({ userId, id: await idOf(own) }, asKim())).memory).toMatchObject({
      namespace: own,
    });
    const foreignId = await idOf({ userId, agentId: "two" });
    const missing = await failureOf(client.get({ userId, id: "no such id" }, asKim()));
    const foreignFailure = await failureOf(client.get({ userId, id: foreignId }, asKim()));
    expect(foreignFailure).toMatchObject({ code: missing.code, reason: missing.reason });
    const writes = { headers: server.headerOf("writer") };
    const update = client.update({ userId, id: foreignId, changes: { content: "x" } }, writes);
    expect(await failureOf(update)).toMatchObject({ code: "NOT_FOUND" });
    expect((await client.delete({ userId, id: foreignId }, writes)).deleted).toBe(false);
    expect(await idOf({ userId, agentId: "two" })).toBe(foreignId);
    const other = client.get({ userId: "bob", id: foreignId }, asKim());
    expect(await failureOf(other)).toMatchObject({ reason: "OUT_OF_SCOPE" });
  });

  it("watches only its agent if it names only the user, and may watch no other agent or user", async () => {
    const client = clientOf();
    const { commitSeq: afterCommitSeq } = await client.add(
      { namespace: own, content: "before" },
      asAll(),
    );
    for (const namespace of foreign) await client.add({ namespace, content: "foreign" }, asAll());
    const { id } = await client.add({ namespace: own, content: "after" }, asAll());
    const agents: string[] = [];
    for await (const { events } of client.watchMemories(
      { userId: "kim", afterCommitSeq },
      asKim(),
    )) {
      agents.push(...events.map(({ agentId }) => agentId));
      if (events.some((event) => event.id === id)) break;
    }
    expect(agents).toEqual(["one"]);
    for (const watched of [
      { userId: "bob" },
      { namespace: { userId: "kim", agentId: "two" } },
      { namespace: { userId: "bob", agentId: "one" } },
    ]) {
      const watch = collect(client.watchMemories(watched, asKim()));
      expect(await failureOf(watch)).toMatchObject({ reason: "OUT_OF_SCOPE" });
    }
  });
});

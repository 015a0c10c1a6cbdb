import { createClient } from "@connectrpc/connect";
import { afterAll, beforeAll, expect, it } from "vitest";
import { AdminService } from "#gen/vademecum/v1/admin_pb.js";
import { BlockService } from "#gen/vademecum/v1/block_service_pb.js";
import { KeyValueService } from "#gen/vademecum/v1/key_value_service_pb.js";
import { MemoryProvider } from "#gen/vademecum/v1/memory_provider_pb.js";
import { describeOver } from "../over-protocols.js";
import { type CredentialedServer, startCredentialedServer } from "./harness/credentialed-server.js";
import { failureOf } from "./harness/failure.js";
import { required } from "./harness/namespace-client.js";
import { protocols } from "./harness/protocols.js";
import { useConnection } from "./harness/use-connection.js";

const all = { users: ["*"], agents: ["*"], runs: ["*"] };
const writing = ["writer", "curator", "proposer", "approver"] as const;
let server: CredentialedServer | undefined;

beforeAll(async () => {
  server = await startCredentialedServer([
    { name: "host", roles: writing, ...all },
    { name: "kim", roles: ["reader"], users: ["kim"], agents: ["one"], runs: ["kim/*"] },
    {
      ...{ name: "some", roles: ["reader"], runs: ["kim/2", "kim/2*", "zed"] },
      ...{ users: ["kim*", "kimberly", "a\0*", "zed"], agents: ["one", "\0*"] },
    },
    { name: "operator", roles: ["operator"] },
  ]);
});
afterAll(() => server?.stop());

describeOver("an overview", protocols, (protocol) => {
  const connection = useConnection(protocol, () => server);
  const as = (name: string) => ({ headers: required(server, "no server").headerOf(name) });
  const admin = () => createClient(AdminService, connection().transport);
  const keyValues = () => createClient(KeyValueService, connection().transport);

  it("users, namespaces and runs are listed page by page, as far as the caller may name them", async () => {
    const { transport } = connection();
    const memoryProvider = createClient(MemoryProvider, transport);
    const blocks = createClient(BlockService, transport);
    const host = as("host");
    for (const [userId, agentId] of [
      ["kim", "one"],
      ["kim", "two"],
      ["a\0b", "\0"],
      ["kimberly", "one"],
    ] as const)
      await memoryProvider.add({ namespace: { userId, agentId }, content: "tea" }, host);
    await blocks.putBlock({ userId: "blocks only", label: "x", body: "a" }, host);
    const edit = { oldString: "a", newString: "b", reasoning: "because" };
    const target = { case: "blockLabel", value: "x" } as const;
    const namespace = { userId: "blocks only", agentId: "one" };
    const proposed = await memoryProvider.proposeEdit({ namespace, target, ...edit }, host);
    for (const runId of ["kim/1", "kim/2", "other"])
      await keyValues().writeKey({ runId, key: "k", value: "v" }, host);

    const usersOf = async (name: string, prefix = "") => {
      const found = [];
      let pageToken = "";
      do {
        const page = await admin().listUsers({ prefix, limit: 1, pageToken }, as(name));
        found.push(...page.users);
        pageToken = page.nextPageToken;
      } while (pageToken !== "");
      return found.map(({ userId, agents, memories, blocks: count, pendingProposals }) => [
        userId,
        ...[agents, Number(memories), count, Number(pendingProposals)],
      ]);
    };
    const everyone = [
      ["a\0b", 1, 1, 0, 0],
      ["blocks only", 0, 0, 1, 1],
      ["kim", 2, 2, 0, 0],
      ["kimberly", 1, 1, 0, 0],
    ];
    expect(await usersOf("host")).toEqual(everyone);
    expect(await usersOf("operator")).toEqual(everyone);
    expect(await usersOf("host", "kimb")).toEqual([["kimberly", 1, 1, 0, 0]]);
    expect(await usersOf("kim")).toEqual([["kim", 1, 1, 0, 0]]);
    const ofSome = [
      ["a\0b", 1, 1, 0, 0],
      ["kim", 1, 1, 0, 0],
      ["kimberly", 1, 1, 0, 0],
    ];
    expect(await usersOf("some")).toEqual(ofSome);
    expect(await usersOf("some", "blocks")).toEqual([]);
    const { users } = await admin().listUsers({ prefix: "blocks" }, host);
    expect(users[0]?.oldestPendingTime).toEqual(proposed.proposal?.createTime);

    const namespacesOf = async (name: string, fields: { userId?: string; prefix?: string }) => {
      const found = [];
      let pageToken = "";
      do {
        const page = await admin().listNamespaces({ ...fields, limit: 2, pageToken }, as(name));
        found.push(...page.namespaces);
        pageToken = page.nextPageToken;
      } while (pageToken !== "");
      return found.map(({ namespace: of, memories }) => [of?.userId, of?.agentId, memories]);
    };
    expect(await namespacesOf("host", {})).toEqual([
      ["a\0b", "\0", 1n],
      ["kim", "one", 1n],
      ["kim", "two", 1n],
      ["kimberly", "one", 1n],
    ]);
    expect(await namespacesOf("host", { userId: "kim" })).toHaveLength(2);
    expect(await namespacesOf("kim", {})).toEqual([["kim", "one", 1n]]);
    expect(await namespacesOf("some", {})).toEqual([
      ["a\0b", "\0", 1n],
      ["kim", "one", 1n],
      ["kimberly", "one", 1n],
    ]);
    expect(await namespacesOf("host", { prefix: "kimb" })).toEqual([["kimberly", "one", 1n]]);
    expect(await namespacesOf("host", { userId: "kim", prefix: "x" })).toEqual([]);
    const foreign = admin().listNamespaces({ userId: "kimberly" }, as("kim"));
    expect(await failureOf(foreign)).toMatchObject({ reason: "OUT_OF_SCOPE" });

    const runsOf = async (name: string, prefix = "") =>
      (await keyValues().listRuns({ prefix }, as(name))).runs.map(({ runId, keys }) => [
        runId,
        Number(keys),
      ]);
    expect(await runsOf("host")).toEqual([
      ["kim/1", 1],
      ["kim/2", 1],
      ["other", 1],
    ]);
    expect(await runsOf("kim")).toEqual([
      ["kim/1", 1],
      ["kim/2", 1],
    ]);
    expect(await runsOf("some")).toEqual([["kim/2", 1]]);
    expect(await runsOf("host", "o")).toEqual([["other", 1]]);
    await keyValues().deleteKey({ runId: "other", key: "k" }, host);
    expect(await runsOf("host", "o")).toEqual([]);

    const { nextPageToken: pageToken } = await admin().listUsers({ limit: 1 }, host);
    expect(await failureOf(admin().listUsers({ limit: 1, pageToken }, as("kim")))).toMatchObject({
      reason: "INVALID_PAGE_TOKEN",
    });
  });
});

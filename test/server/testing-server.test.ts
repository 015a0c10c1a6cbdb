import { Writable } from "node:stream";
import { type Client, Code, createClient, type Interceptor } from "@connectrpc/connect";
import { createConnectTransport, createGrpcTransport } from "@connectrpc/connect-node";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { AdminService } from "#gen/vademecum/v1/admin_pb.js";
import { BlockService } from "#gen/vademecum/v1/block_service_pb.js";
import { MemoryProvider } from "#gen/vademecum/v1/memory_provider_pb.js";
import { ProposalService } from "#gen/vademecum/v1/proposal_service_pb.js";
import { readConfig } from "../../src/config/config.js";
import { formatAddress } from "../../src/edge/address.js";
import type { RunningServer } from "../../src/server/start-server.js";
import { startTestingServer } from "../../src/server/start-testing-server.js";

const storesMax = 3;
const namespace = { userId: "ada", agentId: "coder" };
const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });

let server: RunningServer;
beforeEach(async () => {
  const flags = {
    ...{ provider: "memory", embedder: "none", grpc: "127.0.0.1:0", http: "127.0.0.1:0" },
    "log-level": "silent",
  };
  const config = readConfig(new Map(Object.entries(flags)), {});
  server = await startTestingServer(config, { storesMax, storeBytes: 100_000 }, nowhere);
});
afterEach(() => server.stop());

/** Clients that send a token. */
function clientsOf(token: string | undefined, protocol: "gRPC" | "Connect" = "gRPC") {
  const sendToken: Interceptor = (next) => (request) => {
    if (token !== undefined) request.header.set("authorization", `Bearer ${token}`);
    return next(request);
  };
  const interceptors = [sendToken];
  const transport =
    protocol === "gRPC"
      ? createGrpcTransport({
          baseUrl: `http://${formatAddress(server.grpcAddress)}`,
          interceptors,
        })
      : createConnectTransport({
          baseUrl: `http://${formatAddress(server.httpAddress)}`,
          httpVersion: "1.1",
          interceptors,
        });
  return {
    memories: createClient(MemoryProvider, transport),
    blocks: createClient(BlockService, transport),
    proposals: createClient(ProposalService, transport),
    admin: createClient(AdminService, transport),
  };
}

const countOf = async (memories: Client<typeof MemoryProvider>) =>
  (await memories.getAll({ namespace })).memories.length;

describe("a server for tests", () => {
  it("a server for tests gives each token an empty store, over every protocol", async () => {
    const [one, two] = [clientsOf("one"), clientsOf("two", "Connect")];
    await one.memories.add({ namespace, content: "tea" });
    expect(await countOf(two.memories)).toBe(0);
    await two.memories.add({ namespace, content: "coffee" });
    await two.memories.add({ namespace, content: "milk" });
    expect(await countOf(one.memories)).toBe(1);
    expect(await countOf(clientsOf("one", "Connect").memories)).toBe(1);
    expect(await countOf(clientsOf("two").memories)).toBe(2);
  });

  it("a server for tests refuses calls without a token", async () => {
    await expect(countOf(clientsOf(undefined).memories)).rejects.toMatchObject({
      code: Code.Unauthenticated,
    });
    await expect(countOf(clientsOf("").memories)).rejects.toMatchObject({
      code: Code.Unauthenticated,
    });
  });

  it("a token of a server for tests may approve its own edits, and reset only its own store", async () => {
    const [one, two] = [clientsOf("one"), clientsOf("two")];
    await two.memories.add({ namespace, content: "coffee" });
    await one.blocks.putBlock({ userId: "ada", label: "home", body: "Lyon" });
    const { proposal } = await one.memories.proposeEdit({
      namespace,
      target: { case: "blockLabel", value: "home" },
      oldString: "Lyon",
      newString: "Dijon",
      reasoning: "moved",
    });
    await one.proposals.approveProposal({ userId: "ada", id: proposal?.id ?? "" });
    const { block } = await one.blocks.getBlock({ userId: "ada", label: "home" });
    expect(block?.body).toBe("Dijon");
    await one.memories.reset({ target: { case: "namespace", value: namespace } });
    expect(await countOf(two.memories)).toBe(1);
  });

  it("a server for tests drops the store that was unused for longest", async () => {
    for (const token of ["one", "two", "three"])
      await clientsOf(token).memories.add({ namespace, content: token });
    expect(await countOf(clientsOf("one").memories)).toBe(1);
    await clientsOf("four").memories.add({ namespace, content: "four" });
    expect(await countOf(clientsOf("one").memories)).toBe(1);
    expect(await countOf(clientsOf("three").memories)).toBe(1);
    expect(await countOf(clientsOf("two").memories)).toBe(0);
  });

  it("a store of a server for tests takes no writes beyond its bound; others do", async () => {
    const { memories } = clientsOf("one");
    const content = "x".repeat(60_000);
    await memories.add({ namespace, content });
    await expect(memories.add({ namespace, content })).rejects.toMatchObject({
      code: Code.ResourceExhausted,
    });
    await clientsOf("two").memories.add({ namespace, content });
  });

  it("a server for tests answers many tokens at once", async () => {
    const tokens = Array.from({ length: 30 }, (_, index) => `token ${index}`.replace(" ", "-"));
    const outcomes = await Promise.allSettled(
      tokens.map((token) => clientsOf(token).memories.add({ namespace, content: token })),
    );
    // A call fails only if its store was dropped since the call began.
    for (const outcome of outcomes)
      if (outcome.status === "rejected")
        expect(outcome.reason).toMatchObject({ code: Code.Unavailable });
    expect(outcomes.some(({ status }) => status === "fulfilled")).toBe(true);
    expect(await countOf(clientsOf("later").memories)).toBe(0);
  });
});

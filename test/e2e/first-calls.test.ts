import { createClient } from "@connectrpc/connect";
import { expect, it, onTestFinished } from "vitest";
import { MemoryProvider } from "#gen/vademecum/v1/memory_provider_pb.js";
import { createNamespaceClient } from "./harness/namespace-client.js";
import { nativeGrpc } from "./harness/protocols.js";
import { startTestServer } from "./harness/test-server.js";

it("the first Add after a start waits for the model, and stores the same vector as a later Add", async () => {
  const server = await startTestServer();
  onTestFinished(() => server.stop());
  const connection = nativeGrpc.connect(server);
  onTestFinished(() => connection.close());
  const client = createClient(MemoryProvider, connection.transport);
  const scoresOf = async (agentId: string) => {
    const memories = createNamespaceClient(client, { userId: "ann", agentId });
    await memories.add("The user prefers oat milk in their coffee");
    const { hits } = await memories.search("what does she drink in the morning", {
      minRelevance: 0,
    });
    return hits.map(({ scores }) => scores?.vector);
  };
  const first = await scoresOf("first");
  expect(first).toEqual(await scoresOf("later"));
  expect(first[0]).toBeGreaterThan(0);
});

import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { createClient } from "@connectrpc/connect";
import { expect, it, onTestFinished } from "vitest";
import { MemoryProvider } from "#gen/vademecum/v1/memory_provider_pb.js";
import { createNamespaceClient } from "../e2e/harness/namespace-client.js";
import { nativeGrpc } from "../e2e/harness/protocols.js";
import { startTestServer } from "../e2e/harness/test-server.js";

it("a query without a time zone counts days in the time zone of the server", async () => {
  const server = await startTestServer({
    provider: "memory",
    embedder: "none",
    "time-zone": "America/Los_Angeles",
  });
  onTestFinished(() => server.stop());
  const connection = nativeGrpc.connect(server);
  onTestFinished(() => connection.close());
  const provider = createClient(MemoryProvider, connection.transport);
  const memories = createNamespaceClient(provider, { userId: "ada", agentId: "diary" });
  const eventTime = timestampFromDate(new Date("2026-11-27T04:00:00Z"));
  await memories.add("Ann cooked noodles", { eventTime });
  const query = "what happened on 26 November 2026?";
  expect((await memories.search(query)).contents).toEqual(["Ann cooked noodles"]);
  expect((await memories.search(query, { timeZone: "UTC" })).contents).toEqual([]);
});

it("a server with a time zone that does not exist does not start", async () => {
  await expect(
    startTestServer({ provider: "memory", embedder: "none", "time-zone": "Mars/Olympus" }),
  ).rejects.toThrow("--time-zone: 'Mars/Olympus' must be a name of the IANA time zone database");
});

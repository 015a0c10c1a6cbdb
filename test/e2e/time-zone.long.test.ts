import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { createClient } from "@connectrpc/connect";
import { expect, it, onTestFinished } from "vitest";
import { MemoryProvider } from "#gen/vademecum/v1/memory_provider_pb.js";
import { createNamespaceClient } from "./harness/namespace-client.js";
import { nativeGrpc } from "./harness/protocols.js";
import { startServerProcess } from "./harness/server-process.js";

it("the time zone of the server's machine does not change the dates that a query names", async () => {
  const folder = await mkdtemp(join(tmpdir(), "vademecum-time-zone-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const server = await startServerProcess(join(folder, "data"), {
    environment: { TZ: "Pacific/Auckland" },
  });
  onTestFinished(() => void server.end("SIGKILL"));
  const connection = nativeGrpc.connect(server);
  onTestFinished(() => connection.close());
  const namespace = { userId: "ada", agentId: "diary" };
  const client = createNamespaceClient(
    createClient(MemoryProvider, connection.transport),
    namespace,
  );
  for (const day of [2, 3]) {
    await client.add("Ada planted tomatoes in the garden", {
      eventTime: timestampFromDate(new Date(Date.UTC(2021, 4, day, 12))),
    });
  }

  const { hits } = await client.search("tomatoes two days after 30 April 2021", {
    minRelevance: 0,
  });

  const dates = hits.map(({ memory, scores }) => [
    new Date(Number(memory?.eventTime?.seconds) * 1000).getUTCDate(),
    scores?.date,
  ]);
  expect(dates).toEqual([
    [2, 0.4],
    [3, 0.2],
  ]);
});

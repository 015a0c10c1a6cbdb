import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "@connectrpc/connect";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { MemoryProvider } from "#gen/vademecum/v1/memory_provider_pb.js";
import { failureOf } from "../e2e/harness/failure.js";
import { createGrpcJsTransport } from "../e2e/harness/grpc-js-transport.js";
import {
  type BatchItem,
  createNamespaceClient,
  type NamespaceClient,
} from "../e2e/harness/namespace-client.js";
import { createUserClient } from "../e2e/harness/user-client.js";
import { isFullSuite } from "../suite.js";
import { type ServerProcess, startServerProcess } from "./server/server-process.js";

const namespace = { userId: "ann", agentId: "one" };

let folder = "";
let server: ServerProcess | undefined;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "vademecum-stop-"));
});
afterEach(async () => {
  await server?.end("SIGKILL");
  await rm(folder, { recursive: true });
});

describe("a server that gets SIGTERM", () => {
  it("a server that gets SIGTERM waits for calls in flight, exits with 0, and loses no acknowledged write", async () => {
    server = await startServerProcess(folder);
    const memories = connect(server);
    const { requests, send, finish } = openRequests();
    const replies = memories.provider.addBatch(requests)[Symbol.asyncIterator]();
    send({ add: { namespace, content: "before the signal" } });
    expect((await replies.next()).value).toMatchObject({ result: { case: "id" } });
    const ended = server.end("SIGTERM");
    await server.logged("stopping");
    send({ add: { namespace, content: "after the signal" } });
    finish();
    expect((await replies.next()).value).toMatchObject({ result: { case: "id" } });
    expect(await replies.next()).toMatchObject({ done: true });
    expect(await ended).toBe(0);
    server = await startServerProcess(folder);
    expect(await connect(server).contents()).toEqual(["after the signal", "before the signal"]);
  });

  it.runIf(isFullSuite)(
    "a server that gets SIGTERM cuts off calls that do not end in time, and still exits with 0",
    async () => {
      server = await startServerProcess(folder, { flags: ["--drain-timeout", "50ms"] });
      const { requests, send } = openRequests();
      const replies = connect(server).provider.addBatch(requests)[Symbol.asyncIterator]();
      send({ add: { namespace, content: "kept" } });
      await replies.next();
      const ended = server.end("SIGTERM");
      await expect(replies.next()).rejects.toThrow();
      expect(await ended).toBe(0);
      server = await startServerProcess(folder);
      expect(await connect(server).contents()).toEqual(["kept"]);
    },
  );

  it.runIf(isFullSuite)(
    "a server that gets SIGTERM ends watches immediately, with a reason",
    async () => {
      server = await startServerProcess(folder, { flags: ["--drain-timeout", "1m"] });
      const transport = createGrpcJsTransport(new URL(server.grpcUrl).host);
      const user = createUserClient({ transport, close: () => transport.close() }, namespace);
      await user.put("one");
      await user.proposed({ old: "one", new: "1" });
      const watch = user.watch();
      await watch.next();
      const ended = server.end("SIGTERM");
      expect(await failureOf(watch.next())).toMatchObject({
        code: "UNAVAILABLE",
        reason: "SERVER_STOPPING",
      });
      expect(await ended).toBe(0);
    },
  );
});

function connect({ grpcUrl }: ServerProcess): NamespaceClient {
  return createNamespaceClient(
    createClient(MemoryProvider, createGrpcJsTransport(new URL(grpcUrl).host)),
    namespace,
  );
}

/** A stream of requests that the test controls. */
function openRequests() {
  const stream = new TransformStream<BatchItem, BatchItem>();
  const writer = stream.writable.getWriter();
  return {
    requests: stream.readable as AsyncIterable<BatchItem>,
    send: (item: BatchItem) => void writer.write(item),
    finish: () => void writer.close(),
  };
}

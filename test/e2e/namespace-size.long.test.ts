import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Writable } from "node:stream";
import { fromBinary } from "@bufbuild/protobuf";
import { createClient } from "@connectrpc/connect";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ErrorInfoSchema } from "#gen/google/rpc/error_details_pb.js";
import { MemoryProvider } from "#gen/vademecum/v1/memory_provider_pb.js";
import { postgresFlags, startPostgres, type TestPostgres } from "../fixtures/postgres.js";
import { failureOf } from "./harness/failure.js";
import { collect, createNamespaceClient, streamOf } from "./harness/namespace-client.js";
import { nativeGrpc } from "./harness/protocols.js";
import { startTestServer } from "./harness/test-server.js";

const sizes = { supported: 3, max: 5 };
const namespace = { userId: "kim", agentId: "guide" };
const tooLarge = {
  code: "RESOURCE_EXHAUSTED",
  reason: "NAMESPACE_TOO_LARGE",
  metadata: { limit: "5" },
};

describe.each(["level", "postgres"])("a large namespace on %s", (provider) => {
  let folder = "";
  let postgres: TestPostgres | undefined;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "vademecum-size-"));
    postgres = provider === "postgres" ? await startPostgres() : undefined;
    await postgres?.empty();
  });
  afterAll(async () => {
    await postgres?.close();
    await rm(folder, { recursive: true });
  });

  /** Starts a server on the same data. `warnings` has its log lines about large namespaces. */
  async function start() {
    const warnings: unknown[] = [];
    const log = new Writable({
      write(chunk: Buffer, _, done) {
        const lines = chunk.toString().trim().split("\n");
        for (const line of lines.map((text) => JSON.parse(text) as { readonly msg: string }))
          if (line.msg.startsWith("a namespace holds more")) warnings.push(line);
        done();
      },
    });
    const flags = {
      data: join(folder, "data"),
      provider,
      ...(postgres && postgresFlags(postgres)),
    };
    const server = await startTestServer(flags, undefined, log, sizes);
    const connection = nativeGrpc.connect(server);
    const client = createClient(MemoryProvider, connection.transport);
    const stop = async () => {
      connection.close();
      await server.stop();
    };
    return { client, agent: createNamespaceClient(client, namespace), warnings, stop };
  }

  it("the log warns about a namespace above the supported size, and a namespace at the limit refuses memories", async () => {
    const { client, agent, warnings, stop } = await start();
    await agent.addAll("one", "two", "three");
    expect(warnings).toEqual([]);
    await agent.add("four");
    expect(warnings).toMatchObject([{ memories: 4, supported: 3, max: 5 }]);
    const items = ["five", "six", "seven"].map((content) => ({
      clientId: content,
      add: { namespace, content },
    }));
    const elsewhere = { namespace: { ...namespace, agentId: "other" }, content: "one" };
    const responses = await collect(
      client.addBatch(streamOf([...items, { clientId: "other", add: elsewhere }])),
    );
    const reasons = responses.map(({ result }) => {
      if (result.case !== "error") return "stored";
      const [info] = result.value.details;
      return info && fromBinary(ErrorInfoSchema, info.value).reason;
    });
    expect(reasons).toEqual(["stored", "NAMESPACE_TOO_LARGE", "NAMESPACE_TOO_LARGE", "stored"]);
    expect(await failureOf(agent.add("six"))).toMatchObject(tooLarge);
    const parallel = await Promise.allSettled(["8", "9"].map((content) => agent.add(content)));
    expect(parallel.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    expect(await agent.contents()).toHaveLength(5);
    await stop();
  });

  it("the log warns when a large namespace is loaded, and a full namespace accepts a memory after a deletion", async () => {
    const { client, agent, warnings, stop } = await start();
    const [first] = (await client.getAll({ namespace })).memories;
    expect(warnings).toEqual([]);
    await client.recall({ search: { namespace, query: "one" } });
    expect(warnings).toMatchObject([{ memories: 5 }]);
    expect(await failureOf(agent.add("six"))).toMatchObject(tooLarge);
    await agent.delete(first?.id ?? "");
    await agent.add("six");
    expect(await failureOf(agent.add("seven"))).toMatchObject(tooLarge);
    await stop();
  });
});

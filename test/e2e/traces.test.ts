import { PassThrough } from "node:stream";
import { createClient } from "@connectrpc/connect";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { MemoryProvider } from "#gen/vademecum/v1/memory_provider_pb.js";
import { describeOver } from "../over-protocols.js";
import { createManualTimer } from "../server/manual-timer.js";
import { failureOf } from "./harness/failure.js";
import { collect, required } from "./harness/namespace-client.js";
import { protocols } from "./harness/protocols.js";
import { startTestServer, type TestServer } from "./harness/test-server.js";
import {
  attributeOf,
  type Collector,
  type OtlpSpan,
  startCollector,
} from "./harness/trace-collector.js";
import { useConnection } from "./harness/use-connection.js";

const namespace = { userId: "ann-user", agentId: "cook-agent" };

describeOver("the traces of a server", protocols, (protocol) => {
  let collector: Collector;
  let server: TestServer | undefined;
  const timer = createManualTimer();
  beforeAll(async () => {
    collector = await startCollector();
    const flags = { embedder: "none", "otlp-endpoint": collector.url, "trace-sample": "0" };
    server = await startTestServer(flags, { clock: { nowMs: () => Date.now() }, timer });
  });
  afterAll(async () => {
    await server?.stop();
    collector.stop();
  });
  beforeEach(() => {
    collector.spans.length = 0;
  });
  const connection = useConnection(protocol, () => server);
  const memories = () => createClient(MemoryProvider, connection().transport);
  const traceId = "4bf92f3577b34da6a3ce929d0e0e4736";
  const callerSpan = "00f067aa0ba902b7";
  const traced = (flags = "01") => ({
    headers: { traceparent: `00-${traceId}-${callerSpan}-${flags}`, "x-request-id": "r-7" },
  });
  /** Returns the spans of calls, those that began first before the others. */
  const spansOf = async (run: () => Promise<unknown>): Promise<OtlpSpan[]> => {
    await run();
    timer.pass(5_000);
    await expect.poll(() => collector.spans.length).toBeGreaterThan(0);
    return collector.spans.toSorted((a, b) => (a.startTimeUnixNano < b.startTimeUnixNano ? -1 : 1));
  };

  it("a call with traceparent is a span of its caller's trace, with its operation below", async () => {
    const spans = await spansOf(() =>
      memories().add({ namespace, content: "the secret plan" }, traced()),
    );
    expect(spans).toHaveLength(2);
    const [call, operation] = spans as [OtlpSpan, OtlpSpan];
    expect(call).toMatchObject({
      ...{ traceId, parentSpanId: callerSpan, kind: 2, status: {} },
      name: "vademecum.v1.MemoryProvider/Add",
    });
    expect(attributeOf(call, "rpc.response.status_code")).toBe("OK");
    expect(attributeOf(call, "vademecum.request_id")).toBe("r-7");
    expect(operation).toMatchObject({
      ...{ traceId, parentSpanId: call.spanId, kind: 1, name: "create_memory", status: {} },
    });
    expect(attributeOf(operation, "gen_ai.operation.name")).toBe("create_memory");
    expect(attributeOf(operation, "gen_ai.memory.record.count")).toBe("1");
    expect(attributeOf(operation, "gen_ai.memory.store.id")).toMatch(/\S/);
    expect(BigInt(call.endTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(call.startTimeUnixNano));
  });

  it("searches, updates and deletions have the names and counts of their operations", async () => {
    const { id } = await memories().add({ namespace, content: "green tea at four" });
    const spans = await spansOf(async () => {
      await collect(memories().search({ namespace, query: "green tea" }, traced()));
      await memories().recall({ search: { namespace, query: "green tea" } }, traced());
      await memories().delete({ namespace, id }, traced());
    });
    const operations = spans.filter(({ kind }) => kind === 1);
    const told = operations.map((it) => [it.name, attributeOf(it, "gen_ai.memory.record.count")]);
    expect(told).toEqual([
      ["search_memory", "1"],
      ["search_memory", "1"],
      ["delete_memory", "1"],
    ]);
  });

  it("a call that fails has its error, and no text or name of a user leaves the server", async () => {
    const spans = await spansOf(() =>
      failureOf(
        memories().update({ namespace, id: "absent", changes: { content: "tea" } }, traced()),
      ),
    );
    const [call, operation] = spans as [OtlpSpan, OtlpSpan];
    expect(attributeOf(call, "rpc.response.status_code")).toBe("NOT_FOUND");
    // The caller's mistake is no failure of the server.
    expect(call.status).toEqual({});
    expect(attributeOf(operation, "error.type")).toBe("NOT_FOUND");
    expect(collector.texts.join()).not.toMatch(/secret|tea|ann-user|cook-agent/);
  });

  it("a call whose caller does not trace it has no span, nor has one beyond the share", async () => {
    const spans = await spansOf(async () => {
      await memories().add({ namespace, content: "not traced" }, traced("00"));
      await memories().add({ namespace, content: "not sampled" });
      await memories().recall({ search: { namespace, query: "traced" } }, traced());
    });
    expect(spans.map(({ name }) => name)).toEqual([
      "vademecum.v1.MemoryProvider/Recall",
      "search_memory",
    ]);
  });
});

it("a collector that is gone fails no call, and the log says that traces are lost", async () => {
  const collector = await startCollector();
  collector.stop();
  let log = "";
  const output = new PassThrough().on("data", (chunk: Buffer) => {
    log += String(chunk);
  });
  const flags = { embedder: "none", "otlp-endpoint": collector.url };
  const server = await startTestServer(flags, undefined, output);
  const connection = required(protocols[0], "no protocol").connect(server);
  await createClient(MemoryProvider, connection.transport).add({ namespace, content: "tea" });
  connection.close();
  await server.stop();
  expect(log.match(/cannot send traces/g)).toHaveLength(1);
});

import { ConnectError, createClient } from "@connectrpc/connect";
import { afterAll, beforeAll, expect, it } from "vitest";
import { RetryInfoSchema } from "#gen/google/rpc/error_details_pb.js";
import { MemoryProvider } from "#gen/vademecum/v1/memory_provider_pb.js";
import { describeOver } from "../../over-protocols.js";
import { createDeferred } from "../../rpc/deferred.js";
import { nextOf } from "../../rpc/streams.js";
import {
  type CredentialedServer,
  startCredentialedServer,
} from "../harness/credentialed-server.js";
import { describeFailure, failureOf } from "../harness/failure.js";
import { callMethod } from "../harness/generic-call.js";
import { collect, required, streamOf } from "../harness/namespace-client.js";
import { type Protocol, protocols } from "../harness/protocols.js";
import { useConnection } from "../harness/use-connection.js";

const namespace = { userId: "u", agentId: "a" };
const writer = { roles: ["writer"], users: ["*"], agents: ["*"] } as const;
/** A rate so low that no further call passes during a test. */
const slow = 0.000_01;

let server: CredentialedServer | undefined;
beforeAll(async () => {
  server = await startCredentialedServer(
    protocols.flatMap((_, number) => [
      { name: `calls-${number}`, ...writer, limits: { calls_per_second: slow, burst: 2 } },
      { name: `bytes-${number}`, ...writer, limits: { bytes_per_second: slow } },
      { name: `batches-${number}`, ...writer, limits: { calls_per_second: slow, burst: 2 } },
      { name: `batchBytes-${number}`, ...writer, limits: { bytes_per_second: slow } },
      { name: `busy-${number}`, ...writer },
      { name: `calm-${number}`, ...writer },
      { name: `streaming-${number}`, ...writer },
    ]),
  );
});
afterAll(() => server?.stop());

/** Returns the headers of a principal with a limit. Each protocol uses a principal of its own. */
function headersOf(limit: string, protocol: Protocol) {
  return required(server, "no server").headerOf(`${limit}-${protocols.indexOf(protocol)}`);
}

describeOver("a principal with limits", protocols, (protocol) => {
  const connection = useConnection(protocol, () => server);
  const memories = () => createClient(MemoryProvider, connection().transport);

  it("a principal beyond its rate of calls is refused, and learns when to retry", async () => {
    const headers = headersOf("calls", protocol());
    for (const content of ["one", "two"]) await memories().add({ namespace, content }, { headers });
    const { add } = MemoryProvider.method;
    const request = { namespace, content: "three" };
    const { error } = await callMethod(connection().transport, add, [request], headers);
    expect(error?.rawMessage).toContain("have used up their rate");
    expect(Number(error?.findDetails(RetryInfoSchema)[0]?.retryDelay?.seconds)).toBeGreaterThan(0);
  });

  it("a principal beyond its rate of bytes is refused", async () => {
    const options = { headers: headersOf("bytes", protocol()) };
    await memories().add({ namespace, content: "one" }, options);
    expect(await failureOf(memories().add({ namespace, content: "two" }, options))).toMatchObject({
      code: "RESOURCE_EXHAUSTED",
      reason: "RATE_EXCEEDED",
    });
  });
});

const duplex = protocols.filter((protocol) => protocol.duplex);

describeOver("AddBatch of a principal with limits", duplex, (protocol) => {
  const connection = useConnection(protocol, () => server);
  const memories = () => createClient(MemoryProvider, connection().transport);
  const items = ["one", "two", "three"].map((content) => ({ add: { namespace, content } }));

  it("a batch counts as one call, whatever the number of its items", async () => {
    const headers = headersOf("batches", protocol());
    for (const _ of ["first call", "second call"]) {
      const responses = await collect(memories().addBatch(streamOf(items), { headers }));
      expect(responses.map(({ result }) => result.case)).toEqual(items.map(() => "id"));
    }
    const third = collect(memories().addBatch(streamOf(items), { headers }));
    expect(await failureOf(third)).toMatchObject({ reason: "RATE_EXCEEDED" });
  });

  it("a batch whose items exceed the rate of bytes is refused", async () => {
    const headers = headersOf("batchBytes", protocol());
    const responses = collect(memories().addBatch(streamOf(items), { headers }));
    expect(await failureOf(responses)).toMatchObject({
      code: "RESOURCE_EXHAUSTED",
      reason: "RATE_EXCEEDED",
    });
  });
});

describeOver("a principal with many open batches", duplex, (protocol) => {
  const connection = useConnection(protocol, () => server);

  it("a principal may have 128 idle batches open, gets OVERLOADED for the next, and may open one when another has ended", async () => {
    const memories = createClient(MemoryProvider, connection().transport);
    const finish = createDeferred();
    const open = async (limit: string, mayEnd: Promise<void>) => {
      const items = async function* () {
        yield { add: { namespace, content: "one" } };
        await mayEnd;
      };
      const headers = headersOf(limit, protocol());
      const replies = memories.addBatch(items(), { headers })[Symbol.asyncIterator]();
      expect((await nextOf(replies))?.result.case).toBe("id");
      return replies;
    };
    const mayEndFirst = createDeferred();
    const first = await open("streaming", mayEndFirst.promise);
    await Promise.all(Array.from({ length: 127 }, () => open("streaming", finish.promise)));
    const items = streamOf([{ add: { namespace, content: "one" } }]);
    const headers = headersOf("streaming", protocol());
    const outcome = await callMethod(
      connection().transport,
      MemoryProvider.method.addBatch,
      await collect(items),
      headers,
    );
    expect(outcome.error && describeFailure(outcome.error)).toMatchObject({
      code: "RESOURCE_EXHAUSTED",
      reason: "OVERLOADED",
      message: expect.stringContaining(
        "128 streams of requests with your credentials are open",
      ) as unknown,
    });
    expect(outcome.error?.findDetails(RetryInfoSchema)).toHaveLength(1);
    await open("calm", finish.promise);
    mayEndFirst.resolve();
    expect(await collect({ [Symbol.asyncIterator]: () => first })).toEqual([]);
    await open("streaming", finish.promise);
    finish.resolve();
  });
});

describeOver("a principal with many calls at a time", duplex, (protocol) => {
  const connection = useConnection(protocol, () => server);
  it("a principal with 300 calls at a time gets some refused as OVERLOADED, while another principal is served", async () => {
    // It takes much longer to store a long text than to receive one, so many calls arrive before
    // the first call ends.
    const long = "a glass of old wine ".repeat(500);
    const memories = createClient(MemoryProvider, connection().transport);
    const addAs = (limit: string, content: string) =>
      memories.add({ namespace, content }, { headers: headersOf(limit, protocol()) });
    const busy = Promise.allSettled(
      Array.from({ length: 300 }, (_, number) => addAs("busy", `${number} ${long}`)),
    );
    expect((await addAs("calm", "calm")).id).not.toBe("");
    const refusals = (await busy).filter((outcome) => outcome.status === "rejected");
    expect(refusals.length).toBeGreaterThan(0);
    expect(300 - refusals.length).toBeGreaterThanOrEqual(128);
    for (const { reason } of refusals)
      expect(describeFailure(ConnectError.from(reason))).toMatchObject({
        code: "RESOURCE_EXHAUSTED",
        reason: "OVERLOADED",
        message: expect.stringContaining(
          "128 calls with your credentials are in progress",
        ) as unknown,
      });
  });
});

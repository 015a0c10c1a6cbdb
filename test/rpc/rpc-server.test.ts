import { once } from "node:events";
import { readFileSync } from "node:fs";
import { Agent, request } from "node:https";
import { connect, Server } from "node:net";
import { text } from "node:stream/consumers";
import { createClient } from "@connectrpc/connect";
import { createConnectTransport, createGrpcTransport } from "@connectrpc/connect-node";
import { pino } from "pino";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { MemoryProvider } from "#gen/vademecum/v1/memory_provider_pb.js";
import { startRpcServer } from "../../src/rpc/rpc-server.js";
import { systemTimer } from "../../src/system/timer.js";
import { memoryOf } from "../core/memory-fixture.js";
import { describeOver } from "../over-protocols.js";
import { createDeferred } from "./deferred.js";
import { domainOf } from "./domain-double.js";
import { memoryProviderClient, protocols } from "./protocols.js";
import { failureOf } from "./rpc-failure.js";
import { startTestRpcServer } from "./test-rpc-server.js";

const namespace = { userId: "ann", agentId: "cook" };

describeOver("a server that stops", protocols, (protocol) => {
  it("a stopping server lets a call in flight finish, and then closes its ports", async () => {
    const [started, finish] = [createDeferred(), createDeferred()];
    const server = await startTestRpcServer({
      get: async () => {
        started.resolve();
        await finish.promise;
        return { memory: memoryOf(), namespace };
      },
    });
    const client = memoryProviderClient(server, protocol());
    const call = client.get({ namespace, id: "m1" });
    await started.promise;
    const stopped = server.stop(60_000);
    finish.resolve();
    expect((await call).memory?.id).toBe("m1");
    await stopped;
    await expect(
      memoryProviderClient(server, protocol()).get({ namespace, id: "m1" }),
    ).rejects.toThrow();
  });

  it("a stopping server cancels a call that outlasts the grace period, along with its use case", async () => {
    const [started, ended] = [createDeferred(), createDeferred<unknown>()];
    const server = await startTestRpcServer({
      get: async (_query, call) => {
        started.resolve();
        await new Promise((resolve) => call.signal.addEventListener("abort", resolve));
        ended.resolve(call.signal.reason);
        throw call.signal.reason;
      },
    });
    const call = failureOf(memoryProviderClient(server, protocol()).get({ namespace, id: "m1" }));
    await started.promise;
    await server.stop(0);
    expect(await ended.promise).toMatchObject({ code: "CANCELLED" });
    await call;
    expect(server.logged).toEqual([]);
  });
});

describe.each(["grpcAddress", "httpAddress"] as const)("a connection to %s", (listener) => {
  const open = async () => {
    const server = await startTestRpcServer();
    const socket = connect({
      port: Number(server[listener].split(":")[1]),
      host: "127.0.0.1",
      allowHalfOpen: true,
    });
    onTestFinished(() => void socket.destroy());
    // The server may reset a connection whose bytes it has not read.
    socket.on("error", () => undefined).resume();
    await once(socket, "connect");
    return { server, socket };
  };
  // The preface and an empty SETTINGS frame.
  const http2Greeting = Buffer.concat([
    Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
    Buffer.from("000000040000000000", "hex"),
  ]);

  it.each([
    ["before it sends a byte", Buffer.alloc(0)],
    ["after the HTTP/2 preface", http2Greeting],
  ])("a connection closes when its client closes it %s", async (_name, bytes) => {
    const { socket } = await open();
    socket.end(bytes);
    await once(socket, "end");
  });

  it.each([
    ["has sent nothing", Buffer.alloc(0)],
    ["does not answer", http2Greeting],
  ])("a connection whose client %s does not delay the stop of the server", async (_name, bytes) => {
    const { server, socket } = await open();
    socket.write(bytes);
    await server.stop(0);
  });
});

describe("a server with a certificate", () => {
  const pem = (name: string) =>
    readFileSync(new URL(`../fixtures/tls/${name}.pem`, import.meta.url), "utf8");
  const certPem = pem("cert");
  const start = () =>
    startTestRpcServer(
      { get: async () => ({ memory: memoryOf(), namespace }) },
      { certPem, keyPem: pem("key") },
    );
  const nodeOptions = { ca: certPem };

  it("a server with a certificate serves gRPC over TLS", async () => {
    const { grpcAddress, httpAddress } = await start();
    for (const address of [grpcAddress, httpAddress]) {
      const client = createClient(
        MemoryProvider,
        createGrpcTransport({ baseUrl: `https://${address}`, nodeOptions }),
      );
      expect((await client.get({ namespace, id: "m1" })).memory?.id).toBe("m1");
    }
  });

  it.each(["1.1", "2"] as const)(
    "a server with a certificate serves Connect over TLS and HTTP/%s",
    async (httpVersion) => {
      const { httpAddress } = await start();
      const transport = createConnectTransport({
        baseUrl: `https://${httpAddress}`,
        httpVersion,
        nodeOptions,
      });
      expect(
        (await createClient(MemoryProvider, transport).get({ namespace, id: "m1" })).memory?.id,
      ).toBe("m1");
    },
  );

  it("a server with a certificate answers health checks over TLS and refuses plaintext", async () => {
    const { httpAddress } = await start();
    const body = await new Promise<string>((resolve, reject) => {
      const agent = new Agent({ ca: certPem });
      request(`https://${httpAddress}/healthz`, { agent }, (response) => resolve(text(response)))
        .on("error", reject)
        .end();
    });
    expect(JSON.parse(body)).toEqual({ status: "SERVING", writes: "ok" });
    await expect(fetch(`http://${httpAddress}/healthz`)).rejects.toThrow();
  });
});

describe("a server whose port is taken", () => {
  it("a server does not start if either of its ports is taken", async () => {
    const first = await startTestRpcServer();
    const [host = "", port = ""] = first.httpAddress.split(":");
    const log = pino({ level: "silent" });
    const free = { host, port: 0 };
    const taken = { host, port: Number(port) };
    const useCases = domainOf(() => ({}));
    const options = { domainOf: () => useCases, timer: systemTimer, log };
    const listen = vi.spyOn(Server.prototype, "listen");
    onTestFinished(() => listen.mockRestore());
    const openPorts = () => listen.mock.contexts.filter((it) => (it as Server).listening).length;
    await expect(startRpcServer({ ...options, grpc: free, http: taken })).rejects.toThrow(
      "EADDRINUSE",
    );
    expect(openPorts()).toBe(0);
    await expect(startRpcServer({ ...options, grpc: taken, http: free })).rejects.toThrow(
      "EADDRINUSE",
    );
    expect(openPorts()).toBe(0);
    expect(listen.mock.contexts.length).toBeGreaterThanOrEqual(3);
  });
});

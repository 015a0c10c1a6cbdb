import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { expect, it, onTestFinished } from "vitest";
import { MemoryProvider } from "#gen/vademecum/v1/memory_provider_pb.js";
import { startServerProcess } from "./harness/server-process.js";

const connectionCount = 10_000;
/** Default of --max-connections-per-address. */
const perAddress = 1_000;
/** Connections that are opened at the same time: fewer than most systems queue for a listener. */
const batchSize = 100;

it.each(["grpcUrl", "httpUrl"] as const)(
  "a client at another address is served while one address opens 10,000 connections to %s",
  async (port) => {
    const folder = await mkdtemp(join(tmpdir(), "vademecum-connections-"));
    const server = await startServerProcess(join(folder, "data"), {
      flags: ["--embedder", "none"],
    });
    const sockets: Socket[] = [];
    onTestFinished(async () => {
      for (const socket of sockets) socket.destroy();
      await server.end("SIGTERM");
      await rm(folder, { recursive: true });
    });
    const { hostname: host, port: number } = new URL(server[port]);
    let closed = 0;
    while (sockets.length < connectionCount) {
      const batch = Array.from({ length: batchSize }, () => {
        const socket = connect({ host, port: Number(number), localAddress: "127.0.0.2" });
        socket
          .on("error", () => undefined)
          .on("close", () => closed++)
          .resume();
        return socket;
      });
      sockets.push(...batch);
      await Promise.all(batch.map((socket) => once(socket, "connect")));
      if (sockets.length === connectionCount / 2) await addFrom(server[port]);
    }
    await addFrom(server[port]);
    // The server has closed the connections beyond the limit.
    expect(connectionCount - closed).toBeLessThanOrEqual(perAddress + batchSize);
  },
);

/** Adds a memory over a new connection from 127.0.0.1. */
async function addFrom(baseUrl: string): Promise<void> {
  const client = createClient(MemoryProvider, createGrpcTransport({ baseUrl }));
  const { id } = await client.add({
    namespace: { userId: "ann", agentId: "cook" },
    content: "She likes tea.",
  });
  expect(id).not.toBe("");
}

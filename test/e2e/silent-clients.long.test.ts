import { once } from "node:events";
import { readFileSync } from "node:fs";
import { cp, mkdtemp, rm } from "node:fs/promises";
import { type ClientHttp2Session, connect } from "node:http2";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { create, toBinary } from "@bufbuild/protobuf";
import { createClient } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { GetAllRequestSchema, MemoryProvider } from "#gen/vademecum/v1/memory_provider_pb.js";
import { grpcFrame } from "../rpc/raw-http2.js";
import { type ServerProcess, startServerProcess } from "./harness/server-process.js";

const ports = ["grpcUrl", "httpUrl"] as const;
const streamsPerConnection = 250;

/** Default of `--message-buffer`, in MB. */
const replyBufferMb = 256;
/** Memory that a server may take besides the replies, in MB. */
const besidesMb = 64;

/** Seconds until the server has reset calls whose replies nobody reads, on an idle machine. */
const unreadSeconds = 65;
/** Seconds until the server has ended calls that send no message, on an idle machine. */
const silentSeconds = 35;
/** How much longer a busy machine may take. */
const busyFactor = 3;
const namespace = { userId: "ann", agentId: "cook" };
/** Fifty memories of 60 KB make a reply of 3 MB. */
const page = { namespace, limit: 50 };

let folder = "";

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "vademecum-silent-"));
  const server = await startServer("filled");
  const client = memoryClient(server.grpcUrl);
  for (let number = 0; number < page.limit; number++)
    await client.add({ namespace, content: `${number} ${"wine ".repeat(12_000)}` });
  await server.end("SIGTERM");
});

afterAll(async () => {
  await rm(folder, { recursive: true });
});

function startServer(name: string): Promise<ServerProcess> {
  return startServerProcess(join(folder, name), { flags: ["--embedder", "none"] });
}

function memoryClient(baseUrl: string) {
  return createClient(MemoryProvider, createGrpcTransport({ baseUrl }));
}

/** Runs `use` with a server of its own, so that cases can wait side by side. */
async function withServer(
  name: string,
  use: (server: ServerProcess) => Promise<void>,
): Promise<void> {
  await cp(join(folder, "filled"), join(folder, name), { recursive: true });
  const server = await startServer(name);
  try {
    // Clients that read let the memory grow to its working size before the first measurement.
    for (const port of ports) {
      const client = memoryClient(server[port]);
      for (let round = 0; round < 3; round++)
        await Promise.all(Array.from({ length: 20 }, () => client.getAll(page)));
    }
    await use(server);
  } finally {
    await server.end("SIGTERM");
  }
}

/** Returns the resident memory of a server, in MB. */
function residentMb({ pid }: ServerProcess): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
}

/** Opens calls on a connection whose client reads nothing. Without `body`, they send no message. */
function openCalls(url: string, body: Uint8Array | undefined): readonly Promise<unknown>[] {
  const session: ClientHttp2Session = connect(url, { settings: { initialWindowSize: 0 } });
  session.on("error", () => undefined);
  const calls = Array.from({ length: streamsPerConnection }, () => {
    const stream = session.request(
      {
        ":method": "POST",
        ":path": "/vademecum.v1.MemoryProvider/GetAll",
        "content-type": "application/grpc",
        te: "trailers",
      },
      { endStream: false },
    );
    stream.on("error", () => undefined);
    if (body !== undefined) stream.end(body);
    return once(stream, "close");
  });
  void Promise.all(calls).then(() => session.destroy());
  return calls;
}

/**
 * Opens calls and waits until the server has ended them. Returns the duration in seconds, and the
 * growth of the server's resident memory up to its peak in this time, in MB.
 */
async function watchServer(
  server: ServerProcess,
  open: () => readonly Promise<unknown>[],
): Promise<{ readonly seconds: number; readonly moreMb: number }> {
  const before = residentMb(server);
  const startMs = performance.now();
  let peakMb = before;
  const timer = setInterval(() => {
    peakMb = Math.max(peakMb, residentMb(server));
  }, 250);
  await Promise.all(open());
  clearInterval(timer);
  return { seconds: (performance.now() - startMs) / 1000, moreMb: peakMb - before };
}

function openConnections(
  url: string,
  count: number,
  body: Uint8Array | undefined,
): readonly Promise<unknown>[] {
  return Array.from({ length: count }, () => openCalls(url, body)).flat();
}

describe("a client of either port", { concurrent: true }, () => {
  it.each([
    [1, besidesMb],
    [10, replyBufferMb + besidesMb],
  ])(
    "a client with %i connections that reads no reply costs the server at most %i MB",
    async (connections, mostMb) => {
      const body = grpcFrame(toBinary(GetAllRequestSchema, create(GetAllRequestSchema, page)));
      await withServer(`${connections}`, async (server) => {
        for (const port of ports) {
          const { seconds, moreMb } = await watchServer(server, () =>
            openConnections(server[port], connections, body),
          );
          process.stderr.write(
            `${port}, ${connections} unread connections: ${Math.round(moreMb)} MB more, ` +
              `gone after ${seconds.toFixed(1)} s (${unreadSeconds} s on a quiet machine)\n`,
          );
          expect(moreMb, port).toBeLessThan(mostMb);
          expect(seconds, port).toBeLessThan(unreadSeconds * busyFactor);
        }
      });
    },
  );

  it("a client that sends no message in 5,000 calls loses the calls after their deadline", async () => {
    await withServer("silent", async (server) => {
      for (const port of ports) {
        const { seconds } = await watchServer(server, () =>
          openConnections(server[port], 20, undefined),
        );
        process.stderr.write(
          `${port}: 5,000 calls without a message gone after ${seconds.toFixed(1)} s ` +
            `(${silentSeconds} s on a quiet machine)\n`,
        );
        expect(seconds, port).toBeLessThan(silentSeconds * busyFactor);
      }
    });
  });
});

import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "@connectrpc/connect";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { MemoryProvider } from "#gen/vademecum/v1/memory_provider_pb.js";
import { createGrpcJsTransport } from "../e2e/harness/grpc-js-transport.js";
import {
  FailedStart,
  type ServerProcess,
  startServerProcess,
} from "../faults/server/server-process.js";
import { isFullSuite } from "../suite.js";
import { runCommand } from "./run-command.js";

const tls = join(import.meta.dirname, "..", "fixtures", "tls");

let folder: string;
let data: string;
const running: ServerProcess[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "vademecum-serve-"));
  data = join(folder, "data");
});

afterEach(async () => {
  for (const server of running.splice(0)) await server.end("SIGKILL");
  await rm(folder, { recursive: true });
});

async function serve(...flags: readonly string[]): Promise<ServerProcess> {
  const server = await startServerProcess(data, { flags });
  running.push(server);
  return server;
}

/** Starts a server that must refuse to start, and returns how it ended. */
async function refusal(
  ...flags: readonly string[]
): Promise<{ exitCode: number | null; lines: string[] }> {
  try {
    running.push(await startServerProcess(data, { flags }));
  } catch (error) {
    if (!(error instanceof FailedStart)) throw error;
    return { exitCode: error.exitCode, lines: error.output.trimEnd().split("\n") };
  }
  throw new Error("the server started, but it must not");
}

describe("serve", () => {
  it.runIf(isFullSuite)(
    "serve ends immediately on a second signal, even while a call is in flight",
    async () => {
      const server = await serve("--drain-timeout", "60m");
      await holdCall(server);
      const impatience = setInterval(() => void server.end("SIGTERM"), 50);
      expect(await server.end("SIGTERM")).toBe(128 + 15);
      clearInterval(impatience);
    },
  );

  it.runIf(isFullSuite)("serve uses TLS on both listeners with --tls-cert", async () => {
    const server = await serve(
      "--tls-cert",
      join(tls, "cert.pem"),
      "--tls-key",
      join(tls, "key.pem"),
    );
    const address = server.grpcUrl.replace("http:", "https:");
    const trusting = await runCommand([
      "health",
      "--server",
      address,
      "--tls-ca",
      join(tls, "cert.pem"),
    ]);
    expect(trusting).toMatchObject({ exitCode: 0, stdout: "SERVING\n" });
    expect((await runCommand(["health", "--server", address])).exitCode).toBe(1);
    expect((await runCommand(["health", "--server", server.grpcUrl])).exitCode).toBe(1);
    expect(server.httpUrl).toMatch(/^https:/);
  });

  it.runIf(isFullSuite)(
    "serve names each allowed origin in its CORS header, and no other origin",
    async () => {
      const origins = ["https://app.example.com", "http://localhost:5173"];
      const { httpUrl } = await serve(
        ...origins.flatMap((origin) => ["--http-allow-origin", origin]),
      );
      for (const origin of [...origins, "https://other.example"]) {
        const { headers } = await fetch(`${httpUrl}/healthz`, { headers: { origin } });
        expect(headers.get("access-control-allow-origin")).toBe(
          origins.includes(origin) ? origin : null,
        );
      }
    },
  );
});

describe("serve with wrong settings", () => {
  it.runIf(isFullSuite)(
    "serve refuses a port that is in use, and releases the folder",
    async () => {
      const other = createServer();
      const port = await new Promise<number>((resolve) =>
        other.listen(0, "127.0.0.1", () => resolve((other.address() as { port: number }).port)),
      );
      for (const flag of ["--grpc", "--http"]) {
        const { exitCode, lines } = await refusal(flag, `127.0.0.1:${port}`);
        expect(exitCode).toBe(1);
        expect(lines.at(-1)).toBe(
          `error: cannot listen: EADDRINUSE: address already in use 127.0.0.1:${port}. ` +
            "Stop the process that uses the address, or choose other addresses with --grpc and --http; " +
            "port 0 takes any free port",
        );
      }
      await new Promise((resolve) => other.close(resolve));
    },
  );

  it("serve refuses wrong settings with exit code 2", async () => {
    expect(await refusal("--provider", "mongo", "--log-level", "loud")).toEqual({
      exitCode: 2,
      lines: [
        "error: --provider: got 'mongo'; allowed: level, memory, postgres",
        "error: --log-level: got 'loud'; allowed: trace, debug, info, warn, error, silent",
      ],
    });
  });

  it.runIf(isFullSuite)("serve refuses an unusable certificate with exit code 2", async () => {
    const missing = join(folder, "missing.pem");
    const first = await refusal("--tls-cert", missing, "--tls-key", join(tls, "key.pem"));
    expect(first).toMatchObject({
      exitCode: 2,
      lines: [expect.stringContaining(`error: --tls-cert: cannot read '${missing}'`)],
    });
    const second = await refusal(
      "--tls-cert",
      join(tls, "cert.pem"),
      "--tls-key",
      join(tls, "README.md"),
    );
    expect(second).toMatchObject({
      exitCode: 2,
      lines: [expect.stringMatching(/^error: --tls-cert, --tls-key: /)],
    });
  });
});

/** Starts a stream of adds that never ends, and waits for its first response. */
async function holdCall({ grpcUrl }: ServerProcess): Promise<void> {
  const client = createClient(MemoryProvider, createGrpcJsTransport(new URL(grpcUrl).host));
  async function* requests() {
    yield { add: { namespace: { userId: "ada", agentId: "sommelier" }, content: "kept" } };
    await new Promise(() => undefined);
  }
  await client.addBatch(requests())[Symbol.asyncIterator]().next();
}

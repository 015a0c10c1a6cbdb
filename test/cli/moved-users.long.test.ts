import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http2";
import type { AddressInfo } from "node:net";
import { Code, ConnectError, createClient, type Transport } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { afterEach, describe, expect, it } from "vitest";
import { ErrorInfoSchema, RetryInfoSchema } from "#gen/google/rpc/error_details_pb.js";
import { AdminService } from "#gen/vademecum/v1/admin_pb.js";
import { KeyValueService } from "#gen/vademecum/v1/key_value_service_pb.js";
import { MemoryProvider } from "#gen/vademecum/v1/memory_provider_pb.js";
import { repeatHeldCalls } from "../../src/cli/held-calls.js";
import { startTestServer } from "../e2e/harness/test-server.js";
import { runCommand } from "./run-command.js";

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

async function serve(more: Record<string, string> = {}) {
  const server = await startTestServer({ provider: "level", embedder: "none", ...more });
  ends.push(() => server.stop());
  return server;
}

const namespace = ["--user", "ann", "--agent", "x"];

describe("a command for a user who has moved", () => {
  it("a command for a moved user is answered through the old server", async () => {
    const [old, current] = [await serve(), await serve()];
    const move = ["move", "--from", old.grpcUrl, "--to", current.grpcUrl];
    await runCommand(["add", "tea with milk", "--server", old.grpcUrl, ...namespace]);
    expect((await runCommand(move)).exitCode).toBe(0);
    const added = await runCommand(["add", "tea", "--server", old.grpcUrl, ...namespace]);
    expect(added).toMatchObject({ exitCode: 0, stderr: "" });
    const found = await runCommand(["search", "milk", "--server", old.grpcUrl, ...namespace]);
    expect(found.stdout).toContain("tea with milk");
    const listed = await runCommand(["list", "--server", current.grpcUrl, ...namespace]);
    expect(listed.stdout.match(/tea/g)).toHaveLength(2);
  });
});

it("a command for a moved user whose server does not forward names the new address", async () => {
  const old = await serve({ "on-moved": "refuse" });
  const admin = createClient(AdminService, createGrpcTransport({ baseUrl: old.grpcUrl }));
  const { holdId } = await admin.holdWrites({ range: {} });
  await admin.holdWrites({ range: {}, holdId, movedTo: "http://127.0.0.1:1" });
  const failed = await runCommand(["list", "--server", old.grpcUrl, ...namespace]);
  expect(failed).toMatchObject({ exitCode: 1, stdout: "" });
  expect(failed.stderr).toContain("this user has moved to http://127.0.0.1:1");
  expect(failed.stderr).toContain("(FAILED_PRECONDITION, MOVED)");
});

it("a command can call the HTTP address of a server", async () => {
  const server = await serve();
  const added = await runCommand(["add", "tea", "--server", server.httpUrl, ...namespace]);
  expect(added).toMatchObject({ exitCode: 0, stderr: "" });
});

it("a move copies a run that is larger than one connection's share of the request buffer", async () => {
  const [old, current] = [await serve(), await serve({ "message-buffer": "64MiB" })];
  const value = "x".repeat(60_000);
  const at = (baseUrl: string) => createClient(KeyValueService, createGrpcTransport({ baseUrl }));
  const scope = { runId: "r" };
  for (let key = 0; key < 120; key++)
    await at(old.grpcUrl).writeKey({ ...scope, key: `k${key}`, value });
  const moved = await runCommand(["move", "--from", old.grpcUrl, "--to", current.grpcUrl]);
  expect(moved.exitCode).toBe(0);
  expect((await at(current.grpcUrl).readKey({ ...scope, key: "k119" })).value).toBe(value);
});

describe("a call", () => {
  const add = (transport: Transport, timeoutMs?: number) => {
    const request = { namespace: { userId: "ann", agentId: "x" }, content: "tea" };
    return transport.unary(MemoryProvider.method.add, undefined, timeoutMs, {}, request);
  };

  const held = (seconds: bigint, nanos = 0) =>
    new ConnectError("writes are held", Code.Unavailable, undefined, [
      { desc: ErrorInfoSchema, value: { reason: "WRITES_HELD" } },
      { desc: RetryInfoSchema, value: { retryDelay: { seconds, nanos } } },
    ]);
  const failing = (errors: readonly Error[]) => {
    const left = [...errors];
    const unary = async () => {
      const error = left.shift();
      if (error !== undefined) throw error;
      return "stored";
    };
    return { unary } as unknown as Transport;
  };
  it("a call repeats a held write until the server stores it", async () => {
    const transport = repeatHeldCalls(failing([held(0n, 1_000), held(0n, 1_000)]));
    expect(await add(transport)).toBe("stored");
  });

  it("a call without a time limit repeats a held write", async () => {
    const transport = repeatHeldCalls(failing([held(0n, 1_000)]));
    expect(await add(transport, 0)).toBe("stored");
  });

  it("a call fails with WRITES_HELD when its deadline comes before the next attempt", async () => {
    const error = held(60n);
    const transport = repeatHeldCalls(failing([error]));
    await expect(add(transport, 30_000)).rejects.toBe(error);
  });
});

describe("a command about a user", () => {
  it("a command about a user sends a digest of the user's id, by which proxies choose the server", async () => {
    const seen: (string | string[] | undefined)[] = [];
    const server = createServer((request, response) => {
      seen.push(request.headers["x-vademecum-user"]);
      response.writeHead(403).end();
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    ends.push(() => server.close());
    const { port } = server.address() as AddressInfo;
    const at = ["--server", `127.0.0.1:${port}`, ...namespace];
    await runCommand(["add", "tea", ...at]);
    await runCommand(["search", "tea", ...at]);
    const digest = createHash("sha256").update("ann").digest("hex").slice(0, 16);
    expect(seen).toEqual([digest, digest]);
  });
});

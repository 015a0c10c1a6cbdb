import { createClient } from "@connectrpc/connect";
import { afterEach, describe, expect, it } from "vitest";
import { AdminService } from "#gen/vademecum/v1/admin_pb.js";
import { MemoryProvider } from "#gen/vademecum/v1/memory_provider_pb.js";
import { runCommand } from "../cli/run-command.js";
import { startCredentialedServer } from "./harness/credentialed-server.js";
import { failureOf } from "./harness/failure.js";
import { createNamespaceClient, type NamespaceClient } from "./harness/namespace-client.js";
import { type Connection, nativeGrpc, type ServerUrls } from "./harness/protocols.js";
import { startTestServer, type TestServer } from "./harness/test-server.js";

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

async function serve(flags: Readonly<Record<string, string>> = {}): Promise<TestServer> {
  const server = await startTestServer({ embedder: "none", ...flags });
  ends.push(() => server.stop());
  return server;
}

function connect(server: Pick<ServerUrls, "grpcUrl">): Connection {
  const connection = nativeGrpc.connect({ ...server, httpUrl: "" });
  ends.push(() => connection.close());
  return connection;
}

function clientOf(server: ServerUrls): NamespaceClient {
  const provider = createClient(MemoryProvider, connect(server).transport);
  return createNamespaceClient(provider, { userId: "ann", agentId: "x" });
}

function move(
  from: Pick<ServerUrls, "grpcUrl">,
  to: Pick<ServerUrls, "grpcUrl">,
  ...more: readonly string[]
) {
  return runCommand(["move", "--from", from.grpcUrl, "--to", to.grpcUrl, "--json", ...more]);
}

describe("the command move", () => {
  it("a repeated move keeps the earlier --client-address by default, and a move back does not use it", async () => {
    const flags = { provider: "memory", "on-moved": "refuse" };
    const [a, b] = [await serve(flags), await serve(flags)];
    const [onA, onB] = [clientOf(a), clientOf(b)];
    await onA.addAll("one");
    const movedTo = async (client = onA) => (await failureOf(client.contents())).metadata;
    expect((await move(a, b, "--client-address", b.httpUrl)).exitCode).toBe(0);
    expect(await movedTo()).toEqual({ address: b.httpUrl });
    const again = await move(a, b, "--dry-run");
    expect(JSON.parse(again.stdout)).toMatchObject({ scopes: 0, clientAddress: b.httpUrl });
    const other = b.grpcUrl.replace("127.0.0.1", "localhost");
    expect((await move(a, b, "--client-address", other)).exitCode).toBe(0);
    expect(await movedTo()).toEqual({ address: other });
    expect((await move(b, a)).exitCode).toBe(0);
    expect(await onA.contents()).toEqual(["one"]);
    expect(await movedTo(onB)).toEqual({ address: a.grpcUrl });
  });

  it("a move of one user leaves the others where they are, and a move of all takes the rest", async () => {
    const [a, b] = [await serve({ provider: "memory" }), await serve({ provider: "memory" })];
    const of = (server: TestServer, userId: string) =>
      createNamespaceClient(createClient(MemoryProvider, connect(server).transport), {
        userId,
        agentId: "x",
      });
    for (const userId of ["ann", "bob"]) await of(a, userId).addAll(`by ${userId}`);
    const moved = await move(a, b, "--user", "ann");
    expect(JSON.parse(moved.stdout)).toMatchObject({ scopes: 1 });
    for (const server of [a, b]) expect(await of(server, "ann").contents()).toEqual(["by ann"]);
    expect(await of(a, "bob").contents()).toEqual(["by bob"]);
    expect(await of(b, "bob").contents()).toEqual([]);
    expect(JSON.parse((await move(a, b)).stdout)).toMatchObject({ scopes: 1 });
    for (const userId of ["ann", "bob"])
      expect(await of(b, userId).contents()).toEqual([`by ${userId}`]);
    const overlapping = ["--range", "00000000-0000ffff", "--range", "00001000-ffffffff"];
    expect((await move(b, a, ...overlapping)).stderr).toContain("two ranges overlap");
  });

  it("a move within one store is refused, even between two addresses of a server", async () => {
    const server = await serve({ provider: "memory" });
    const refused = await move(server, { grpcUrl: server.httpUrl }, "--dry-run");
    expect(refused.exitCode).toBe(1);
    expect(refused.stderr).toContain("--to: this server has the same data as that of --from");
  });

  it("a move without a terminal prints a line for each stage", async () => {
    const [a, b] = [await serve({ provider: "memory" }), await serve({ provider: "memory" })];
    const { stderr } = await runCommand(["move", "--from", a.grpcUrl, "--to", b.grpcUrl]);
    expect(stderr).toMatch(/^comparison: .*\nround 1: 100 % \(0 of 0 changed scopes\)\nround 2: /);
    expect(stderr).toMatch(/\ncut-over: part 1 of \d+\n/);
  });

  it("a move needs the role operator on both servers", async () => {
    const all = { users: ["*"], agents: ["*"], runs: ["*"], tools: ["*"] };
    const server = await startCredentialedServer([
      { name: "reader", roles: ["reader"], ...all },
      { name: "op", roles: ["operator"], ...all },
    ]);
    ends.push(() => server.stop());
    const open = await serve({ provider: "memory" });
    const keyOf = (name: string) => server.headerOf(name).authorization.replace("Bearer ", "");
    const run = (name: string, from: string, to: string) =>
      runCommand(["move", "--from", from, "--to", to, "--json"], {
        environment: { VADEMECUM_API_KEY: keyOf(name) },
      });
    for (const [from, to, side] of [
      [server.grpcUrl, open.grpcUrl, "from"],
      [open.grpcUrl, server.grpcUrl, "to"],
    ] as const) {
      const refused = await run("reader", from, to);
      expect(refused.exitCode).toBe(1);
      expect(JSON.parse(refused.stderr)).toMatchObject({ reason: "ROLE_REQUIRED", side });
    }
    expect((await run("op", server.grpcUrl, open.grpcUrl)).exitCode).toBe(0);
  });

  it("a failed move says which server refused the credentials, and which option names the key", async () => {
    const closed = await startCredentialedServer([]);
    ends.push(() => closed.stop());
    const open = await serve({ provider: "memory" });
    const run = (from: string, to: string, ...more: readonly string[]) =>
      runCommand(["move", "--from", from, "--to", to, ...more]);
    const source = await run(closed.grpcUrl, open.grpcUrl);
    expect(source.stderr).toMatch(
      /^error: --from: .*CREDENTIALS_REQUIRED\)\n.* --api-key-file\.$/m,
    );
    const target = await run(open.grpcUrl, closed.grpcUrl);
    expect(target.stderr).toMatch(
      /^error: --to: .*CREDENTIALS_REQUIRED\)\n.* --to-api-key-file\. /m,
    );
    const missing = await run(open.grpcUrl, closed.grpcUrl, "--to-api-key-file", "/does/not/exist");
    expect(missing.stderr).toContain("error: --to-api-key-file: cannot read");
    const silent = await run(open.grpcUrl, "127.0.0.1:1");
    expect(silent.stderr).toContain("error: --to: no server answers at http://127.0.0.1:1 ");
    expect(silent.stderr).toContain("or give its address with --to.");
  });

  it("a move needs two different addresses", async () => {
    expect((await runCommand(["move"])).stderr).toContain("--from and --to: both are needed");
    const same = await runCommand(["move", "--from", "127.0.0.1:1", "--to", "127.0.0.1:1"]);
    expect(same).toMatchObject({ exitCode: 2 });
  });
});

describe("HoldWrites", () => {
  it("HoldWrites refuses moved_to without hold_id or store, moved_to_store alone or with list_only, hand_over without a hold, and changes without a range", async () => {
    const admin = createClient(AdminService, connect(await serve()).transport);
    const movedTo = "http://127.0.0.1:1";
    for (const [request, field] of [
      [{ movedTo }, "hold_id"],
      [{ movedToStore: "a store" }, "moved_to_store"],
      [{ movedTo, movedToStore: "a store", listOnly: true }, "moved_to_store"],
      [{ movedTo, handOver: true }, "hand_over"],
      [{ movedTo, handOver: true, listOnly: true }, "hand_over"],
      [{ movedTo, release: true }, "moved_to"],
      [{}, "range"],
      [{ release: true }, "range"],
    ] as const) {
      const failure = await failureOf(admin.holdWrites(request));
      expect(failure).toMatchObject({ code: "INVALID_ARGUMENT", fields: [field] });
    }
    expect((await admin.holdWrites({ range: {}, movedTo, movedToStore: "a store" })).moves).toEqual(
      [],
    );
  });

  it("HoldWrites says what is wrong with an address", async () => {
    const admin = createClient(AdminService, connect(await serve()).transport);
    const failure = await failureOf(
      admin.holdWrites({ listOnly: true, movedTo: "not an address" }),
    );
    expect(failure.message).toContain("moved_to: must be an address such as http://10.0.0.2:50051");
  });

  it("HoldWrites names the store by an id that no other store has", async () => {
    const [server, other] = [await serve({ provider: "memory" }), await serve()];
    const storeIds = await Promise.all(
      [server, server, other].map(async (called) => {
        const admin = createClient(AdminService, connect(called).transport);
        return (await admin.holdWrites({ listOnly: true })).storeId;
      }),
    );
    expect(storeIds[0]).toMatch(/^[0-9a-f]{32}$/);
    expect(storeIds[1]).toBe(storeIds[0]);
    expect(storeIds[2]).not.toBe(storeIds[0]);
  });
});

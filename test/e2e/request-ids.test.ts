import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { type CallOptions, createClient } from "@connectrpc/connect";
import { afterAll, beforeAll, expect, it } from "vitest";
import { MemoryProvider } from "#gen/vademecum/v1/memory_provider_pb.js";
import { auditFolder } from "../../src/audit/audit-files.js";
import { describeOver } from "../over-protocols.js";
import { type CredentialedServer, startCredentialedServer } from "./harness/credentialed-server.js";
import { collect, required } from "./harness/namespace-client.js";
import { protocols } from "./harness/protocols.js";
import { useConnection } from "./harness/use-connection.js";

const principals = [{ name: "ann", roles: ["writer"], users: ["ann"], agents: ["*"] }] as const;
const namespace = { userId: "ann", agentId: "a" };

// The transport of the grpc-js client of these tests keeps no headers.
const withHeaders = protocols.filter(({ name }) => !name.includes("grpc-js client"));

describeOver("the request id of a call", withHeaders, (protocol) => {
  const lines: Record<string, unknown>[] = [];
  let data = "";
  let server: CredentialedServer | undefined;
  beforeAll(async () => {
    const output = new PassThrough().on("data", (chunk: Buffer) => {
      for (const line of String(chunk).trim().split("\n"))
        lines.push(JSON.parse(line) as Record<string, unknown>);
    });
    data = await mkdtemp(join(tmpdir(), "vademecum-request-ids-"));
    const flags = { provider: "level", data, embedder: "none", "log-level": "debug" };
    server = await startCredentialedServer(principals, flags, undefined, undefined, output);
  });
  afterAll(async () => {
    await server?.stop();
    await rm(data, { recursive: true });
  });
  const connection = useConnection(protocol, () => server);
  const memories = () => createClient(MemoryProvider, connection().transport);
  /** Makes a call with a request id. Returns the ids of the response, of its log line and so on. */
  const idsOf = async (
    given: string | undefined,
    call: (options: CallOptions) => Promise<unknown>,
  ) => {
    lines.length = 0;
    let returned: string | undefined;
    const note = (headers: Headers) => {
      returned ??= headers.get("x-request-id") ?? undefined;
    };
    const headers = {
      ...required(server, "no server").headerOf("ann"),
      ...(given !== undefined && { "x-request-id": given }),
    };
    await call({ headers, onHeader: note, onTrailer: note }).catch((error: unknown) =>
      note((error as { metadata: Headers }).metadata),
    );
    return { returned, logged: lines.flatMap(({ requestId }) => requestId ?? []) };
  };

  it("is returned as it was given, and is in the log, whether or not the call succeeds", async () => {
    const added = await idsOf("trip-7/a", (options) =>
      memories().add({ namespace, content: "tea" }, options),
    );
    expect(added).toEqual({ returned: "trip-7/a", logged: ["trip-7/a"] });
    const absent = await idsOf("trip-7/b", (options) =>
      memories().get({ namespace, id: "absent" }, options),
    );
    expect(absent).toEqual({ returned: "trip-7/b", logged: ["trip-7/b"] });
    const found = await idsOf("trip-7/c", (options) =>
      collect(memories().search({ namespace, query: "tea" }, options)),
    );
    expect(found).toEqual({ returned: "trip-7/c", logged: ["trip-7/c"] });
  });

  it("is made by the server if there is none, or one that a log line should not hold", async () => {
    const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;
    for (const given of [undefined, "x".repeat(129), "two words"]) {
      const { returned, logged } = await idsOf(given, (options) =>
        memories().get({ namespace, id: "absent" }, options),
      );
      expect(returned).toMatch(uuid);
      expect(logged).toEqual([returned]);
    }
  });

  it("is in the log and in the audit trail of a call that was denied", async () => {
    const denied = await idsOf("trip-8", (options) =>
      memories().add({ namespace: { ...namespace, userId: "bob" }, content: "tea" }, options),
    );
    expect(denied).toEqual({ returned: "trip-8", logged: ["trip-8", "trip-8"] });
    await server?.stop();
    server = undefined;
    const audit = auditFolder(data);
    const [file = ""] = (await readdir(audit)).filter((name) => name.endsWith(".jsonl"));
    const trail = await readFile(join(audit, file), "utf8");
    expect(trail).toContain('"requestId":"trip-7/a"');
    expect(trail).toContain('"requestId":"trip-8"');
  });
});

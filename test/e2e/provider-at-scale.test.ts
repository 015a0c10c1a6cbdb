import { createClient } from "@connectrpc/connect";
import { afterEach, describe, expect, it } from "vitest";
import { MemoryProvider } from "#gen/vademecum/v1/memory_provider_pb.js";
import { bySuite } from "../suite.js";
import { createNamespaceClient, type NamespaceClient } from "./harness/namespace-client.js";
import { type Connection, nativeGrpc } from "./harness/protocols.js";
import { startTestServer, type TestServer } from "./harness/test-server.js";

const namespace = { userId: "ann", agentId: "one" };

let server: TestServer | undefined;
let connection: Connection | undefined;
afterEach(async () => {
  connection?.close();
  await server?.stop();
});

async function start(flags: Readonly<Record<string, string>>): Promise<NamespaceClient> {
  server = await startTestServer(flags);
  connection = nativeGrpc.connect(server);
  return createNamespaceClient(createClient(MemoryProvider, connection.transport), namespace);
}

const calls = bySuite({ quick: 200, full: 1000 });

describe.each(bySuite({ quick: ["level"], full: ["level", "memory"] }))(
  "many calls at once on %s",
  (provider) => {
    it(`${calls} parallel Adds get different ids, and all memories are stored`, async () => {
      const memories = await start({ provider });
      const replies = await Promise.all(
        Array.from({ length: calls }, (_, i) => memories.add(`memory ${i}`)),
      );
      const ids = new Set(replies.map(({ id }) => id));
      expect(ids.size).toBe(calls);
      expect(new Set((await memories.list({ limit: calls / 4 })).map(({ id }) => id))).toEqual(ids);
      expect(new Set(replies.map(({ commitSeq }) => commitSeq)).size).toBe(calls);
      const { hits } = await memories.search("", { limit: 1000 });
      expect(new Set(hits.map(({ memory }) => memory?.id))).toEqual(ids);
    });
  },
);

describe("a search with a small budget", () => {
  it("a search with a small budget lists at most 100 omissions, and counts the others", async () => {
    const memories = await start({ provider: "memory" });
    await memories.add("x");
    await Promise.all(
      Array.from({ length: 130 }, (_, i) => memories.add(`a text of several tokens, number ${i}`)),
    );
    const { contents, summary } = await memories.search("", { budgetTokens: 1, limit: 1000 });
    expect(contents).toEqual(["x"]);
    expect(summary).toMatchObject({ totalMatches: 131n, returned: 1, omittedCount: 30n });
    expect(summary.omitted).toHaveLength(100);
  });
});

describe.each(["level", "memory"])(
  "a server on %s that was started with --allow-reset",
  (provider) => {
    it("Reset of everything empties every namespace of every user, and the server keeps working", async () => {
      const memories = await start({ provider, "allow-reset": "true" });
      const others = ["ann", "bob", "\u0000", "ann/one"].map((userId) =>
        createNamespaceClient(memories.provider, { userId, agentId: "two" }),
      );
      for (const some of [memories, ...others]) await some.addAll("first", "second");
      const everything = { target: { case: "everything", value: true } } as const;
      expect((await memories.provider.reset(everything)).deleted).toBe(10n);
      for (const some of [memories, ...others]) {
        expect(await some.contents()).toEqual([]);
        expect((await some.search("first")).summary.totalMatches).toBe(0n);
      }
      expect((await memories.provider.reset(everything)).deleted).toBe(0n);
      await memories.add("afterwards");
      expect(await memories.contents()).toEqual(["afterwards"]);
    });
  },
);

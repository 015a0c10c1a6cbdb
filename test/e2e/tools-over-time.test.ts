import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { createClient } from "@connectrpc/connect";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { AdminService } from "#gen/vademecum/v1/admin_pb.js";
import { MemoryType } from "#gen/vademecum/v1/memory_pb.js";
import type { Timer } from "../../src/core/ports/timer.js";
import { type Connection, nativeGrpc } from "./harness/protocols.js";
import { startTestServer, type TestServer } from "./harness/test-server.js";
import { createToolClient, open, type ToolClient } from "./tools/tool-client.js";

const { EPISODIC, WORKING } = MemoryType;
const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

let nowMs = Date.parse("2026-03-01T12:00:00Z");
/** A timer that never fires. */
const timer: Timer = { after: () => () => undefined };

let server: TestServer | undefined;
let connection: Connection | undefined;

beforeAll(async () => {
  server = await startTestServer({ embedder: "none" }, { clock: { nowMs: () => nowMs }, timer });
  connection = nativeGrpc.connect(server);
});

afterAll(async () => {
  connection?.close();
  await server?.stop();
});

function connected(): Connection {
  if (connection === undefined) throw new Error("the server is not running");
  return connection;
}

async function toolOf(userId: string): Promise<ToolClient> {
  const tool = createToolClient(connected(), userId, "agent");
  await tool.declare(open(EPISODIC), open(WORKING));
  return tool;
}

const query = (memoryType: MemoryType) => [{ queryId: "q", memoryType, queryText: "goal" }];

describe("tools over time", () => {
  it("a cached result is used for five minutes", async () => {
    const tool = await toolOf("cache");
    await tool.memories.addAll("goal");
    await tool.ask(query(EPISODIC));
    nowMs += 5 * minuteMs - 1;
    await tool.ask(query(EPISODIC));
    expect(await tool.events()).toEqual(["q CACHED"]);
    nowMs += 1;
    await tool.ask(query(EPISODIC));
    expect(await tool.events()).toEqual(["q QUERIED"]);
  });

  it("a cached result is not used after a memory in it has expired", async () => {
    const tool = await toolOf("expiry");
    await tool.memories.add("goal", {
      memoryType: WORKING,
      expireTime: timestampFromDate(new Date(nowMs + minuteMs)),
    });
    expect((await tool.ask(query(WORKING)))[0]?.contents).toEqual(["goal"]);
    nowMs += minuteMs;
    expect((await tool.ask(query(WORKING)))[0]?.contents).toEqual([]);
    expect(await tool.events()).toEqual(["q QUERIED"]);
  });

  it("after the successor of a memory expires, a query returns the memory and no cached result, even if the successor has another type", async () => {
    const tool = await toolOf("successor expiry");
    const { id } = await tool.memories.add("goal", { memoryType: EPISODIC });
    await tool.memories.add("goal for now", {
      memoryType: WORKING,
      supersedes: id,
      expireTime: timestampFromDate(new Date(nowMs + minuteMs)),
    });
    expect((await tool.ask(query(EPISODIC)))[0]?.contents).toEqual([]);
    nowMs += minuteMs;
    expect((await tool.ask(query(EPISODIC)))[0]?.contents).toEqual(["goal"]);
    expect(await tool.events()).toEqual(["q QUERIED"]);
  });

  it("working memories that a tool wrote expire after a day", async () => {
    const tool = await toolOf("working");
    await tool.submit({
      memoryWrites: [{ content: "goal", memoryType: WORKING }, { content: "goal reached" }],
    });
    nowMs += dayMs - 1;
    expect((await tool.ask(query(WORKING)))[0]?.contents).toEqual(["goal"]);
    nowMs += 1;
    expect((await tool.ask(query(WORKING)))[0]?.contents).toEqual([]);
    expect((await tool.ask(query(EPISODIC)))[0]?.contents).toEqual(["goal reached"]);
  });

  it("trace entries are kept for thirty days, and then pruned", async () => {
    const tool = await toolOf("trace");
    const admin = createClient(AdminService, connected().transport);
    const prunedEntries = async (dryRun: boolean) => {
      const { outcomes } = await admin.prune({ dryRun });
      return outcomes.find(({ name }) => name === "turn_entries")?.result;
    };
    for (let at = 0; at < 25; at++) {
      const queries = Array.from({ length: 10 }, (_, number) => ({
        queryId: `q${number}`,
        memoryType: EPISODIC,
      }));
      await tool.ask(queries, {
        requestId: "old",
        agentContext: { agentId: "agent", taskId: "task" },
      });
    }
    nowMs += dayMs;
    await tool.ask(query(EPISODIC), { requestId: "young" });
    nowMs += 29 * dayMs;
    expect(await tool.trace("old")).toHaveLength(250);
    nowMs += 1;
    expect(Number((await prunedEntries(true))?.value)).toBeGreaterThanOrEqual(250);
    expect(await tool.trace("old")).toHaveLength(250);
    await prunedEntries(false);
    expect(await tool.trace("old")).toEqual([]);
    expect(await tool.trace("young")).toHaveLength(1);
    expect(await prunedEntries(false)).toMatchObject({ case: "removed", value: 0n });
  });
});

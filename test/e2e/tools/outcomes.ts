import { type Timestamp, timestampDate } from "@bufbuild/protobuf/wkt";
import { expect } from "vitest";
import { MemoryType } from "#gen/vademecum/v1/memory_pb.js";
import { TurnEvent } from "#gen/vademecum/v1/tool_pb.js";
import { failureOf } from "../harness/failure.js";
import { open, type Query, type ToolTest } from "./tool-client.js";

const { EPISODIC, SEMANTIC } = MemoryType;
const query = (queryId: string, fields: Partial<Query> = {}): Query => ({
  ...{ queryId, memoryType: EPISODIC, queryText: "wine" },
  ...fields,
});

/** Cases of what a result says about its query, and of the calls without streams. */
export function outcomeCases(it: ToolTest): void {
  it("each result says what happened to its query, and why", async ({ tool }) => {
    await tool.declare({ ...open(EPISODIC), kinds: ["taste"] });
    await tool.memories.add("Likes red wine from Burgundy", { kind: "taste" });
    const asked = [
      query("queried"),
      query("truncated", { budgetTokens: 1 }),
      query("denied", { memoryType: SEMANTIC }),
      query("kind", { filter: { kinds: ["secret"] } }),
      query("invalid", { limit: 0 }),
    ];
    const outcomes = await tool.ask(asked);
    const told = outcomes.map(({ queryId, last: { outcome } }) => [queryId, TurnEvent[outcome]]);
    expect(told).toEqual([
      ["queried", "QUERIED"],
      ["truncated", "TRUNCATED"],
      ["denied", "DENIED"],
      ["kind", "DENIED"],
      ["invalid", "INVALID"],
    ]);
    const reasons = new Map(outcomes.map(({ queryId, last }) => [queryId, last.reason]));
    expect(reasons.get("queried")).toBe("");
    for (const queryId of ["truncated", "denied", "kind", "invalid"]) {
      const entries = (await tool.trace()).filter((entry) => entry.queryId === queryId);
      expect(reasons.get(queryId)).toContain(entries.at(-1)?.reason);
      expect(reasons.get(queryId)).not.toBe("");
    }
    expect((await tool.ask([query("queried")]))[0]?.last.outcome).toBe(TurnEvent.CACHED);
  });

  it("QueryMemoryUnary returns the same results in one message, also for a faulty query", async ({
    tool,
  }) => {
    await tool.declare(open(EPISODIC));
    for (let i = 0; i < 40; i++) await tool.memories.add(`Wine number ${i}`);
    const queries = [query("many", { limit: 40, budgetTokens: 500 }), query("bad", { limit: 0 })];
    const streamed = await tool.ask(queries);
    const { userId, agentId } = tool.memories.namespace;
    const { results } = await tool.stub.queryMemoryUnary({
      request: {
        ...{ requestId: "unary", toolId: tool.toolId, toolVersion: "1", userId, queries },
        agentContext: { agentId },
      },
    });
    expect(results.map(({ results: found }) => found.map(({ memory }) => memory?.content))).toEqual(
      streamed.map(({ contents }) => contents),
    );
    expect(results[0]).toMatchObject({ continued: false, returnedResults: 40 });
    expect(results.map(({ outcome }) => TurnEvent[outcome])).toEqual(["CACHED", "INVALID"]);
    expect(await tool.events("unary")).toEqual(["many CACHED", "bad INVALID"]);
  });

  it("a trace is listed page by page", async ({ tool }) => {
    await tool.declare(open(EPISODIC));
    await tool.ask(
      ["a", "b", "c"].map((id) => query(id)),
      { requestId: "r" },
    );
    await tool.ask([query("d")], { requestId: "r2" });
    const trace = {
      ...tool.memories.namespace,
      turn: { case: "requestId", value: "r" } as const,
    };
    const listed: string[] = [];
    let pageToken = "";
    do {
      const page = await tool.stub.listTurnEntries({ trace, limit: 2, pageToken });
      listed.push(...page.entries.map(({ queryId }) => queryId));
      pageToken = page.nextPageToken;
    } while (pageToken !== "");
    expect(listed).toEqual(["a", "b", "c"]);
    expect(await failureOf(tool.stub.listTurnEntries({}))).toMatchObject({
      code: "INVALID_ARGUMENT",
      fields: ["trace"],
    });
  });

  it("turns are listed newest first with their sums, page by page and by event", async ({
    tool,
  }) => {
    await tool.declare(open(EPISODIC));
    await tool.memories.add("Likes red wine");
    await tool.ask([query("a"), query("b", { memoryType: SEMANTIC })], {
      requestId: "r1",
      agentContext: { agentId: "agent", taskId: "dinner" },
    });
    await tool.ask([query("a", { queryText: "red wine" })], { requestId: "r2" });
    await tool.ask([query("a", { limit: 0 })], { requestId: "r3" });
    const { namespace } = tool.memories;
    const { turns } = await tool.stub.listTurns({ ...namespace });
    expect(turns.map(({ requestId }) => requestId)).toEqual(["r3", "r2", "r1"]);
    expect(turns[2]).toMatchObject({
      ...{ requestId: "r1", taskId: "dinner", toolIds: [tool.toolId] },
      ...{ queries: 2, denied: 1, failed: 0, truncated: 0 },
    });
    expect(turns[2]?.tokensUsed).toBeGreaterThan(0);
    expect(turns[0]).toMatchObject({ queries: 1, failed: 1, tokensUsed: 0 });
    const denied = await tool.stub.listTurns({ ...namespace, events: [TurnEvent.DENIED] });
    expect(denied.turns.map(({ requestId }) => requestId)).toEqual(["r1"]);
    const paged: string[] = [];
    let pageToken = "";
    do {
      const page = await tool.stub.listTurns({ ...namespace, limit: 1, pageToken });
      paged.push(...page.turns.map(({ requestId }) => requestId));
      pageToken = page.nextPageToken;
    } while (pageToken !== "");
    expect(paged).toEqual(["r3", "r2", "r1"]);
    const stranger = { userId: "stranger", agentId: "agent" };
    expect((await tool.stub.listTurns(stranger)).turns).toEqual([]);
  });

  it("Get says when a tool last got a memory, and reading changes nothing else of it", async ({
    tool,
  }) => {
    await tool.declare(open(EPISODIC));
    const { id } = await tool.memories.add("Likes red wine");
    const { id: unread } = await tool.memories.add("Has a sister");
    const added = await tool.memories.get(id);
    expect(added.lastUsedTime).toBeUndefined();
    await tool.memories.search("wine");
    expect((await tool.memories.get(id)).lastUsedTime).toBeUndefined();
    const before = Date.now();
    expect((await tool.ask([query("first")]))[0]?.contents).toEqual(["Likes red wine"]);
    const { lastUsedTime, ...rest } = await tool.memories.get(id);
    const usedMs = timestampDate(lastUsedTime as Timestamp).getTime();
    expect(usedMs).toBeGreaterThanOrEqual(before - 1);
    expect(rest).toEqual({ ...added, lastUsedTime: undefined });
    // A use is no write to the namespace, so that results stay in the cache.
    expect((await tool.ask([query("again")]))[0]?.last.outcome).toBe(TurnEvent.CACHED);
    expect((await tool.memories.get(unread)).lastUsedTime).toBeUndefined();
    await tool.memories.update(id, { content: "Likes white wine" });
    expect((await tool.memories.get(id)).lastUsedTime).toBeDefined();
  });
}

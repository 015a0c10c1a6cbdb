import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { expect } from "vitest";
import { MemoryStatus, MemoryType } from "#gen/vademecum/v1/memory_pb.js";
import { OmissionReason } from "#gen/vademecum/v1/search_pb.js";
import { TurnEvent } from "#gen/vademecum/v1/tool_pb.js";
import { allTypes, open, type Query, type ToolClient, type ToolTest } from "./tool-client.js";

const day = (date: string) => timestampFromDate(new Date(`${date}T12:00:00Z`));

/**
 * Stores memories of every type for an agent: the expected results of the example queries, and
 * similar memories that they must not return.
 */
async function furnish({ memories, declare }: ToolClient): Promise<void> {
  await declare(...allTypes.map(open));
  const { EPISODIC, SEMANTIC, WORKING, SCRATCH_PAGE, CONVERSATION } = MemoryType;
  const items = [
    {
      content: "Ada said that she likes dry red wine",
      memoryType: EPISODIC,
      kind: "user_preference",
      tags: ["wine"],
      eventTime: day("2025-03-01"),
    },
    {
      content: "Ada sent back a sweet wine at the restaurant",
      memoryType: EPISODIC,
      kind: "observation",
      tags: ["wine"],
      eventTime: day("2025-04-01"),
    },
    {
      content: "Ada liked a wine in an earlier year",
      memoryType: EPISODIC,
      kind: "observation",
      tags: ["wine"],
      eventTime: day("2020-04-01"),
    },
    {
      content: "Burgundy wines are made of Pinot noir",
      memoryType: SEMANTIC,
      kind: "fact",
      tags: ["burgundy", "wine"],
    },
    {
      content: "Ask for the vintage of a Burgundy wine first",
      memoryType: SEMANTIC,
      kind: "skill",
      tags: ["wine"],
    },
    {
      content: "Active alert: the card of Ada was used twice in Burgundy",
      memoryType: SCRATCH_PAGE,
      kind: "risk_alert",
    },
    {
      content: "Resolved alert: the alarm of the wine cellar",
      memoryType: SCRATCH_PAGE,
      kind: "risk_alert",
      status: MemoryStatus.RESOLVED,
    },
    {
      content: "My budget for wine is forty a bottle",
      memoryType: CONVERSATION,
      kind: "user_message",
      eventTime: day("2025-10-30"),
    },
    {
      content: "Your budget for wine is noted",
      memoryType: CONVERSATION,
      kind: "agent_message",
      eventTime: day("2025-10-30"),
    },
    {
      content: "The goal of this turn: choose a wine for dinner",
      memoryType: WORKING,
      kind: "goal",
    },
  ];
  for (const { content, ...fields } of items) await memories.add(content, fields);
}

/** The five example queries. */
const queries = {
  preferences: {
    queryId: "ep_1",
    memoryType: MemoryType.EPISODIC,
    queryText: "What wine preferences has the user expressed?",
    filter: {
      tagsAny: ["wine", "preference"],
      kinds: ["observation", "user_preference"],
      timeRange: { start: day("2025-01-01"), end: day("2025-10-31") },
    },
    limit: 5,
    budgetTokens: 300,
  },
  facts: {
    queryId: "sem_1",
    memoryType: MemoryType.SEMANTIC,
    queryText: "What do we know about Burgundy wines?",
    filter: { tagsAny: ["wine", "burgundy"], kinds: ["fact", "skill", "pattern"] },
    budgetTokens: 400,
  },
  alerts: {
    queryId: "sp_1",
    memoryType: MemoryType.SCRATCH_PAGE,
    queryText: "Are there any active alerts or pending confirmations?",
    filter: { kinds: ["risk_alert", "pending_confirmation"], status: MemoryStatus.ACTIVE },
    limit: 20,
    budgetTokens: 200,
  },
  budget: {
    queryId: "ch_1",
    memoryType: MemoryType.CONVERSATION,
    queryText: "What has the user said about their budget?",
    filter: {
      kinds: ["user_message"],
      timeRange: { start: day("2025-10-30"), end: day("2025-10-31") },
    },
    limit: 5,
    budgetTokens: 300,
  },
  goals: {
    queryId: "wm_1",
    memoryType: MemoryType.WORKING,
    queryText: "What are the active goals for this turn?",
    filter: { kinds: ["goal", "context"] },
    limit: 10,
    budgetTokens: 200,
  },
} as const satisfies Readonly<Record<string, Query>>;

/** Cases of queries. */
export function queryCases(it: ToolTest): void {
  it("an episodic query returns the user's preferences, best first, with scores", async ({
    tool,
  }) => {
    await furnish(tool);
    const [outcome] = await tool.ask([queries.preferences]);
    expect(outcome?.contents.toSorted()).toEqual([
      "Ada said that she likes dry red wine",
      "Ada sent back a sweet wine at the restaurant",
    ]);
    const scores = outcome?.memories.map(({ score }) => score) ?? [];
    expect(scores).toEqual(scores.toSorted((a, b) => b - a));
    expect(scores.every((score) => score > 0)).toBe(true);
  });

  it("days count in the time zone of a query", async ({ tool }) => {
    await tool.declare(open(MemoryType.EPISODIC));
    const eventTime = timestampFromDate(new Date("2026-11-27T04:00:00Z"));
    await tool.memories.add("Ann cooked noodles", { eventTime });
    const query: Query = {
      queryId: "west",
      memoryType: MemoryType.EPISODIC,
      queryText: "what happened on 26 November 2026?",
      timeZone: "America/Los_Angeles",
    };
    const [west, east] = await tool.ask([
      query,
      { ...query, queryId: "east", timeZone: "Asia/Tokyo" },
    ]);
    expect([west?.contents, east?.contents]).toEqual([["Ann cooked noodles"], []]);
  });

  it("a semantic query returns facts and skills, but no events", async ({ tool }) => {
    await furnish(tool);
    const [outcome] = await tool.ask([queries.facts]);
    expect(outcome?.contents[0]).toBe("Burgundy wines are made of Pinot noir");
    expect(outcome?.memories.map(({ memory }) => memory?.kind)).toEqual(["fact", "skill"]);
  });

  it("a query whose gate closes has no results, and the result and the trace report the gate", async ({
    tool,
  }) => {
    await furnish(tool);
    const query = { queryId: "q", memoryType: MemoryType.SEMANTIC, queryText: "wine from Neptune" };
    const gated = { ...query, gate: 1 };
    for (const event of [TurnEvent.QUERIED, TurnEvent.CACHED]) {
      const [outcome] = await tool.ask([gated]);
      expect(outcome?.contents).toEqual([]);
      expect(outcome?.last.searchMetadata?.gateClosed).toBe(true);
      expect(outcome?.last.totalResults).toBe(outcome?.last.omittedCount);
      const trace = await tool.trace();
      expect(trace.map((entry) => entry.event)).toEqual([event]);
      expect(trace[0]?.reason).toContain("no match reaches the gate of 1");
    }
    const [open] = await tool.ask([{ ...gated, gate: 0 }]);
    expect(open?.contents.length).toBeGreaterThan(0);
    expect(open?.last.searchMetadata?.gateClosed).toBe(false);
  });

  it("a scratch page query returns active alerts, and no alert that an update resolved", async ({
    tool,
  }) => {
    await furnish(tool);
    const [outcome] = await tool.ask([queries.alerts]);
    expect(outcome?.contents).toEqual(["Active alert: the card of Ada was used twice in Burgundy"]);
    await tool.memories.update(outcome?.memories[0]?.memory?.id ?? "", {
      status: MemoryStatus.RESOLVED,
    });
    const [later] = await tool.ask([queries.alerts]);
    expect(later?.contents).toEqual([]);
  });

  it("a scratch page query without a status returns resolved items last", async ({ tool }) => {
    const scratchPage = { memoryType: MemoryType.SCRATCH_PAGE };
    await tool.declare(open(MemoryType.SCRATCH_PAGE));
    const resolved = { ...scratchPage, status: MemoryStatus.RESOLVED };
    await tool.memories.add("Alert: the boiler is leaking", scratchPage);
    await tool.memories.add("Alert: the boiler is leaking water", resolved);
    await tool.memories.add("The boiler", resolved);
    for (const queryText of ["alert: the boiler is leaking water", ""]) {
      const [outcome] = await tool.ask([{ ...queries.alerts, queryText, filter: {} }]);
      expect(outcome?.memories.map(({ memory }) => memory?.status)).toEqual([
        MemoryStatus.ACTIVE,
        MemoryStatus.RESOLVED,
        MemoryStatus.RESOLVED,
      ]);
    }
    const filter = { status: MemoryStatus.RESOLVED };
    const [asked] = await tool.ask([{ ...queries.alerts, queryText: "boiler", filter }]);
    expect(asked?.contents).toHaveLength(2);
  });

  it("five example queries in one request return their items in the order of the queries", async ({
    tool,
  }) => {
    await furnish(tool);
    const asked = [
      queries.preferences,
      queries.facts,
      queries.alerts,
      queries.budget,
      queries.goals,
    ];
    const outcomes = await tool.ask(asked);
    expect(outcomes.map(({ contents }) => contents.length)).toEqual([2, 2, 1, 1, 1]);
    expect(outcomes[3]?.contents).toEqual(["My budget for wine is forty a bottle"]);
    expect(outcomes[4]?.contents).toEqual(["The goal of this turn: choose a wine for dinner"]);
    expect(await tool.events()).toEqual(asked.map(({ queryId }) => `${queryId} QUERIED`));
  });

  it("the same request has the same results, whether cached or not", async ({ tool }) => {
    await furnish(tool);
    const asked = [queries.budget, queries.preferences, queries.facts];
    const [first, second] = [await tool.ask(asked), await tool.ask(asked)];
    expect(second.map(({ memories }) => memories)).toEqual(first.map(({ memories }) => memories));
    await tool.memories.add("nothing that anybody asked for", { memoryType: MemoryType.WORKING });
    const third = await tool.ask(asked);
    expect(third.map(({ contents }) => contents)).toEqual(first.map(({ contents }) => contents));
    expect(await tool.events()).toEqual(["ch_1 QUERIED", "ep_1 QUERIED", "sem_1 QUERIED"]);
  });

  it("one of two near-copies is returned, and the other is in the receipt", async ({ tool }) => {
    await tool.declare(open(MemoryType.EPISODIC));
    await tool.memories.addAll("Ada likes red wine.", "ada likes RED wine");
    const [outcome] = await tool.ask([
      { queryId: "q", memoryType: MemoryType.EPISODIC, queryText: "red wine" },
    ]);
    expect(outcome?.contents).toHaveLength(1);
    expect(outcome?.last).toMatchObject({
      totalResults: 2n,
      omitted: [{ reason: OmissionReason.NEAR_COPY }],
    });
  });

  it("two facts that differ only in the order of words are both returned", async ({ tool }) => {
    await tool.declare(open(MemoryType.EPISODIC));
    await tool.memories.addAll("Alice owes Bob 20 euros", "Bob owes Alice 20 euros");
    const [outcome] = await tool.ask([
      { queryId: "q", memoryType: MemoryType.EPISODIC, queryText: "who owes whom 20 euros" },
    ]);
    expect(outcome?.contents).toHaveLength(2);
  });

  it("the more important of two equal matches comes first", async ({ tool }) => {
    await tool.declare(open(MemoryType.EPISODIC));
    await tool.memories.add("the gate was open on Monday", { importance: 0.9 });
    await tool.memories.add("the gate was open on Tuesday", { importance: 0.1 });
    const [outcome] = await tool.ask([
      { queryId: "q", memoryType: MemoryType.EPISODIC, queryText: "was the gate open?" },
    ]);
    expect(outcome?.contents[0]).toBe("the gate was open on Monday");
  });

  it("an empty query text returns the type's memories, newest first", async ({ tool }) => {
    await tool.declare(open(MemoryType.EPISODIC), open(MemoryType.WORKING));
    await tool.memories.addAll("one", "two", "three");
    await tool.memories.add("goal", { memoryType: MemoryType.WORKING });
    const [outcome] = await tool.ask([{ queryId: "q", memoryType: MemoryType.EPISODIC }]);
    expect(outcome?.contents).toEqual(["three", "two", "one"]);
  });

  it("a large result comes in several messages, and the last message has the counts", async ({
    tool,
  }) => {
    await tool.declare(open(MemoryType.EPISODIC));
    await tool.memories.addAll(...Array.from({ length: 70 }, (_, at) => `note ${at}`));
    const [outcome] = await tool.ask([
      { queryId: "q", memoryType: MemoryType.EPISODIC, limit: 70, budgetTokens: 1000 },
    ]);
    expect(outcome?.contents).toHaveLength(70);
    expect(outcome?.last.results.length).toBeLessThan(70);
    expect(new Set(outcome?.contents).size).toBe(70);
  });

  it("a query returns ten items by default", async ({ tool }) => {
    await tool.declare(open(MemoryType.EPISODIC));
    await tool.memories.addAll(...Array.from({ length: 12 }, (_, at) => `note ${at}`));
    const [outcome] = await tool.ask([
      { queryId: "q", memoryType: MemoryType.EPISODIC, queryText: "note" },
    ]);
    expect(outcome?.last).toMatchObject({
      returnedResults: 10,
      totalResults: 12n,
      budgetTokens: 500,
    });
  });
}

import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { expect } from "vitest";
import { MemoryType } from "#gen/vademecum/v1/memory_pb.js";
import { TurnEvent } from "#gen/vademecum/v1/tool_pb.js";
import { failureOf } from "../harness/failure.js";
import { open, type Query, type ToolTest } from "./tool-client.js";

const { EPISODIC, TRACE } = MemoryType;
const good: Query = { queryId: "good", memoryType: EPISODIC, queryText: "wine" };

/** Invalid queries, and the reason that the trace must give. */
const faults: readonly (readonly [what: string, query: Query, reason: string])[] = [
  ["no type", { queryId: "bad", queryText: "wine" }, "memory_type"],
  [
    "a type that does not exist",
    { queryId: "bad", memoryType: 77 as MemoryType, queryText: "wine" },
    "memory_type",
  ],
  ["the type of traces", { queryId: "bad", memoryType: TRACE, queryText: "wine" }, "memory_type"],
  ["a budget above 1,000", { ...good, queryId: "bad", budgetTokens: 1001 }, "budget_tokens"],
  ["a budget of 0", { ...good, queryId: "bad", budgetTokens: 0 }, "budget_tokens"],
  ["a limit above 1,000", { ...good, queryId: "bad", limit: 1001 }, "limit"],
  ["a text above 8 KiB", { ...good, queryId: "bad", queryText: "w".repeat(8193) }, "query_text"],
  [
    "an incomplete expression",
    { ...good, queryId: "bad", filter: { expression: "importance >" } },
    "filter.expression",
  ],
  [
    "an empty tag in its filter",
    { ...good, queryId: "bad", filter: { tagsAny: [""] } },
    "filter.tags_any",
  ],
  [
    "a time range that ends before it begins",
    {
      ...good,
      queryId: "bad",
      filter: {
        timeRange: {
          start: timestampFromDate(new Date(1000)),
          end: timestampFromDate(new Date(0)),
        },
      },
    },
    "filter.time_range",
  ],
  [
    "a filter for another type",
    { ...good, queryId: "other", filter: { memoryTypes: [MemoryType.SEMANTIC] } },
    "filter.memory_types: must have only EPISODIC",
  ],
  [
    "a filter for its type and another one",
    { ...good, queryId: "other", filter: { memoryTypes: [EPISODIC, MemoryType.SEMANTIC] } },
    "filter.memory_types: must have only EPISODIC",
  ],
  [
    "a time zone that does not exist",
    { ...good, queryId: "bad", timeZone: "Mars/Olympus" },
    "time_zone",
  ],
  ["the name of another query", { ...good, queryId: "good" }, "query_id"],
  ["no name", { ...good, queryId: "" }, "query_id"],
];

/** Cases of invalid queries. */
export function faultCases(it: ToolTest): void {
  it.for(faults)("a query with %s fails alone", async ([, query, reason], { tool }) => {
    await tool.declare(open(EPISODIC));
    await tool.memories.addAll("wine");
    const outcomes = await tool.ask([good, query, { ...good, queryId: "last" }]);
    expect(outcomes.map(({ contents }) => contents.length)).toEqual([1, 0, 1]);
    expect(outcomes[1]?.last.budgetTokens).toBe(0);
    const entries = await tool.trace();
    expect(entries.map(({ event }) => event)).toEqual([
      TurnEvent.QUERIED,
      TurnEvent.INVALID,
      TurnEvent.QUERIED,
    ]);
    expect(entries[1]?.reason).toContain(reason);
    expect(entries[1]?.queryText.length).toBeLessThanOrEqual(1024);
  });

  it("queries after the tenth of a request fail", async ({ tool }) => {
    await tool.declare(open(EPISODIC));
    await tool.memories.addAll("wine");
    const outcomes = await tool.ask(
      Array.from({ length: 12 }, (_, at) => ({ ...good, queryId: `q${at}` })),
    );
    expect(outcomes.map(({ contents }) => contents.length)).toEqual([
      1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0,
    ]);
    expect((await tool.events()).slice(-2)).toEqual(["q10 INVALID", "q11 INVALID"]);
  });

  it("an invalid request fails as a whole, and the error names the field", async ({ tool }) => {
    const cases = [
      [[good], { requestId: "" }, "request_id"],
      [[good], { userId: "" }, "user_id"],
      [[good], { budgetTokens: 1001 }, "budget_tokens"],
      [[good], { agentContext: { agentId: "" } }, "agent_context.agent_id"],
      [[], {}, "queries"],
      [Array.from({ length: 101 }, () => good), {}, "queries"],
    ] as const;
    for (const [queries, fields, field] of cases) {
      expect(await failureOf(tool.ask(queries, fields))).toMatchObject({
        code: "INVALID_ARGUMENT",
        fields: [field],
      });
    }
  });
}

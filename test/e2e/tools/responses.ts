import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { expect } from "vitest";
import { MemoryStatus, MemoryType } from "#gen/vademecum/v1/memory_pb.js";
import { TurnEvent } from "#gen/vademecum/v1/tool_pb.js";
import { failureOf } from "../harness/failure.js";
import { allTypes, open, type ToolTest } from "./tool-client.js";

const { EPISODIC, SEMANTIC, WORKING, SCRATCH_PAGE } = MemoryType;
const dayMs = 24 * 60 * 60 * 1000;

/** Cases of memories that tools write. */
export function responseCases(it: ToolTest): void {
  it("a tool's writes have the tool as their source, and the next query finds them", async ({
    tool,
  }) => {
    await tool.declare(...allTypes.map(open));
    const { ids } = await tool.submit({
      memoryWrites: [
        { content: "Ada chose the Pinot noir", kind: "observation", tags: ["wine", "wine"] },
        { content: "Pinot noir is red", memoryType: SEMANTIC },
      ],
      scratchPageWrites: [
        { content: "Ada will like the Pinot noir", kind: "contextual_insight", importance: 0.8 },
      ],
    });
    const found = await tool.ask(
      [EPISODIC, SEMANTIC, SCRATCH_PAGE].map((memoryType, at) => ({
        queryId: `q${at}`,
        memoryType,
        queryText: "Pinot noir",
      })),
    );
    expect(found.map(({ memories }) => memories.map(({ memory }) => memory?.id))).toEqual(
      ids.map((id) => [id]),
    );
    expect(found.map(({ memories }) => memories[0]?.memory?.source)).toEqual([
      tool.toolId,
      tool.toolId,
      tool.toolId,
    ]);
    expect(await tool.memories.get(ids[0] ?? "")).toMatchObject({
      memoryType: EPISODIC,
      tags: ["wine"],
      version: 1n,
      tokenCount: 5,
    });
    expect(await tool.memories.get(ids[2] ?? "")).toMatchObject({
      memoryType: SCRATCH_PAGE,
      status: MemoryStatus.ACTIVE,
      importance: 0.8,
    });
  });

  it("a response is stored completely or not at all", async ({ tool }) => {
    await tool.declare(...allTypes.map(open));
    const { commitSeq } = await tool.memories.add("caller's vector", { embedding: [1, 0] });
    const faulty = tool.submit({
      memoryWrites: [{ content: "fits", embedding: [0, 1] }],
      scratchPageWrites: [{ content: "fits, too" }, { content: "fits not", embedding: [0, 1, 2] }],
    });
    expect(await failureOf(faulty)).toMatchObject({
      code: "INVALID_ARGUMENT",
      reason: "EMBEDDING_DIMENSION_MISMATCH",
      fields: ["scratch_page_writes[1].embedding"],
    });
    expect(await tool.memories.contents()).toEqual(["caller's vector"]);
    const stored = await tool.submit({
      memoryWrites: [{ content: "a" }, { content: "b" }],
      scratchPageWrites: [{ content: "c" }],
    });
    expect(stored.commitSeq).toBe(commitSeq + 1n);
  });

  it("writes are validated as in Add, with the path of the field", async ({ tool }) => {
    const cases = [
      [{ memoryWrites: [{ content: "x" }, { content: "" }] }, "memory_writes[1].content"],
      [{ memoryWrites: [{ content: "x", importance: 2 }] }, "memory_writes[0].importance"],
      [
        { memoryWrites: [{ content: "x", memoryType: MemoryType.TRACE }] },
        "memory_writes[0].memory_type",
      ],
      [{ memoryWrites: [{ content: "x", embedding: [0, 0] }] }, "memory_writes[0].embedding"],
      [
        { memoryWrites: [{ content: "x", metadata: { big: "x".repeat(17_000) } }] },
        "memory_writes[0].metadata",
      ],
      [{ scratchPageWrites: [{ content: "x", memoryType: EPISODIC }] }, "scratch_page_writes[0]"],
      [{ memoryWrites: Array.from({ length: 101 }, () => ({ content: "x" })) }, "memory_writes"],
      [{ toolId: "" }, "tool_id"],
    ] as const;
    for (const [fields, field] of cases) {
      const failure = await failureOf(tool.submit(fields as Parameters<typeof tool.submit>[0]));
      expect(failure).toMatchObject({ code: "INVALID_ARGUMENT", fields: [field] });
    }
    expect(await tool.memories.contents()).toEqual([]);
  });

  it("a repeated response with the same idempotency key stores nothing, and another body is refused", async ({
    tool,
  }) => {
    await tool.declare(...allTypes.map(open));
    const response = { memoryWrites: [{ content: "once" }], idempotencyKey: "key" };
    const first = await tool.submit(response);
    expect(await tool.submit(response)).toEqual(first);
    expect(await tool.memories.contents()).toEqual(["once"]);
    const another = failureOf(
      tool.submit({ ...response, scratchPageWrites: [{ content: "more" }] }),
    );
    expect(await another).toMatchObject({ reason: "IDEMPOTENCY_KEY_REUSED" });
  });

  it("an empty response is accepted", async ({ tool }) => {
    await tool.declare(...allTypes.map(open));
    const { commitSeq } = await tool.memories.add("x");
    expect(await tool.submit({})).toMatchObject({ ids: [], commitSeq });
  });

  it("working memories of a tool expire after a day by default, and scratch-page items do not", async ({
    tool,
  }) => {
    await tool.declare(...allTypes.map(open));
    const expireTime = timestampFromDate(new Date("9000-01-01T00:00:00Z"));
    const { ids } = await tool.submit({
      memoryWrites: [
        { content: "goal", memoryType: WORKING },
        { content: "plan", memoryType: WORKING, expireTime },
        { content: "event" },
      ],
      scratchPageWrites: [{ content: "alert" }],
    });
    const [goal, plan, event, alert] = await Promise.all(ids.map((id) => tool.memories.get(id)));
    const lifetimeSeconds = (goal?.expireTime?.seconds ?? 0n) - (goal?.createTime?.seconds ?? 0n);
    expect(Math.abs(Number(lifetimeSeconds) - dayMs / 1000)).toBeLessThanOrEqual(1);
    expect(plan?.expireTime).toEqual(expireTime);
    expect([event?.expireTime, alert?.expireTime]).toEqual([undefined, undefined]);
  });

  it("a tool writes only what its manifest allows; the trace says what was refused", async ({
    tool,
  }) => {
    const refusedOf = async (fields: Parameters<typeof tool.submit>[0]) =>
      expect(await failureOf(tool.submit(fields))).toMatchObject({
        code: "PERMISSION_DENIED",
        reason: "NOT_IN_MANIFEST",
      });
    await refusedOf({ memoryWrites: [{ content: "x" }] });
    await tool.declare(
      { memoryType: EPISODIC, write: true, kinds: ["observation"], tags: ["wine", "food"] },
      { memoryType: SEMANTIC, enabled: true },
    );
    const allowed = { content: "likes Pinot", kind: "observation", tags: ["wine"] };
    await refusedOf({ memoryWrites: [allowed], toolVersion: "2" });
    await refusedOf({ memoryWrites: [allowed, { ...allowed, memoryType: SEMANTIC }] });
    await refusedOf({ memoryWrites: [{ ...allowed, kind: "fact" }] });
    await refusedOf({ memoryWrites: [{ content: "x", tags: ["wine"] }] });
    await refusedOf({ memoryWrites: [{ ...allowed, tags: ["wine", "bank"] }] });
    await refusedOf({ memoryWrites: [{ ...allowed, tags: [] }] });
    await refusedOf({ scratchPageWrites: [allowed] });
    expect(await tool.memories.contents()).toEqual([]);
    const entries = await tool.trace("response");
    expect(entries.map(({ event, reason }) => [event, reason])).toEqual(
      [
        "this version of the tool is not registered (RegisterTool)",
        "this version of the tool is not registered (RegisterTool)",
        "memory_writes[1]: the tool's manifest does not allow to write SEMANTIC",
        "memory_writes[0]: the tool's manifest does not allow kind 'fact'",
        "memory_writes[0]: the tool's manifest does not allow memories without a kind",
        "memory_writes[0]: the tool's manifest does not allow tag 'bank'",
        "memory_writes[0]: the tool's manifest does not allow memories without one of its tags",
        "scratch_page_writes[0]: the tool's manifest does not allow to write SCRATCH_PAGE",
      ].map((reason) => [TurnEvent.DENIED, reason]),
    );
    const response = { memoryWrites: [allowed], idempotencyKey: "key" };
    const stored = await tool.submit(response);
    await tool.declare();
    // A repetition answers as the first call did, although the manifest has changed.
    expect(await tool.submit(response)).toEqual(stored);
  });
}

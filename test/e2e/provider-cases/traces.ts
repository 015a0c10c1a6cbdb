import { expect } from "vitest";
import { MemoryType } from "#gen/vademecum/v1/memory_pb.js";
import type { MemoryTest } from "../harness/memory-test.js";

/** Cases of AddTrace. */
export function traceCases(it: MemoryTest): void {
  it("a trace is a memory of the user `system`, with the documented content and metadata", async ({
    memories,
    task,
  }) => {
    const agentId = `bio ${task.id}`;
    const traceData = {
      tool: "blast",
      hits: 3,
      metadata: { species: "mouse", run: { n: 1 } },
      also: ["x", null],
    };
    const { id, commitSeq } = await memories.provider.addTrace({
      agentId,
      workflowId: "wf-7",
      traceData,
    });
    const system = { userId: "system", agentId };
    const { memory } = await memories.provider.get({ namespace: system, id });
    expect(memory).toMatchObject({
      memoryType: MemoryType.TRACE,
      kind: "trace",
      namespace: system,
    });
    expect(memory?.content).toBe(
      `[trace] workflow=wf-7 agent=${agentId} data={"also":["x",null],"hits":3,"metadata":{"run":{"n":1},"species":"mouse"},"tool":"blast"}`,
    );
    expect(memory?.metadata).toEqual({
      species: "mouse",
      run: { n: 1 },
      type: "trace",
      workflow_id: "wf-7",
    });
    expect(commitSeq).toBeGreaterThan(0n);
  });

  it("a search finds a trace by its data, and returns type and workflow in the metadata", async ({
    memories,
    namespaceOf,
    task,
  }) => {
    const traceData = { tool: "blast", sequence: "ACGT" };
    await memories.provider.addTrace({ ...memories.namespace, workflowId: "wf-8", traceData });
    const { hits } = await memories.search("blast");
    expect(hits.map(({ memory }) => memory?.metadata)).toEqual([
      { type: "trace", workflow_id: "wf-8" },
    ]);
    expect((await namespaceOf({ agentId: `not ${task.id}` }).search("blast")).hits).toEqual([]);
  });

  it("type and workflow_id override metadata entries of the same names", async ({ memories }) => {
    const traceData = { metadata: { type: "chat", workflow_id: "another", kept: true } };
    const { id } = await memories.provider.addTrace({
      ...memories.namespace,
      workflowId: "wf-9",
      traceData,
    });
    const memory = await memories.get(id);
    expect(memory.metadata).toEqual({ type: "trace", workflow_id: "wf-9", kept: true });
    expect(memory.content).toContain('"type":"chat"');
  });

  it("a trace keeps its thread and event time", async ({ memories }) => {
    const eventTime = { seconds: 1_700_000_000n, nanos: 5 };
    const { id } = await memories.provider.addTrace({
      ...memories.namespace,
      workflowId: "wf",
      traceData: {},
      threadId: "night run",
      eventTime,
    });
    expect(await memories.get(id)).toMatchObject({ threadId: "night run", eventTime });
  });

  it("the metadata filter type=trace lists only traces", async ({ memories }) => {
    await memories.add("Hello there", { metadata: { type: "chat" } });
    await memories.provider.addTrace({
      ...memories.namespace,
      workflowId: "wf",
      traceData: { greeting: "Hello" },
    });
    const filter = { metadata: { type: "trace" } };
    expect(await memories.list({ filter })).toHaveLength(1);
    expect((await memories.search("hello", { filter })).hits).toHaveLength(1);
  });
}

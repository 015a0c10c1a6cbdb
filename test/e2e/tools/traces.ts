import { expect } from "vitest";
import { MemoryType } from "#gen/vademecum/v1/memory_pb.js";
import { failureOf } from "../harness/failure.js";
import { collect } from "../harness/namespace-client.js";
import { open, type Query, type ToolClient, type ToolTest } from "./tool-client.js";

const { EPISODIC } = MemoryType;
const query = (queryId: string): Query => ({ queryId, memoryType: EPISODIC, queryText: queryId });

const taskTrace = async ({ stub, memories }: ToolClient, taskId: string) => {
  const responses = await collect(
    stub.getTurnTrace({ ...memories.namespace, turn: { case: "taskId", value: taskId } }),
  );
  return responses.flatMap(({ entries }) => entries);
};

/** Cases of traces of turns. */
export function traceCases(it: ToolTest): void {
  it("a trace lists the queries in order, with caller and purpose", async ({ tool }) => {
    await tool.declare(open(EPISODIC));
    await tool.ask([query("a"), query("b")], {
      agentContext: { agentId: "agent", taskId: "task", planId: "plan" },
    });
    const entries = await tool.trace();
    expect(
      entries.map(({ queryId, queryText, taskId, planId, toolId }) => [
        queryId,
        queryText,
        taskId,
        planId,
        toolId,
      ]),
    ).toEqual([
      ["a", "a", "task", "plan", tool.toolId],
      ["b", "b", "task", "plan", tool.toolId],
    ]);
    expect(
      entries.every(({ time, duration }) => time !== undefined && duration !== undefined),
    ).toBe(true);
  });

  it("the trace of a task has all its requests, oldest first, and none of another task", async ({
    tool,
  }) => {
    await tool.declare(open(EPISODIC));
    const inTask = (taskId: string, requestId: string) => ({
      requestId,
      agentContext: { agentId: "agent", taskId },
    });
    await tool.ask([query("1")], inTask("task", "r"));
    await tool.ask([query("2")], inTask("task\0x", "r\0"));
    await tool.ask([query("3")], inTask("task", "r2"));
    await tool.ask([query("4")], { requestId: "r" });
    expect((await taskTrace(tool, "task")).map(({ queryId }) => queryId)).toEqual(["1", "3"]);
    expect((await taskTrace(tool, "task\0x")).map(({ queryId }) => queryId)).toEqual(["2"]);
    expect(await tool.events("r")).toEqual(["1 QUERIED", "4 QUERIED"]);
    expect(await tool.events("r\0")).toEqual(["2 QUERIED"]);
  });

  it("two requests with the same request id share a trace", async ({ tool }) => {
    await tool.declare(open(EPISODIC));
    await Promise.all([
      tool.ask([query("a")], { requestId: "same" }),
      tool.ask([query("b")], { requestId: "same" }),
    ]);
    expect((await tool.events("same")).toSorted()).toEqual(["a QUERIED", "b QUERIED"]);
  });

  it("a long trace is complete and in order", async ({ tool }) => {
    await tool.declare(open(EPISODIC));
    const names = Array.from({ length: 25 }, (_, at) => `request part ${at}`);
    for (const name of names)
      await tool.ask(
        Array.from({ length: 10 }, (_, at) => query(`${name} ${at}`)),
        { requestId: "long" },
      );
    const { namespace } = tool.memories;
    const turn = { case: "requestId", value: "long" } as const;
    const responses = await collect(tool.stub.getTurnTrace({ ...namespace, turn }));
    expect(responses.length).toBeGreaterThan(1);
    const entries = responses.flatMap((response) => response.entries);
    expect(entries.map(({ queryId }) => queryId)).toEqual(
      names.flatMap((name) => Array.from({ length: 10 }, (_, at) => `${name} ${at}`)),
    );
  });

  it("the trace of an unknown request is empty, and so is the trace of another agent's request", async ({
    tool,
  }) => {
    await tool.declare(open(EPISODIC));
    await tool.ask([query("a")]);
    expect(await tool.trace("never asked")).toEqual([]);
    expect(await tool.forAgent("other").trace("request 1")).toEqual([]);
    expect(await tool.events("request 1")).toEqual(["a QUERIED"]);
  });

  it("a Reset of the namespace deletes its traces", async ({ tool }) => {
    await tool.declare(open(EPISODIC));
    await tool.ask([query("a")]);
    expect(await tool.trace()).toHaveLength(1);
    await tool.memories.reset();
    expect(await tool.trace()).toEqual([]);
  });

  it("GetTurnTrace needs a request or a task", async ({ tool }) => {
    const failure = await failureOf(
      collect(tool.stub.getTurnTrace({ ...tool.memories.namespace })),
    );
    expect(failure).toMatchObject({ code: "INVALID_ARGUMENT", fields: ["turn"] });
  });
}

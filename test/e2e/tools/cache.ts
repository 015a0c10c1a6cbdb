import { expect } from "vitest";
import { MemoryType } from "#gen/vademecum/v1/memory_pb.js";
import { open, type Query, type ToolClient, type ToolTest } from "./tool-client.js";

const { EPISODIC } = MemoryType;
const wine: Query = { queryId: "q", memoryType: EPISODIC, queryText: "wine" };

/** Sends a query. Returns its results, and whether they came from the cache. */
async function asked(
  tool: ToolClient,
  query = wine,
): Promise<readonly [contents: readonly string[], event: string | undefined]> {
  const [outcome] = await tool.ask([query]);
  return [outcome?.contents ?? [], (await tool.events())[0]];
}

/** Cases of cached results. */
export function cacheCases(it: ToolTest): void {
  it("an equal query is answered from the cache, until an Add to the namespace", async ({
    tool,
  }) => {
    await tool.declare(open(EPISODIC));
    await tool.memories.addAll("wine");
    expect(await asked(tool)).toEqual([["wine"], "q QUERIED"]);
    expect(await asked(tool)).toEqual([["wine"], "q CACHED"]);
    await tool.memories.add("more wine");
    const [contents, event] = await asked(tool);
    expect(contents.toSorted()).toEqual(["more wine", "wine"]);
    expect(event).toBe("q QUERIED");
  });

  it("a cached result is never used after an update, a deletion or a reset", async ({ tool }) => {
    await tool.declare(open(EPISODIC));
    const { id } = await tool.memories.add("wine");
    const changes = [
      [() => tool.memories.update(id, { content: "red wine" }), ["red wine"]],
      [() => tool.memories.update(id, { restricted: true }), []],
      [() => tool.memories.update(id, { restricted: false }), ["red wine"]],
      [() => tool.memories.delete(id), []],
      [() => tool.memories.add("white wine"), ["white wine"]],
      [() => tool.memories.reset(), []],
    ] as const;
    for (const [change, expected] of changes) {
      await asked(tool);
      expect((await asked(tool))[1]).toBe("q CACHED");
      await change();
      expect(await asked(tool)).toEqual([expected, "q QUERIED"]);
    }
  });

  it("a write for another agent of the user keeps cached results", async ({ tool }) => {
    await tool.declare(open(EPISODIC));
    await tool.memories.addAll("wine");
    await asked(tool);
    await tool.forAgent("other").memories.addAll("wine");
    expect(await asked(tool)).toEqual([["wine"], "q CACHED"]);
  });

  it("queries with another text, limit, budget, type or filter do not share a cached result", async ({
    tool,
  }) => {
    await tool.declare(open(EPISODIC), open(MemoryType.SEMANTIC));
    await tool.memories.addAll("wine", "more wine");
    await asked(tool);
    const others: readonly Query[] = [
      { ...wine, queryText: "more" },
      { ...wine, limit: 1 },
      { ...wine, budgetTokens: 3 },
      { ...wine, memoryType: MemoryType.SEMANTIC },
      { ...wine, filter: { tagsAny: ["x"] } },
    ];
    for (const query of others) expect((await asked(tool, query))[1]).toBe("q QUERIED");
    expect((await asked(tool, { ...wine, queryId: "another name" }))[1]).toBe(
      "another name CACHED",
    );
  });

  it("a cached result is not used after its manifest was replaced", async ({ tool }) => {
    await tool.declare(open(EPISODIC));
    await tool.memories.add("wine", { tags: ["private"] });
    expect(await asked(tool)).toEqual([["wine"], "q QUERIED"]);
    await tool.declare({ ...open(EPISODIC), tags: ["public"] });
    expect(await asked(tool)).toEqual([[], "q QUERIED"]);
    await tool.stub.deleteTool({ toolId: tool.toolId });
    await tool.declare(open(EPISODIC));
    expect(await asked(tool)).toEqual([["wine"], "q QUERIED"]);
  });
}

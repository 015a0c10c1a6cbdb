import { expect } from "vitest";
import { MemoryType } from "#gen/vademecum/v1/memory_pb.js";
import { TurnEvent } from "#gen/vademecum/v1/tool_pb.js";
import { open, type Query, type ToolTest } from "./tool-client.js";

const { EPISODIC, SEMANTIC, WORKING } = MemoryType;
const wine = (memoryType: MemoryType, queryId = "q"): Query => ({
  queryId,
  memoryType,
  queryText: "wine",
});

/** Test cases: what the manifest of a tool lets the tool read. */
export function accessCases(it: ToolTest): void {
  it("a tool reads the types that it declares", async ({ tool }) => {
    await tool.declare(open(EPISODIC));
    await tool.memories.addAll("wine");
    const [outcome] = await tool.ask([wine(EPISODIC)]);
    expect(outcome?.contents).toEqual(["wine"]);
    expect(await tool.events()).toEqual(["q QUERIED"]);
  });

  it("a query of an undeclared type has an empty result, and the trace shows the denial", async ({
    tool,
  }) => {
    await tool.declare(open(EPISODIC));
    await tool.memories.add("wine", { memoryType: SEMANTIC });
    await tool.memories.addAll("episodic wine");
    const [denied, answered] = await tool.ask([
      wine(SEMANTIC, "denied"),
      wine(EPISODIC, "answered"),
    ]);
    expect(denied?.last).toMatchObject({ results: [], totalResults: 0n, memoryType: SEMANTIC });
    expect(answered?.contents).toEqual(["episodic wine"]);
    const [entry] = await tool.trace();
    expect(entry).toMatchObject({
      event: TurnEvent.DENIED,
      queryId: "denied",
      toolId: tool.toolId,
      toolVersion: "1",
      queryText: "wine",
    });
    expect(entry?.reason).toContain("does not declare SEMANTIC");
  });

  it("a query of a type that the manifest disables is denied", async ({ tool }) => {
    await tool.declare({ memoryType: EPISODIC, enabled: false });
    await tool.memories.addAll("wine");
    expect((await tool.ask([wine(EPISODIC)]))[0]?.contents).toEqual([]);
    expect((await tool.trace())[0]).toMatchObject({
      event: TurnEvent.DENIED,
      reason: "EPISODIC is not enabled in the tool's manifest",
    });
  });

  it("every query of an unknown tool or version is denied", async ({ tool }) => {
    await tool.memories.addAll("wine");
    expect(
      (await tool.ask([wine(EPISODIC, "a"), wine(WORKING, "b")])).flatMap(
        ({ contents }) => contents,
      ),
    ).toEqual([]);
    expect(await tool.events()).toEqual(["a DENIED", "b DENIED"]);
    await tool.declare(open(EPISODIC));
    await tool.ask([wine(EPISODIC)], { toolVersion: "2" });
    expect(await tool.events()).toEqual(["q DENIED"]);
  });

  it("another agent's memories are never returned or counted", async ({ tool }) => {
    await tool.declare(open(EPISODIC));
    await tool.forAgent("other").memories.addAll("wine of the other agent");
    const [outcome] = await tool.ask([wine(EPISODIC)]);
    expect(outcome?.last).toMatchObject({ results: [], totalResults: 0n });
    expect(await tool.events()).toEqual(["q QUERIED"]);
  });

  it("restricted memories are neither returned nor counted, and the trace reports that some were withheld", async ({
    tool,
  }) => {
    await tool.declare(open(EPISODIC));
    await tool.memories.add("wine in the safe", { restricted: true });
    await tool.memories.add("wine on the table");
    const [outcome] = await tool.ask([wine(EPISODIC)]);
    expect(outcome?.contents).toEqual(["wine on the table"]);
    expect(outcome?.last.totalResults).toBe(1n);
    expect(await tool.events()).toEqual(["q QUERIED", "q DENIED"]);
    const reasonOfLast = async () => (await tool.trace()).at(-1)?.reason;
    expect(await reasonOfLast()).toBe("1 restricted memory matched, and was withheld");
    await tool.memories.add("wine in the cellar", { restricted: true });
    await tool.ask([wine(EPISODIC)]);
    expect(await reasonOfLast()).toBe("2 restricted memories matched, and were withheld");
  });

  it("the words of a restricted memory do not affect the ranking of other memories", async ({
    tool,
  }) => {
    await tool.declare(open(EPISODIC));
    for (const restricted of [false, true]) {
      const threadId = `thread of ${restricted}`;
      await tool.memories.add(`before ${restricted}`, { threadId });
      const { id } = await tool.memories.add("the password is swordfish", { threadId });
      await tool.memories.add(`behind ${restricted}`, { threadId });
      // The memory becomes restricted only after it was stored.
      if (restricted) await tool.memories.update(id, { restricted });
    }
    const [outcome] = await tool.ask([{ ...wine(EPISODIC), queryText: "swordfish" }]);
    expect(outcome?.contents[0]).toBe("the password is swordfish");
    expect(outcome?.contents.slice(1).toSorted()).toEqual(["before false", "behind false"]);
  });

  it("a tool reads only the kinds and tags of its manifest, whatever its filter says", async ({
    tool,
  }) => {
    await tool.declare({
      memoryType: EPISODIC,
      enabled: true,
      kinds: ["observation"],
      tags: ["wine", "food"],
    });
    await tool.memories.add("both fit: wine", { kind: "observation", tags: ["wine", "red"] });
    await tool.memories.add("another kind: wine", { kind: "secret", tags: ["wine"] });
    await tool.memories.add("another tag: wine", { kind: "observation", tags: ["red"] });
    await tool.memories.add("no kind: wine", { tags: ["wine"] });
    expect((await tool.ask([wine(EPISODIC)]))[0]?.contents).toEqual(["both fit: wine"]);
    const filtered = await tool.ask([
      { ...wine(EPISODIC), filter: { kinds: ["secret", "observation"], tagsAny: ["red"] } },
    ]);
    expect(filtered[0]?.contents).toEqual(["both fit: wine"]);
    expect(
      (await tool.ask([{ ...wine(EPISODIC), filter: { kinds: ["secret"] } }]))[0]?.contents,
    ).toEqual([]);
  });

  it("a query for kinds or tags outside the manifest adds a denied entry to the trace", async ({
    tool,
  }) => {
    const access = { memoryType: EPISODIC, enabled: true };
    await tool.declare({ ...access, kinds: ["observation", "note"], tags: ["wine", "food"] });
    await tool.memories.add("wine", { kind: "observation", tags: ["wine", "red"] });
    const ask = async (filter: Query["filter"]) => {
      const [outcome] = await tool.ask([{ ...wine(EPISODIC), filter }]);
      const entries = await tool.trace();
      const last = entries.at(-1)?.event === TurnEvent.DENIED ? entries.at(-1)?.reason : "";
      return [...(await tool.events()), outcome?.contents.length, last];
    };
    const manifest = "the tool's manifest does not allow";
    expect(await ask({ kinds: ["secret"] })).toEqual(["q DENIED", 0, `${manifest} kind 'secret'`]);
    expect(await ask({ kinds: ["a", "b"] })).toEqual(["q DENIED", 0, `${manifest} kinds 'a', 'b'`]);
    expect(await ask({ kinds: ["observation", "secret"] })).toEqual([
      "q QUERIED",
      "q DENIED",
      1,
      `${manifest} kind 'secret'`,
    ]);
    const unless = "unless a memory also has one of the tags that it allows";
    expect(await ask({ tagsAny: ["red", "wine"] })).toEqual([
      "q QUERIED",
      "q DENIED",
      1,
      `${manifest} tag 'red', ${unless}`,
    ]);
    expect(await ask({ kinds: ["secret", "note"], tagsAll: ["red", "old"] })).toEqual([
      "q QUERIED",
      "q DENIED",
      0,
      `${manifest} kind 'secret'; ${manifest} tags 'red', 'old', ${unless}`,
    ]);
    const allowed = [{ kinds: ["note"] }, { tagsAny: ["wine"] }, { tagsAll: ["wine", "red"] }, {}];
    for (const filter of allowed) expect((await ask(filter)).slice(0, -2)).toEqual(["q QUERIED"]);
    await tool.declare(access);
    const open = await ask({ kinds: ["secret"], tagsAny: ["red"] });
    expect(open.slice(0, -2)).toEqual(["q QUERIED"]);
  });

  it("a denied entry names at most ten kinds and counts the rest", async ({ tool }) => {
    await tool.declare({ memoryType: EPISODIC, enabled: true, kinds: ["note"] });
    const kinds = Array.from({ length: 12 }, (_, at) => `k${at}`);
    await tool.ask([{ ...wine(EPISODIC), filter: { kinds } }]);
    expect((await tool.trace())[0]?.reason).toMatch(/ kinds 'k0', .* 'k9' and 2 more$/);
  });

  it("queries beyond max_queries of their type are denied, and a max_queries of 0 denies all", async ({
    tool,
  }) => {
    await tool.declare({ ...open(EPISODIC), maxQueries: 1 }, { ...open(SEMANTIC), maxQueries: 0 });
    await tool.memories.addAll("wine");
    const outcomes = await tool.ask([
      wine(EPISODIC, "first"),
      wine(SEMANTIC, "none"),
      wine(EPISODIC, "second"),
    ]);
    expect(outcomes.map(({ contents }) => contents.length)).toEqual([1, 0, 0]);
    expect(await tool.events()).toEqual(["first QUERIED", "none DENIED", "second DENIED"]);
    expect((await tool.trace()).at(-1)?.reason).toBe(
      "the tool's manifest allows 1 query of EPISODIC in a request",
    );
  });
}

import fc from "fast-check";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { describe, expect, it } from "vitest";
import { createBlockService } from "../../../src/core/blocks/create-service.js";
import { createContextService } from "../../../src/core/context/create-service.js";
import { type ContextQuery, contextFormats } from "../../../src/core/context/service.js";
import { createMemoryService } from "../../../src/core/memories/create-service.js";
import { endlessCall } from "../../../src/core/ports/call.js";
import { defaultWeights } from "../../../src/core/search/query/search.js";
import { createThreadService } from "../../../src/core/threads/create-service.js";
import { createInMemoryStore } from "../../../src/store/in-memory/in-memory-store.js";
import { propertyRuns } from "../../suite.js";
import { partsOver } from "../memories/service-parts.js";

const namespace = { userId: "kim", agentId: "guide" };
const call = endlessCall;
const query: ContextQuery = {
  ...{ namespace, query: "wine", budgetTokens: 500, format: "MARKDOWN", annotates: false },
  sections: {
    BLOCKS: { labels: [] },
    SKILLS: { topK: 3, minSimilarity: 0.7 },
    MEMORIES: { filter: {}, order: "RELEVANCE", weights: defaultWeights, minRelevance: 0 },
    RECENT: { threadId: "t", maxTurns: 20 },
  },
};

/** Services over one store. `onSkills` runs while a context is built, between two reads. */
function createServices(onSkills: (run: number) => Promise<unknown> = async () => undefined) {
  const parts = partsOver(createInMemoryStore("epoch"));
  let run = 0;
  const skills = {
    retrieve: async () => {
      await onSkills(run++);
      return { skills: [], omittedCount: 0 };
    },
  };
  return {
    memories: createMemoryService(parts),
    blocks: createBlockService(parts),
    threads: createThreadService(parts),
    contexts: createContextService({ ...parts, skills }),
  };
}

describe("the state of a context", () => {
  it("a context is built again when a memory of the namespace changed meanwhile", async () => {
    const services = createServices(async (run) => {
      if (run < 3) await services.memories.add({ namespace, content: `wine ${run}` }, call);
    });
    await services.memories.add({ namespace, content: "wine" }, call);
    const { sections, commitSeq } = await services.contexts.build(query, call);
    expect(sections.find(({ kind }) => kind === "MEMORIES")?.items).toHaveLength(4);
    const { summary } = await services.memories.recall(
      {
        ...query,
        includeSuperseded: false,
        filter: {},
        order: "RELEVANCE",
        weights: defaultWeights,
      },
      call,
    );
    expect(commitSeq).toBe(summary.commitSeq);
  });

  it("a context fails when the namespace changes again and again, and not for another agent", async () => {
    const add = (agentId: string) => async (run: number) =>
      services.memories.add({ namespace: { ...namespace, agentId }, content: `${run}` }, call);
    let services = createServices(add(namespace.agentId));
    await expect(services.contexts.build(query, call)).rejects.toMatchObject({
      code: "ABORTED",
      reason: "CONTEXT_CHANGED",
    });
    services = createServices(add("another"));
    await expect(services.contexts.build(query, call)).resolves.toMatchObject({ text: "" });
  });
});

/** Texts whose tokens could join with what stands before or after them. */
const awkward = fc
  .array(
    fc.constantFrom(
      "\n",
      "\r\n",
      " ",
      "/",
      "!",
      "#",
      "- ",
      "wine",
      "Wine",
      "1",
      "'s",
      "é",
      "🍷",
      "<",
    ),
    { minLength: 1, maxLength: 12 },
  )
  .map((parts) => `wine${parts.join("")}`);

it("any texts in any format have as many tokens as an independent count, within any budget", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(awkward, { maxLength: 4 }),
      fc.array(awkward, { maxLength: 4 }),
      fc.array(awkward, { maxLength: 2 }),
      fc.integer({ min: 1, max: 150 }),
      fc.constantFrom(...contextFormats),
      async (contents, turns, bodies, budgetTokens, format) => {
        const { memories, threads, blocks, contexts } = createServices();
        for (const content of contents) await memories.add({ namespace, content }, call);
        for (const [at, body] of bodies.entries())
          await blocks.put({ userId: "kim", label: `${at}`, body, writtenBy: "kim" });
        if (turns.length > 0)
          await threads.append(
            { namespace, threadId: "t", turns: turns.map((content) => ({ content })) },
            call,
          );
        const built = await contexts.build({ ...query, budgetTokens, format }, call);
        expect(countTokens(built.text, { disallowedSpecial: new Set() })).toBe(built.tokenCount);
        expect(built.tokenCount).toBeLessThanOrEqual(budgetTokens);
        expect(built.text === "" || built.text.endsWith("\n")).toBe(true);
      },
    ),
    { numRuns: propertyRuns(400) },
  );
});

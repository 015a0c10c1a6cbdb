import { expect, it } from "vitest";
import { createMemoryService } from "../../../src/core/memories/create-service.js";
import type { NewMemory } from "../../../src/core/memories/service.js";
import { endlessCall } from "../../../src/core/ports/call.js";
import { createToolService } from "../../../src/core/tools/create-service.js";
import { createInMemoryStore } from "../../../src/store/in-memory/in-memory-store.js";
import { partsOver } from "./service-parts.js";

const namespace = { userId: "kim", agentId: "guide" };
const call = endlessCall;
const tooLarge = {
  code: "RESOURCE_EXHAUSTED",
  reason: "NAMESPACE_TOO_LARGE",
  metadata: { limit: "5" },
};

/** Creates a service whose namespaces hold at most 5 memories, and log a warning above 3. */
function createService() {
  const warnings: unknown[] = [];
  const parts = {
    ...partsOver(createInMemoryStore()),
    sizes: { supported: 3, max: 5 },
    onLargeNamespace: (...warning: unknown[]) => warnings.push(warning),
  };
  const memories = createMemoryService(parts);
  const add = (content: string, more: Partial<NewMemory> & { idempotencyKey?: string } = {}) =>
    memories.add({ namespace, content, ...more }, call);
  const log = { queryFailed: () => undefined, traceLost: () => undefined };
  const tools = createToolService({ ...parts, log });
  const access = {
    memoryType: "EPISODIC",
    enabled: false,
    write: true,
    kinds: [],
    tags: [],
  } as const;
  const manifest = { toolId: "tool", version: "1", memoryAccess: [access] };
  const submit = async (...contents: string[]) => {
    await tools.registerTool({ manifest });
    return tools.submitToolResponse(
      {
        namespace,
        requestId: "turn",
        toolId: "tool",
        toolVersion: "1",
        taskId: "task",
        planId: "",
        memoryWrites: contents.map((content) => ({ content })),
        scratchPageWrites: [],
      },
      call,
    );
  };
  return { memories, add, submit, warnings };
}

it("a namespace accepts memories up to its limit, and accepts more after a deletion", async () => {
  const { memories, add } = createService();
  for (const content of ["1", "2", "3", "4"]) await add(content);
  await add("5", { idempotencyKey: "k" });
  await expect(add("6")).rejects.toMatchObject(tooLarge);
  await expect(add("6")).rejects.toThrow(
    /would hold 6 memories; the limit is 5. Split it by agent/,
  );
  expect((await add("5", { idempotencyKey: "k" })).id).toBe("m0005");
  await memories.update({ namespace, id: "m0005", changes: { content: "five" } }, call);
  await memories.delete({ namespace, id: "m0005" }, call);
  await add("6");
  await memories.add({ namespace: { userId: "kim", agentId: "other" }, content: "1" }, call);
});

it("a call whose memories together exceed the limit of a namespace stores none of them", async () => {
  const { submit } = createService();
  await submit("1", "2", "3");
  await expect(submit("4", "5", "6")).rejects.toMatchObject(tooLarge);
  await submit("4", "5");
});

it("a namespace logs one warning when it outgrows the supported size", async () => {
  const { add, warnings } = createService();
  for (const content of ["1", "2", "3"]) await add(content);
  expect(warnings).toEqual([]);
  await add("4");
  await add("5");
  await expect(add("6")).rejects.toMatchObject(tooLarge);
  expect(warnings).toEqual([[namespace, 4]]);
});

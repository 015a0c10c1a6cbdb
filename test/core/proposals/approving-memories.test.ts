import { describe, expect, it } from "vitest";
import type { Store } from "../../../src/core/ports/store.js";
import { createInMemoryStore } from "../../../src/store/in-memory/in-memory-store.js";
import { call } from "../search/search-service.js";
import { createWorkshop } from "./proposal-workshop.js";

const namespace = { userId: "u1", agentId: "a1" };

/** Creates a store that calls `before` ahead of each transaction. */
function interruptedStore(before: () => Promise<void>): Store {
  const store = createInMemoryStore("epoch");
  return new Proxy(store, {
    get: (target, name) => {
      if (name !== "update") return Reflect.get(target, name) as unknown;
      return async (...args: Parameters<Store["update"]>) => {
        await before();
        return target.update(...args);
      };
    },
  });
}

describe("approving an edit of a memory", () => {
  it("an approved edit applies to the latest content, even if the memory changes during the call", async () => {
    const interruptions: (() => Promise<void>)[] = [];
    const workshop = createWorkshop(
      interruptedStore(async () => {
        await interruptions.shift()?.();
      }),
    );
    const { memories, proposals } = workshop;
    const { id: memoryId } = await memories.add({ namespace, content: "Likes math" }, call);
    const { proposal } = await proposals.propose({
      namespace,
      target: { kind: "memory", id: memoryId },
      oldString: "math",
      newString: "maths",
      replaceAll: false,
      reasoning: "spelling",
    });
    for (const content of ["Ada likes math", "Ada still likes math"]) {
      interruptions.push(async () => {
        interruptions.unshift(async () => undefined);
        await memories.update({ namespace, id: memoryId, changes: { content } }, call);
      });
    }
    const { memory } = await proposals.approve(
      { userId: namespace.userId, id: proposal.id, decidedBy: "kim" },
      call,
    );
    expect(interruptions).toEqual([]);
    expect(memory).toMatchObject({ content: "Ada still likes maths", version: 4, tokenCount: 4 });
    expect((await memories.get({ namespace, id: memoryId }, call)).memory).toEqual(memory);
  });
});

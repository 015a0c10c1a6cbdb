import { expect } from "vitest";
import type { AddBatchResponse } from "#gen/vademecum/v1/memory_provider_pb.js";
import { canonicalName } from "../harness/failure.js";
import type { MemoryTest } from "../harness/memory-test.js";

/** Cases of AddBatch. */
export function batchCases(it: MemoryTest): void {
  it("AddBatch answers the items of a batch in order, each with its client_id", async ({
    memories,
  }) => {
    const { namespace } = memories;
    const items = Array.from({ length: 100 }, (_, i) => ({
      clientId: `item ${i}`,
      add: { namespace, content: `Fact number ${i}` },
    }));
    const replies = await memories.addBatch(items);
    expect(replies.map(({ clientId }) => clientId)).toEqual(items.map(({ clientId }) => clientId));
    const contentById = new Map((await memories.list()).map(({ id, content }) => [id, content]));
    expect(replies.map((reply) => contentById.get(idOf(reply)))).toEqual(
      items.map(({ add }) => add.content),
    );
  });

  it("an invalid item of a batch fails alone, with the error of Add", async ({
    memories,
    namespaceOf,
  }) => {
    const { namespace } = memories;
    const other = namespaceOf({ agentId: "another" });
    const replies = await memories.addBatch([
      { clientId: "a", add: { namespace, content: "good" } },
      { clientId: "b", add: { namespace, content: "" } },
      { clientId: "c" },
      { clientId: "", add: { namespace: other.namespace, content: "elsewhere" } },
      { clientId: "e", add: { namespace, content: "bad reference", supersedes: "no such id" } },
      { clientId: "f", add: { namespace, content: "good again" } },
    ]);
    expect(replies.map(({ clientId }) => clientId)).toEqual(["a", "b", "c", "", "e", "f"]);
    expect(replies.map(outcomeOf)).toEqual([
      "stored",
      "INVALID_ARGUMENT",
      "INVALID_ARGUMENT",
      "stored",
      "NOT_FOUND",
      "stored",
    ]);
    // Sorted, because this case is not about the order in which a batch stores its items.
    expect((await memories.contents()).toSorted()).toEqual(["good", "good again"]);
    expect(await other.contents()).toEqual(["elsewhere"]);
  });

  it("two items with the same idempotency key store one memory, and the second fails if its body differs", async ({
    memories,
  }) => {
    const { namespace } = memories;
    const add = { namespace, content: "once", idempotencyKey: "key" };
    const [first, again, changed] = await memories.addBatch([
      { add },
      { add },
      { add: { ...add, content: "twice" } },
    ]);
    expect(first && idOf(first)).toBe(again && idOf(again));
    expect(changed && outcomeOf(changed)).toBe("INVALID_ARGUMENT");
    expect(await memories.contents()).toEqual(["once"]);
  });

  it("an empty batch gets an empty stream", async ({ memories }) => {
    expect(await memories.addBatch([])).toEqual([]);
  });
}

function idOf({ result }: AddBatchResponse): string {
  return result.case === "id" ? result.value : "";
}

function outcomeOf({ result }: AddBatchResponse): string {
  return result.case === "error" ? canonicalName(result.value.code) : "stored";
}

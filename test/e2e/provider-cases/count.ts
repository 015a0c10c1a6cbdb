import { expect } from "vitest";
import { MemoryType } from "#gen/vademecum/v1/memory_pb.js";
import type { MemoryTest } from "../harness/memory-test.js";

/** Cases of Count. */
export function countCases(it: MemoryTest): void {
  it("Count counts the memories that GetAll lists, also after additions and deletions", async ({
    memories,
    namespaceOf,
  }) => {
    expect(await memories.count()).toBe(0n);
    const [first = ""] = await memories.addAll("a", "b", "c");
    await memories.add("d", { restricted: true, memoryType: MemoryType.SEMANTIC });
    await namespaceOf({ agentId: "another" }).add("not counted");
    expect(await memories.count()).toBe(4n);
    // The search loads the index. From then on, Count need not read the records.
    await memories.search("a");
    expect(await memories.count()).toBe(4n);
    expect(await memories.count({ filter: { memoryTypes: [MemoryType.SEMANTIC] } })).toBe(1n);
    await memories.delete(first);
    expect(await memories.count({ filter: {} })).toBe(3n);
    expect(await memories.count()).toBe(BigInt((await memories.list()).length));
  });

  it("Count names the last commit that it saw", async ({ memories }) => {
    const { namespace, provider } = memories;
    const { commitSeq } = await memories.add("a");
    expect(await provider.count({ namespace })).toMatchObject({ count: 1n, commitSeq });
    await memories.search("a");
    const { commitSeq: later } = await memories.add("b");
    expect(await provider.count({ namespace })).toMatchObject({ count: 2n, commitSeq: later });
  });
}

import { expect } from "vitest";
import type { MemoryTest } from "../harness/memory-test.js";

/** Cases of misspelled words in queries. */
export function spellingCases(it: MemoryTest): void {
  it("a misspelled word finds a memory, and the scores and Explain show the similar spelling", async ({
    memories,
  }) => {
    const [ticket = ""] = await memories.addAll(
      "The tickets for the opera are in the drawer",
      "The stapler is on the shelf",
    );
    const { hits, contents } = await memories.search("tikcets");
    expect(contents[0]).toBe("The tickets for the opera are in the drawer");
    const scores = hits[0]?.scores;
    expect(scores?.keyword).toBeGreaterThan(0);
    expect(scores?.similarSpelling).toBe(scores?.keyword);

    const { provider, namespace } = memories;
    const explained = await provider.explain({
      search: { namespace, query: "Where are the tikcets?" },
      id: ticket,
    });
    expect(explained.returned).toBe(true);
    expect(explained.respellings).toMatchObject([{ word: "tikcets", terms: ["ticket"] }]);
  });

  it("a misspelled word finds a memory right after the Add, and no longer after the Delete", async ({
    memories,
  }) => {
    await memories.add("The stapler is on the shelf");
    const found = async () => {
      const { hits } = await memories.search("veloscipede");
      return hits.filter(({ scores }) => scores?.similarSpelling !== 0).length;
    };
    expect(await found()).toBe(0);
    const { id } = await memories.add("A velocipede hangs in the shed");
    expect(await found()).toBe(1);
    await memories.delete(id);
    expect(await found()).toBe(0);
  });

  it("a word that is spelled right counts more than a word of similar spelling", async ({
    memories,
  }) => {
    await memories.addAll("Katarina feeds the goats", "Katarzyna feeds the geese");
    const { hits, contents } = await memories.search("Katarzyna");
    expect(contents[0]).toBe("Katarzyna feeds the geese");
    expect(hits.map(({ scores }) => scores?.similarSpelling)).toEqual(hits.map(() => 0));
    const misspelled = await memories.search("Katarzina");
    expect(misspelled.hits[0]?.scores?.keyword).toBeLessThan(hits[0]?.scores?.keyword ?? 0);
  });

  it("a correctly spelled English word does not find a similar word", async ({ memories }) => {
    await memories.add("The farm is on the hill");
    const { hits } = await memories.search("the form", { minRelevance: 0 });
    for (const { scores } of hits) expect(scores?.keyword).toBe(0);
  });
}

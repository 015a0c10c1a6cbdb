import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { expect } from "vitest";
import { failureOf } from "../harness/failure.js";
import type { MemoryTest } from "../harness/memory-test.js";

const reference = timestampFromDate(new Date("2030-06-01T00:00:00Z"));
const thirtyDaysBefore = timestampFromDate(new Date("2030-05-02T00:00:00Z"));

/** Cases of the order of hits. */
export function rankingCases(it: MemoryTest): void {
  it("recency and importance add a little to a score, and the recency of a memory halves every 30 days", async ({
    memories,
  }) => {
    await memories.add("Tea is served", { eventTime: reference, importance: 1 });
    await memories.add("Tea was cold", { eventTime: thirtyDaysBefore, importance: 0 });
    const { hits } = await memories.search("tea", { referenceTime: reference });
    const [now, then] = hits.map(({ scores }) => scores);
    expect(now).toMatchObject({ recency: 1, importance: 1 });
    expect(then).toMatchObject({ recency: 0.5, importance: 0 });
    const plain = await memories.search("tea", {
      referenceTime: reference,
      weights: { recency: 0, importance: 0 },
    });
    const match = new Map(
      plain.hits.map(({ memory, scores }) => [memory?.content, scores?.final ?? 0]),
    );
    expect(now?.final).toBeCloseTo((match.get("Tea is served") ?? 0) + 0.04, 10);
    expect(then?.final).toBeCloseTo((match.get("Tea was cold") ?? 0) + 0.01, 10);
  });

  it("a future event counts as recent", async ({ memories }) => {
    await memories.add("Tea tomorrow", { eventTime: reference });
    const { hits } = await memories.search("tea", { referenceTime: thirtyDaysBefore });
    expect(hits[0]?.scores?.recency).toBe(1);
  });

  it("the caller's weights order similar matches", async ({ memories }) => {
    await memories.add("Ada likes tea with milk", { importance: 1, eventTime: thirtyDaysBefore });
    await memories.add("Bob likes tea with milk", { importance: 0, eventTime: reference });
    const first = async (weights: { recency?: number; importance?: number }) =>
      (await memories.search("tea with milk", { weights, referenceTime: reference })).contents[0];
    expect(await first({ importance: 1, recency: 0 })).toBe("Ada likes tea with milk");
    expect(await first({ importance: 0, recency: 1 })).toBe("Bob likes tea with milk");
  });

  it("an exact match comes first in spite of the default recency and importance", async ({
    memories,
  }) => {
    await memories.add("The gate code is 4711", {
      importance: 0,
      eventTime: timestampFromDate(new Date("2001-01-01T00:00:00Z")),
    });
    for (let i = 0; i < 10; i++)
      await memories.add(`The gate was painted in colour ${i}`, { importance: 1 });
    expect((await memories.search("What is the gate code?")).contents[0]).toBe(
      "The gate code is 4711",
    );
  });

  it("with a weight of novelty, a hit that differs from the hits above it ranks higher, and has a novelty score", async ({
    memories,
  }) => {
    const { namespace, provider } = memories;
    const add = async (content: string, embedding: number[]) => {
      await provider.add({ namespace, content, embedding });
    };
    await add("alpha", [1, 0, 0]);
    await add("beta", [0.99, 0.1, 0]);
    await add("gamma", [0.6, 0, 0.8]);
    const fields = { queryEmbedding: [1, 0, 0], limit: 3 };
    const plain = await memories.search("zeta", fields);
    expect(plain.contents).toEqual(["alpha", "beta", "gamma"]);
    expect(plain.hits.map(({ scores }) => scores?.novelty)).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    const diverse = await memories.search("zeta", { ...fields, weights: { novelty: 1 } });
    expect(diverse.contents).toEqual(["alpha", "gamma", "beta"]);
    const novelty = diverse.hits.map(({ scores }) => scores?.novelty);
    expect(novelty[0]).toBe(1);
    expect(novelty[1]).toBeCloseTo(0.4, 2);
  });

  it("a search for the words of a question also finds the answer that follows in the thread", async ({
    memories,
  }) => {
    await memories.addAll("Thursday is fine", "The printer is out of paper");
    await memories.add("When does the dentist have time?", { threadId: "chat" });
    await memories.add("Thursday at nine", { threadId: "chat" });
    const { contents } = await memories.search("dentist", { limit: 10 });
    expect(contents).toContain("Thursday at nine");
    expect(contents).not.toContain("The printer is out of paper");
  });

  it("memories of an author whom the query names rank higher", async ({ memories }) => {
    await memories.add("We should take the train to the fair", { author: "Bob" });
    await memories.add("The train is what we should take", { author: "Ada" });
    const { hits } = await memories.search("Which train should we take, according to Ada?");
    expect(hits.map(({ memory, scores }) => [memory?.author, scores?.author])).toEqual([
      ["Ada", 0.15],
      ["Bob", 0],
    ]);
  });

  it("memories of a day that the query names rank higher; relative days count from reference_time", async ({
    memories,
  }) => {
    await memories.add("Lunch with the team", { eventTime: thirtyDaysBefore });
    await memories.add("Lunch at the team's table", { eventTime: reference });
    for (const query of ["team lunch on 2 May 2030", "team lunch 30 days ago"]) {
      const { hits } = await memories.search(query, { referenceTime: reference });
      expect(hits[0], query).toMatchObject({
        memory: { content: "Lunch with the team" },
        scores: { date: 0.4 },
      });
    }
  });

  it("days count in the time zone of the query", async ({ memories }) => {
    const eventTime = timestampFromDate(new Date("2030-05-31T20:00:00Z"));
    await memories.add("Ann cooked noodles", { eventTime });
    const foundIn = async (timeZone: string) =>
      (await memories.search("what did I do yesterday?", { timeZone, referenceTime: reference }))
        .contents.length;
    expect(await foundIn("")).toBe(1);
    expect(await foundIn("America/Los_Angeles")).toBe(0);
    expect(await foundIn("-08:00")).toBe(0);
    expect(await failureOf(memories.search("tea", { timeZone: "Mars/Olympus" }))).toMatchObject({
      code: "INVALID_ARGUMENT",
      reason: "UNKNOWN_TIME_ZONE",
      fields: ["time_zone"],
    });
  });

  it("scores are between 0 and 1, in descending order of the final score", async ({ memories }) => {
    await memories.addAll(
      "red wine",
      "red wine with cheese",
      "a red bicycle",
      "white wine for the fish",
      "nothing of the kind",
    );
    const { hits } = await memories.search("red wine", { limit: 10 });
    const finals = hits.map(({ scores }) => scores?.final ?? Number.NaN);
    expect(finals).toEqual(finals.toSorted((a, b) => b - a));
    for (const { scores } of hits) {
      for (const score of [
        scores?.relevance,
        scores?.vector,
        scores?.keyword,
        scores?.recency,
        scores?.importance,
      ]) {
        expect(score).toBeGreaterThanOrEqual(0);
        expect(score).toBeLessThanOrEqual(1);
      }
    }
  });
}

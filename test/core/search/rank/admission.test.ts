import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import type { AddInput } from "../../../../src/core/memories/service.js";
import type { Embedder } from "../../../../src/core/ports/embedder.js";
import type { SearchQuery } from "../../../../src/core/search/query/search.js";
import { openStaticEmbedder } from "../../../../src/embed/static/static-embedder.js";
import { addAll, call, contentsOf, createService, queryOf, secondsAt } from "../search-service.js";

let bundled: Embedder;
beforeAll(async () => {
  const folder = join(import.meta.dirname, "../../../../models/static-256");
  bundled = await openStaticEmbedder({ folder });
});

const hike = "Ada went hiking in the Alps";
const move = "Ada moved house";
const fence = "Ada fixed the fence";

/** Events of two years, and a memory without an event time. */
const events: readonly Omit<AddInput, "namespace">[] = [
  { content: hike, eventTime: secondsAt("2023-05-08T12:00:00Z") },
  { content: move, eventTime: secondsAt("2023-05-20T12:00:00Z") },
  { content: fence, eventTime: secondsAt("2022-09-03T12:00:00Z") },
  { content: "The printer needs a new drum" },
];

/** The day after the move. */
const referenceTime = secondsAt("2023-05-21T12:00:00Z");

describe.each([
  ["keywords alone", false],
  ["keywords and vectors", true],
])("a search by %s", (_, hasVectors) => {
  const open = () => createService(hasVectors ? bundled : undefined);

  test.each([
    ["What happened in May 2023?", [hike, move]],
    ["May 2023", [hike, move]],
    ["8 May 2023", [hike]],
    ["2023-05-20", [move]],
    ["20.05.2023", [move]],
    ["2022", [fence]],
    ["what did we do in 2022?", [fence]],
    ["what did we do last year?", [fence]],
    ["yesterday", [move]],
    ["what happened this week?", [move]],
    ["anything from the last two weeks?", [hike, move]],
    ["what did I do on Saturday?", [move]],
  ])(
    "a search for %j finds the events of that time, even though they share no word with the query",
    async (query, expected) => {
      const service = await open();
      await addAll(service, events);
      const found = await contentsOf(service, queryOf(query, { referenceTime }));
      expect(found.slice(0, expected.length).toSorted()).toEqual(expected.toSorted());
    },
  );

  test("a search finds the memories of each author that the query names", async () => {
    const service = await open();
    await addAll(service, [
      { content: "We should paint the hall", author: "Irma Novak" },
      { content: "The ferry runs again", author: "Bob" },
      { content: "Nobody asked me", author: "Irma Stone" },
    ]);
    const bob = await contentsOf(service, queryOf("what did Bob say?"));
    expect(bob[0]).toBe("The ferry runs again");
    const novak = await contentsOf(service, queryOf("what has Irma Novak said?"));
    expect(novak[0]).toBe("We should paint the hall");
    const both = await contentsOf(service, queryOf("What did Irma and Bob say?", { limit: 3 }));
    expect(both).toHaveLength(3);
  });

  test.each([
    ["ann@example.com", "give me an example"],
    ["user", "user manual"],
    ["Dr. Green", "green tea"],
    ["+49 170", "49 euros"],
    ["Mark", "mark this as done"],
    ["Bob", "Where does Bob live?"],
  ])("a memory by %s does not match the query %j by its author alone", async (author, query) => {
    const [service, withoutAuthor] = [await open(), await open()];
    const content = "Zebras graze quietly";
    await addAll(service, [{ content, author }]);
    await addAll(withoutAuthor, [{ content }]);
    for (const minRelevance of [undefined, 0]) {
      const asked = queryOf(query, { minRelevance });
      expect(await contentsOf(service, asked)).toEqual(await contentsOf(withoutAuthor, asked));
    }
    const { summary } = await service.search(queryOf(query, { gate: 0.5 }), call);
    expect(summary.gateClosed).toBe(true);
  });

  test("being named lifts a memory that has other evidence", async () => {
    const service = await open();
    await addAll(service, [
      { content: "The lake is lovely in May", author: "Mark" },
      { content: "The lake is lovely in June", author: "Bob" },
    ]);
    const first = async (query: string) => (await contentsOf(service, queryOf(query)))[0];
    expect(await first("How does Mark like the lake?")).toContain("May");
    expect(await first("How does Bob like the lake?")).toContain("June");
  });

  test("a search for a date finds no event below min_relevance, and no event that the filter excludes", async () => {
    const service = await open();
    await addAll(service, events);
    const query = queryOf("8 May 2023", { referenceTime });
    expect(await contentsOf(service, { ...query, minRelevance: 0.9 })).toEqual([]);
    const filter = { memoryTypes: ["SEMANTIC"] as const };
    expect(await contentsOf(service, { ...query, filter })).toEqual([]);
  });
});

test("a search for a date also finds events in a conversation thread", async () => {
  const service = await createService(bundled);
  await addAll(service, [
    { content: hike, threadId: "t", eventTime: secondsAt("2023-05-08T12:00:00Z") },
    { content: move, threadId: "t", eventTime: secondsAt("2023-06-20T12:00:00Z") },
  ]);
  expect((await contentsOf(service, queryOf("8 May 2023")))[0]).toBe(hike);
});

const facts = [
  "Her blood group is AB negative",
  "The street musicians gather under the old bridge",
  "Add lemon juice to the soup only at the very end",
  "The chimney sweep found a nest in the flue",
  "A family of hedgehogs lives under the woodpile",
];

test("a search without min_relevance drops memories below the default relevance floor of the embedder", async () => {
  const service = await createService(bundled);
  await addAll(
    service,
    facts.map((content) => ({ content })),
  );
  const query = queryOf("what is her blood group?");
  const all = await service.search({ ...query, minRelevance: 0 }, call);
  const relevances = all.hits.map(({ scores }) => scores.relevance);
  expect(relevances.some((relevance) => relevance < 0.2)).toBe(true);
  expect(await contentsOf(service, query)).toEqual([facts[0]]);
});

describe("the default floor and a match with every word of the query", () => {
  const passes = "Linnea keeps the ferry passes";
  const rowing = "The rowing club lost its boathouse to the flood";
  const query = queryOf("ferry");

  /** Returns a service with both memories. */
  async function openService(changes: Partial<AddInput> = {}) {
    const service = await createService(bundled);
    await addAll(service, [
      { content: passes, ...changes },
      { content: rowing, tags: ["b"] },
    ]);
    return service;
  }

  test("if a match has every word of the query, a memory with none of the words needs a relevance of twice the floor", async () => {
    const service = await openService();
    const { hits } = await service.search({ ...query, minRelevance: 0 }, call);
    const { relevance, keyword } = hits[1]?.scores ?? expect.fail("no second hit");
    expect(keyword).toBe(0);
    expect(relevance).toBeGreaterThan(0.2);
    expect(relevance).toBeLessThan(0.4);
    expect(await contentsOf(service, query)).toEqual([passes]);
    const { stages } = await service.explain(query, "m2", call);
    expect(stages.at(-1)).toMatchObject({
      name: "relevance",
      droppedReason: expect.stringContaining("below 0.4, the default") as string,
    });
  });

  test("if the caller sets min_relevance, a memory with no word of the query needs no higher relevance", async () => {
    const service = await openService();
    expect(await contentsOf(service, { ...query, minRelevance: 0.2 })).toEqual([passes, rowing]);
  });

  test("if no memory has every word of the query, a memory with none of the words needs only the relevance of the floor", async () => {
    const service = await openService();
    expect(await contentsOf(service, queryOf("ferry crossing"))).toContain(rowing);
  });

  test("a memory that is withheld or that the filter excludes does not raise the floor of other memories", async () => {
    const service = await openService({ restricted: true });
    expect(await contentsOf(service, { ...query, filter: { tagsAny: ["b"] } })).toEqual([rowing]);
    expect(await contentsOf(service, { ...query, accessFilter: {} })).toEqual([rowing]);
  });
});

test("the summary of a search names the floor only if the floor dropped a memory that the caller may read", async () => {
  const service = await createService(bundled);
  await addAll(service, [
    { content: "The chimney sweep found a nest in the flue", tags: ["house"] },
    { content: "A red car stood outside", tags: ["street"], restricted: true },
  ]);
  const query = queryOf("Who repaired the roof?");
  const reasonOf = async (changes: Partial<SearchQuery>) =>
    (await service.search({ ...query, ...changes }, call)).summary.noHitsReason;
  const reader = { accessFilter: {} };
  expect(await reasonOf({})).toContain("0.2, the default of min_relevance");
  expect(await reasonOf(reader)).toContain("0.2, the default of min_relevance");
  expect(await reasonOf({ ...reader, filter: { tagsAny: ["street"] } })).toBe("");
  expect(await reasonOf({ filter: { tagsAny: ["street"] } })).not.toBe("");
  expect(await reasonOf({ query: "How do I renew my passport?" })).toBe("");
});

test("the default floor keeps a long memory with every word of the query", async () => {
  const service = await createService(bundled);
  const words = Array.from({ length: 4000 }, (_, n) => `item${n}`).join(" ");
  const notes = Array.from({ length: 100 }, (_, n) => ({ content: `note ${n}` }));
  await addAll(service, [{ content: `${words} kayak` }, ...notes]);
  const { hits } = await service.search(queryOf("kayak"), call);
  expect(hits.map(({ scores }) => scores.relevance < 0.2)).toEqual([true]);
  expect(await contentsOf(service, queryOf("kayak", { minRelevance: 0.2 }))).toEqual([]);
});

describe("a gate", () => {
  test("a search with a gate returns no hit if no match reaches the gate, and its summary counts the matches", async () => {
    const service = await createService(bundled);
    await addAll(
      service,
      facts.map((content) => ({ content })),
    );
    const query = queryOf("the old lemon tree under the window", { budgetTokens: 100 });
    const open = await service.search({ ...query, minRelevance: 0 }, call);
    const best = Math.max(...open.hits.map(({ scores }) => scores.relevance));
    expect(best).toBeLessThan(0.9);
    const gated = { ...query, minRelevance: 0, gate: 0.9 };
    const { hits, summary } = await service.search(gated, call);
    expect(hits).toEqual([]);
    expect(summary).toMatchObject({
      gateClosed: true,
      totalMatches: open.summary.totalMatches,
      omitted: [],
      omittedCount: open.summary.totalMatches,
      tokensUsed: 0,
      noHitsReason:
        `no match reaches the gate of 0.9: the most relevant one has a relevance of ` +
        `${Math.floor(best * 1000) / 1000}`,
    });
    const { text, summary: recalled } = await service.recall(gated, call);
    expect([text, recalled.gateClosed]).toEqual(["", true]);
    const [first] = open.hits;
    const explained = await service.explain(gated, first?.memory.id ?? "", call);
    expect(explained.returned).toBe(false);
    expect(explained.stages.at(-1)).toMatchObject({
      name: "gate",
      droppedReason: summary.noHitsReason,
    });
  });

  test("a closed gate reports a best relevance below the gate, even if rounding could make both equal", async () => {
    const service = await createService(bundled);
    await addAll(
      service,
      facts.map((content) => ({ content })),
    );
    const query = queryOf("the old lemon tree under the window", { minRelevance: 0 });
    const { hits } = await service.search(query, call);
    const best = Math.max(...hits.map(({ scores }) => scores.relevance));
    const gate = Math.ceil(best * 1000) / 1000;
    const { summary } = await service.search({ ...query, gate }, call);
    expect(summary.noHitsReason).toBe(
      `no match reaches the gate of ${gate}: the most relevant one has a relevance of ` +
        `${Math.floor(best * 1000) / 1000}`,
    );
  });

  test("a gate changes nothing if a match reaches it", async () => {
    const service = await createService(bundled);
    await addAll(
      service,
      facts.map((content) => ({ content })),
    );
    const query = queryOf("what is her blood group?", { minRelevance: 0 });
    const { hits, summary } = await service.search(query, call);
    expect(await service.search({ ...query, gate: 0.5 }, call)).toEqual({ hits, summary });
  });

  test.each<[string, Partial<Parameters<typeof queryOf>[1]> & { readonly query: string }]>([
    ["an event of the date that the query names", { query: "8 May 2023" }],
    ["a memory with every word of the query", { query: "drum" }],
  ])("a gate is opened by %s", async (_, { query }) => {
    const service = await createService(bundled);
    await addAll(service, [...events, { content: "The ferry runs again", author: "Bob" }]);
    const { hits, summary } = await service.search(queryOf(query, { gate: 1 }), call);
    expect(hits.length).toBeGreaterThan(0);
    expect(summary.gateClosed).toBeUndefined();
  });

  test("a gate is not opened by a memory by the author that the query names", async () => {
    const service = await createService(bundled);
    await addAll(service, [{ content: "The ferry runs again", author: "Bob" }]);
    for (const query of ["what did Bob say?", "Where does Bob live?"]) {
      const { hits, summary } = await service.search(queryOf(query, { gate: 0.5 }), call);
      expect({ hits, gateClosed: summary.gateClosed }).toEqual({ hits: [], gateClosed: true });
    }
  });

  test("a gate closes if nothing matches, but never for an empty query", async () => {
    const service = await createService();
    const gate = 0.5;
    const { summary } = await service.search(queryOf("zebra", { gate }), call);
    expect(summary).toMatchObject({ gateClosed: true, totalMatches: 0, noHitsReason: "" });
    await addAll(service, [{ content: "first" }]);
    expect(await contentsOf(service, queryOf(" ", { gate }))).toEqual(["first"]);
    const off = await service.search(queryOf("zebra", { gate: 0 }), call);
    expect(off.summary.gateClosed).toBeUndefined();
  });
});

import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import type { AddInput } from "../../../../src/core/memories/service.js";
import type { Embedder } from "../../../../src/core/ports/embedder.js";
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

describe("a search without min_relevance", () => {
  const tea = "I like green tea";

  test("returns the best match, however low its relevance is", async () => {
    const strict: Embedder = { ...bundled, defaultFloor: 0.9 };
    const service = await createService(strict);
    await addAll(service, [{ content: tea }, { content: "The bus leaves at nine" }]);
    const { hits } = await service.search(queryOf("What should I drink?"), call);
    expect(hits.map(({ memory }) => memory.content)).toEqual([tea]);
    expect(hits[0]?.scores.relevance).toBeLessThan(0.9);
    const { returned } = await service.explain(queryOf("What should I drink?"), "m1", call);
    expect(returned).toBe(true);
  });

  test("returns no best match that the filter or the access rules exclude", async () => {
    const strict: Embedder = { ...bundled, defaultFloor: 0.9 };
    const service = await createService(strict);
    await addAll(service, [{ content: tea, restricted: true }]);
    const query = queryOf("What should I drink?");
    expect(await contentsOf(service, { ...query, filter: { tagsAny: ["b"] } })).toEqual([]);
    const { hits, summary } = await service.search({ ...query, accessFilter: {} }, call);
    expect({ hits, noHitsReason: summary.noHitsReason }).toEqual({ hits: [], noHitsReason: "" });
  });

  test("returns at most three weak hits, and a search with min_relevance returns all", async () => {
    const service = await createService();
    const contents = ["dog", "cafe", "lamp", "wall", "crane"].map(
      (it) => `Our harbour has a ${it}`,
    );
    await addAll(
      service,
      contents.map((content) => ({ content })),
    );
    const query = queryOf("which harbour did Ada paint last summer?");
    const { hits, summary } = await service.search(query, call);
    expect(hits.map(({ rank, weak }) => [rank, weak])).toEqual([1, 2, 3].map((at) => [at, true]));
    expect(summary).toMatchObject({ totalMatches: 5, weakReturned: 3, omittedCount: 2 });
    const all = await service.search({ ...query, minRelevance: 0 }, call);
    expect(all.hits.map(({ weak }) => weak)).toEqual(contents.map(() => true));
    expect(all.summary.weakReturned).toBe(5);
    const left = all.hits.at(-1)?.memory.id ?? "";
    const { returned, stages } = await service.explain(query, left, call);
    expect(returned).toBe(false);
    expect(stages.at(-1)?.droppedReason).toContain("it is weak, and 3 weak matches come before it");
  });

  test("returns an excerpt of the best match rather than weak hits that fit into the budget", async () => {
    const service = await createService(bundled);
    const log = `${"A test passed. ".repeat(30)}The deploy job failed on a full disk.`;
    await addAll(service, [{ content: log }, { content: "Fog lay over the valley all day" }]);
    const query = queryOf("why did the deploy job fail?", { budgetTokens: 30 });
    const { hits } = await service.search(query, call);
    expect(hits).toMatchObject([{ excerpt: true, rank: 1, weak: false }]);
    expect(hits[0]?.memory.content).toContain("failed");
  });
});

describe("a hit is not weak", () => {
  const longList = Array.from({ length: 4000 }, (_, n) => `item${n}`).join(" ");

  test.each<[string, Omit<AddInput, "namespace">, string]>([
    ["if it holds every keyword of the query", { content: `${longList} kayak` }, "kayak"],
    [
      "if it is on a date that the query names",
      { content: hike, eventTime: secondsAt("2023-05-08T12:00:00Z") },
      "what happened on 8 May 2023?",
    ],
    [
      "if the query asks only what its author said",
      { content: "The ferry runs again", author: "Bob" },
      "what did Bob say?",
    ],
  ])("%s", async (_, memory, text) => {
    const service = await createService(bundled);
    const notes = Array.from({ length: 100 }, (_, n) => ({ content: `note ${n}` }));
    await addAll(service, [memory, ...notes]);
    const { hits } = await service.search(queryOf(text), call);
    expect(hits[0]).toMatchObject({ weak: false });
    expect(hits[0]?.scores.relevance).toBeLessThan(0.2);
  });

  test("if its turn answers the turn before it in a thread, though its relevance is its own", async () => {
    const service = await createService(bundled);
    const question = "When does the night ferry to Gotland leave?";
    await addAll(service, [
      { content: question, threadId: "t", eventTime: secondsAt("2023-05-08T12:00:00Z") },
      { content: "At seven.", threadId: "t", eventTime: secondsAt("2023-05-08T12:00:10Z") },
    ]);
    const { hits } = await service.search(queryOf("when does the ferry to Gotland leave?"), call);
    const answer = hits.find(({ memory }) => memory.content === "At seven.");
    expect(answer).toMatchObject({ weak: false });
    expect(answer?.scores.relevance).toBeLessThan(0.1);
    expect(answer?.scores.keyword).toBeGreaterThan(0.2);
    const strict = { ...queryOf("when does the ferry to Gotland leave?"), minRelevance: 0.3 };
    expect(await contentsOf(service, strict)).toEqual([question]);
  });
});

test("the default floor keeps a long memory with every word of the query", async () => {
  const service = await createService({ ...bundled, defaultFloor: 0.9 });
  const words = Array.from({ length: 4000 }, (_, n) => `item${n}`).join(" ");
  const [best, long, part] = ["kayak, helmet, paddle", `${words} kayak helmet paddle`, "a paddle"];
  const notes = Array.from({ length: 100 }, (_, n) => ({ content: `note ${n}` }));
  await addAll(service, [...[best, long, part].map((content) => ({ content })), ...notes]);
  const query = queryOf("kayak helmet paddle");
  const { hits } = await service.search(query, call);
  expect(hits.map(({ memory }) => memory.content === long)).toEqual([false, true]);
  expect(hits[1]?.scores.relevance).toBeLessThan(0.9);
  const all = await contentsOf(service, { ...query, minRelevance: 0 });
  expect(all.toSorted()).toEqual([best, long, part].toSorted());
  expect(await contentsOf(service, { ...query, minRelevance: 0.9 })).toEqual([best]);
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
    const annotated = await service.recall({ ...gated, annotates: true }, call);
    expect(annotated.text).toBe(`(${summary.noHitsReason})`);
    expect(annotated.summary.tokensUsed).toBeGreaterThan(10);
    const small = await service.recall({ ...gated, annotates: true, budgetTokens: 5 }, call);
    expect([small.text, small.summary.tokensUsed]).toEqual(["", 0]);
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

  test("a gate is opened by a memory with every word of the query", async () => {
    const service = await createService(bundled);
    await addAll(service, [...events, { content: "The ferry runs again", author: "Bob" }]);
    const { hits, summary } = await service.search(queryOf("drum", { gate: 1 }), call);
    expect(hits.length).toBeGreaterThan(0);
    expect(summary.gateClosed).toBeUndefined();
  });

  test("a gate is not opened by an author or a date that the query names", async () => {
    const service = await createService(bundled);
    await addAll(service, [{ content: "The ferry runs again", author: "Bob" }, ...events]);
    for (const query of ["what did Bob say?", "Where does Bob live?", "8 May 2023"]) {
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

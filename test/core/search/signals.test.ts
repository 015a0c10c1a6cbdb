import { join } from "node:path";
import { expect, test } from "vitest";
import { openStaticEmbedder } from "../../../src/embed/static/static-embedder.js";
import {
  addAll,
  call,
  contentsOf,
  createService,
  namespace,
  queryOf,
  secondsAt,
} from "./search-service.js";

test("search finds the two turns after the turn with the keyword", async () => {
  const service = await createService();
  await addAll(service, [
    { content: "Which festival did you visit?", threadId: "t" },
    { content: "The one by the lake.", threadId: "t" },
    { content: "Rain all day.", threadId: "t" },
    { content: "Nothing to do with it.", threadId: "t" },
    { content: "The one on the hill." },
  ]);
  const found = await contentsOf(service, queryOf("festival"));
  expect(found).toEqual(["The one by the lake.", "Which festival did you visit?", "Rain all day."]);
});

test("a memory without a thread borrows no words from earlier memories", async () => {
  const service = await createService();
  await addAll(service, [{ content: "The festival was loud." }, { content: "It rained all day." }]);
  expect(await contentsOf(service, queryOf("festival"))).toEqual(["The festival was loud."]);
});

test("a thread is ordered by event time, not by the order of writing", async () => {
  const service = await createService();
  await addAll(service, [
    { content: "By the lake.", threadId: "t", eventTime: secondsAt("2025-05-01T10:01:00Z") },
    { content: "Nobody knows.", threadId: "t", eventTime: secondsAt("2025-05-01T09:59:00Z") },
    { content: "A festival.", threadId: "t", eventTime: secondsAt("2025-05-01T10:00:00Z") },
  ]);
  // "Nobody knows." has no keyword; the score of the next turn in the thread raises it.
  expect(await contentsOf(service, queryOf("festival"))).toEqual([
    "A festival.",
    "By the lake.",
    "Nobody knows.",
  ]);
});

test("a turn borrows no words from a deleted neighbour or from a neighbour's old text", async () => {
  const service = await createService();
  await addAll(service, [
    { content: "Which festival?", threadId: "t" },
    { content: "By the lake.", threadId: "t" },
  ]);
  await service.update({ namespace, id: "m1", changes: { content: "Which concert?" } }, call);
  expect(await contentsOf(service, queryOf("festival"))).toEqual([]);
  expect(await contentsOf(service, queryOf("concert"))).toEqual(["Which concert?", "By the lake."]);
  await service.delete({ namespace, id: "m1" }, call);
  expect(await contentsOf(service, queryOf("concert"))).toEqual([]);
});

test("if the query names one author, a memory by that author comes first", async () => {
  const service = await createService();
  await addAll(service, [
    { content: "I like jazz", author: "Mia" },
    { content: "I like jazz records", author: "Tom" },
  ]);
  expect(await contentsOf(service, queryOf("What music like jazz does Tom like?"))).toEqual([
    "I like jazz records",
    "I like jazz",
  ]);
  expect(await contentsOf(service, queryOf("What music like jazz does Mia like?"))).toEqual([
    "I like jazz",
    "I like jazz records",
  ]);
});

test("events of the day that the query names come first, then other events of that month", async () => {
  const service = await createService();
  const visit = "We went swimming";
  await addAll(service, [
    { content: `${visit} in the lake`, eventTime: secondsAt("2025-07-09T12:00:00Z") },
    { content: `${visit} in the sea`, eventTime: secondsAt("2025-07-20T12:00:00Z") },
    { content: `${visit} in the pool`, eventTime: secondsAt("2025-08-09T12:00:00Z") },
  ]);
  const found = await contentsOf(service, queryOf("Where did we go swimming on 20 July 2025?"));
  expect(found).toEqual([`${visit} in the sea`, `${visit} in the lake`, `${visit} in the pool`]);
});

test("a relative date in a query, such as yesterday, counts from the reference time", async () => {
  const service = await createService();
  await addAll(service, [
    { content: "Lunch with Ana", eventTime: secondsAt("2025-03-08T12:00:00Z") },
    { content: "Lunch with Leo", eventTime: secondsAt("2025-03-09T12:00:00Z") },
  ]);
  const query = queryOf("Who had lunch with me yesterday?", {
    referenceTime: secondsAt("2025-03-09T20:00:00Z"),
  });
  expect(await contentsOf(service, query)).toEqual(["Lunch with Ana", "Lunch with Leo"]);
});

test("the parts of a score add up to the final score, and absent signals add 0", async () => {
  const service = await createService();
  await addAll(service, [
    {
      content: "Which festival did Mia visit?",
      threadId: "t",
      author: "Tom",
      eventTime: secondsAt("2025-05-01T09:59:00Z"),
    },
    {
      content: "The festival by the lake",
      threadId: "t",
      author: "Mia",
      eventTime: secondsAt("2025-05-01T10:00:00Z"),
    },
    { content: "A festival on the hill" },
  ]);
  const { hits } = await service.search(queryOf("Mia at the festival in May"), call);
  expect(hits).toHaveLength(3);
  expect(hits.find(({ memory }) => memory.id === "m2")?.scores.answer).toBeGreaterThan(0);
  for (const { memory, scores } of hits) {
    const { keyword, following, author, date, recency, importance } = scores;
    const { answer, mention, similarWords } = scores;
    expect(scores.final).toBeCloseTo(
      keyword +
        following +
        (author + date) +
        (answer + mention + similarWords) +
        0.02 * (recency + importance),
      10,
    );
    if (memory.threadId === undefined)
      expect([following, author, date, answer, mention]).toEqual(Array(5).fill(0));
  }
});

test("an empty query with a vector matches only memories with a vector", async () => {
  const service = await createService();
  await addAll(service, [
    { content: "with", embedding: Float32Array.of(1, 0) },
    { content: "without" },
  ]);
  expect(await contentsOf(service, queryOf("", { queryEmbedding: Float32Array.of(1, 0) }))).toEqual(
    ["with"],
  );
  expect(await contentsOf(service, queryOf(" "))).toEqual(["without", "with"]);
});

test("a turn borrows fewer words from a long turn before it than from a short one", async () => {
  const service = await createService();
  const long = Array.from({ length: 100 }, (_, n) => `word${n}`).join(" ");
  await addAll(service, [
    { content: "The festival by the lake", threadId: "short" },
    { content: "It rained.", threadId: "short" },
    { content: `The festival by the lake ${long}`, threadId: "long" },
    { content: "It snowed.", threadId: "long" },
  ]);
  const { hits } = await service.search(queryOf("festival lake"), call);
  const keywordOf = (content: string) =>
    hits.find(({ memory }) => memory.content === content)?.scores.keyword ?? 0;
  expect(keywordOf("It snowed.")).toBeGreaterThan(0);
  expect(keywordOf("It snowed.")).toBeLessThan(keywordOf("It rained.") / 2);
});

test("an answer ranks above its question, and a question without an answer ranks last", async () => {
  const service = await createService();
  await addAll(service, [
    { content: "Did you like the festival?", threadId: "t" },
    { content: "The festival was great, I saw three bands", threadId: "t" },
    { content: "Shall we go to a festival?", threadId: "u" },
  ]);
  expect(await contentsOf(service, queryOf("festival"))).toEqual([
    "The festival was great, I saw three bands",
    "Did you like the festival?",
    "Shall we go to a festival?",
  ]);
});

test("a turn that mentions the day of the query comes first; its relative days count from its event time", async () => {
  const service = await createService();
  const saidAt = secondsAt("2025-07-21T12:00:00Z");
  await addAll(service, [
    { content: "We went swimming last month", threadId: "t", eventTime: saidAt },
    { content: "We went swimming yesterday", threadId: "t", eventTime: saidAt },
    { content: "We went swimming yesterday", threadId: "t" },
  ]);
  const { hits } = await service.search(queryOf("Who went swimming on 20 July 2025?"), call);
  expect(hits.map(({ memory, scores }) => [memory.id, scores.mention])).toEqual([
    ["m2", 0.15000000000000002],
    ["m1", 0],
    ["m3", 0],
  ]);
});

test("the scores `answer`, `mention` and `following` of a long turn are 0", async () => {
  const service = await createService();
  const long = Array.from({ length: 120 }, (_, n) => `word${n}`).join(" ");
  await addAll(service, [
    { content: `${long} festival yesterday?`, threadId: "t" },
    { content: `${long} festival`, threadId: "t" },
  ]);
  const { hits } = await service.search(queryOf("When was the festival?"), call);
  for (const { scores } of hits)
    expect([scores.answer, scores.mention, scores.following]).toEqual([0, 0, 0]);
});

test("words of similar meaning lift a turn most, and a memory without a thread if the query is in English", async () => {
  const folder = join(import.meta.dirname, "../../../models/static-256");
  const service = await createService(await openStaticEmbedder({ folder }));
  await addAll(service, [
    { content: "We bought a new puppy in town", threadId: "t" },
    { content: "We bought a new sofa in town", threadId: "t" },
    { content: "A puppy from the shelter" },
  ]);
  const { hits } = await service.search(queryOf("Which dog did they get?"), call);
  const scores = new Map(hits.map(({ memory, scores }) => [memory.id, scores.similarWords]));
  expect(scores.get("m1")).toBeGreaterThan(0.1);
  expect(scores.get("m1")).toBeLessThan(0.3);
  expect(scores.get("m2") ?? 0).toBeLessThan(0.1);
  expect((scores.get("m3") ?? 0) / (scores.get("m1") ?? 0)).toBeCloseTo(2 / 3, 6);
  expect(hits[0]?.memory.id).toBe("m1");
  const german = await service.search(queryOf("Wo ist der puppy und die dog?"), call);
  const ofNote = german.hits.find(({ memory }) => memory.id === "m3");
  expect(ofNote?.scores.similarWords).toBe(0);
});

test("a date in figures is one keyword, so other dates with the same digits do not match", async () => {
  const service = await createService();
  const workout = "HIIT workout on 2020/07/28";
  await addAll(service, [
    { content: "Oats with berries", eventTime: secondsAt("2020-07-06T08:00:00Z") },
    { content: workout, eventTime: secondsAt("2020-07-28T08:00:00Z") },
    { content: "Invoice of 2020/07/06" },
  ]);
  expect(await contentsOf(service, queryOf("what was on 2020/07/06?"))).toEqual([
    "Invoice of 2020/07/06",
    "Oats with berries",
  ]);
  expect(await contentsOf(service, queryOf("2020-07-28"))).toEqual([workout]);
  expect(await contentsOf(service, queryOf("room 28"))).toEqual([workout]);
});

test.each(["What did Bob say?", "messages from bob@corp.example", "from bob@corp.example"])(
  "the query %j finds what its author said before texts with the same words",
  async (query) => {
    const folder = join(import.meta.dirname, "../../../models/static-256");
    const service = await createService(await openStaticEmbedder({ folder }));
    await addAll(service, [
      { content: "I will bring the cake", author: "bob@corp.example" },
      { content: "Bob is our plumber, and has said so", author: "Zoe" },
      { content: "An example of a message from the corp", author: "Zoe" },
    ]);
    const [first] = await contentsOf(service, queryOf(query));
    expect(first).toBe("I will bring the cake");
  },
);

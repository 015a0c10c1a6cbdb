import { timestampFromMs, timestampMs } from "@bufbuild/protobuf/wkt";
import { expect } from "vitest";
import { type Memory, MemoryStatus } from "#gen/vademecum/v1/memory_pb.js";
import { OmissionReason, SearchIndex, SearchOrder } from "#gen/vademecum/v1/search_pb.js";
import { failureOf } from "../harness/failure.js";
import type { MemoryTest } from "../harness/memory-test.js";
import { required } from "../harness/namespace-client.js";

/** Different facts that a search must not treat as copies, and a query about all of them. */
const differentFacts = [
  {
    query: "How much does Tom owe Ada?",
    facts: ["Tom owes Ada 50 euros", "Ada owes Tom 50 euros"],
  },
  {
    query: "flight Paris London",
    facts: ["Flight from Paris to London", "Flight from London to Paris"],
  },
  { query: "Is the door open?", facts: ["The door is open", "Is the door open?"] },
  { query: "vitamin deficiency", facts: ["Vitamin A deficiency", "Vitamin D deficiency"] },
  {
    query: "freezer degrees",
    facts: ["The freezer must be at -5 degrees", "The freezer must be at 5 degrees"],
  },
  {
    query: "What language does Ada write?",
    facts: ["Ada writes C", "Ada writes C++", "Ada writes C#"],
  },
  { query: "the fee", facts: ["The fee is $5", "The fee is 5%", "The fee is 5"] },
] as const;

/** Cases of Search: matches, their order and form. */
export function searchCases(it: MemoryTest): void {
  it("Search reads only the given namespace, even if another namespace of the user has the same words", async ({
    memories,
    namespaceOf,
  }) => {
    const bio = namespaceOf({ agentId: "bio" });
    await namespaceOf({ agentId: "prime" }).add("p53 is a prime example");
    await bio.add("p53 is a tumour suppressor");
    const { contents, summary } = await bio.search("p53");
    expect(contents).toEqual(["p53 is a tumour suppressor"]);
    expect(summary.totalMatches).toBe(1n);
    expect((await memories.search("p53")).summary.totalMatches).toBe(0n);
  });

  it("an empty query returns the whole namespace, newest first", async ({ memories }) => {
    await memories.addAll("first", "second", "third");
    const { contents, hits } = await memories.search("");
    expect(contents).toEqual(["third", "second", "first"]);
    expect(hits.map(({ scores }) => [scores?.relevance, scores?.vector, scores?.keyword])).toEqual(
      hits.map(() => [0, 0, 0]),
    );
  });

  it("an empty query orders memories of the same millisecond by id, newest first", async ({
    memories,
  }) => {
    await Promise.all(Array.from({ length: 30 }, (_, i) => memories.add(`memory ${i}`)));
    const { hits } = await memories.search("", { limit: 100 });
    const found = hits.map(({ memory }) => required(memory, "a hit without a memory"));
    expect(found).toHaveLength(30);
    expect(found).toEqual(found.toSorted(newestFirst));
  });

  it("Search returns five hits by default, and as many as fit if a budget is given", async ({
    memories,
  }) => {
    await memories.addAll(...Array.from({ length: 12 }, (_, i) => `apple number ${i}`));
    for (const query of ["", "apple"]) {
      expect((await memories.search(query)).hits).toHaveLength(5);
      expect((await memories.search(query, { limit: 7 })).hits).toHaveLength(7);
      expect((await memories.search(query, { budgetTokens: 1_000_000 })).hits).toHaveLength(12);
      expect(
        (await memories.search(query, { budgetTokens: 1_000_000, limit: 3 })).hits,
      ).toHaveLength(3);
      expect((await memories.search(query, { limit: 3 })).summary).toMatchObject({
        totalMatches: 12n,
        omitted: [],
        omittedCount: 9n,
      });
    }
  });

  it("the memory that the query is about comes first", async ({ memories }) => {
    await memories.addAll(
      "The user prefers red wine",
      "The meeting is on Monday",
      "Bordeaux lies in France",
      "Her dog is called Rex",
    );
    expect((await memories.search("Which wine does the user prefer?")).contents[0]).toBe(
      "The user prefers red wine",
    );
    expect((await memories.search("When is the meeting?")).contents[0]).toBe(
      "The meeting is on Monday",
    );
    expect((await memories.search("What is the name of her dog?")).contents[0]).toBe(
      "Her dog is called Rex",
    );
  });

  it("NEWEST_FIRST gives the same matches in another order", async ({ memories }) => {
    await memories.addAll(
      "wine wine wine",
      "the sea is blue",
      "wine from the cellar where it is cold",
      "a glass of wine",
    );
    const byRelevance = await memories.search("wine", { limit: 100 });
    const byTime = await memories.search("wine", { limit: 100, order: SearchOrder.NEWEST_FIRST });
    expect(byTime.contents.toSorted()).toEqual(byRelevance.contents.toSorted());
    expect(byTime.summary.totalMatches).toBe(byRelevance.summary.totalMatches);
    const times = byTime.hits.map(({ memory }) => required(memory, "a hit without a memory"));
    expect(times).toEqual(times.toSorted(newestFirst));
    expect(byTime.contents[0]).toBe("a glass of wine");
  });

  it("Search returns the better of two memories with the same words, and the receipt lists the other", async ({
    memories,
  }) => {
    const [older, newer] = await memories.addAll(
      "The user lives in Rome.",
      "the USER, lives in: rome",
    );
    const { hits, summary } = await memories.search("Where does the user live?");
    expect(hits).toHaveLength(1);
    expect(summary).toMatchObject({ totalMatches: 2n, returned: 1 });
    const [omission] = summary.omitted;
    expect(omission).toMatchObject({ reason: OmissionReason.NEAR_COPY });
    expect(new Set([omission?.id, hits[0]?.memory?.id])).toEqual(new Set([older, newer]));
    expect(hits[0]?.scores?.final).toBeGreaterThanOrEqual(omission?.score ?? Number.NaN);
  });

  it("Search returns all of several texts that differ only in a number or a negation", async ({
    memories,
  }) => {
    await memories.addAll("The room is 12", "The room is 13", "The room is not 13");
    expect((await memories.search("room", { limit: 10 })).hits).toHaveLength(3);
  });

  it("Search returns all facts that differ only in the order of words or in a sign", async ({
    memories,
    namespaceOf,
  }) => {
    for (const [at, { query, facts }] of differentFacts.entries()) {
      const place = at === 0 ? memories : namespaceOf({ agentId: `agent ${at}` });
      await place.addAll(...facts);
      const { contents, summary } = await place.search(query, { limit: 10 });
      expect(new Set(contents)).toEqual(new Set(facts));
      expect(contents).toHaveLength(facts.length);
      expect(summary.omitted).toEqual([]);
      const { text } = await place.recall(query, { limit: 10 });
      for (const fact of facts) expect(text.split("\n")).toContain(`- ${fact}`);
    }
  });

  it("Search returns a repeated text once for each time of its events, even within a time range", async ({
    memories,
  }) => {
    const dose = "Took lisinopril 20 mg";
    for (let day = 1; day <= 10; day++)
      await memories.add(dose, { eventTime: timestampFromMs(Date.UTC(2026, 2, day, 8)) });
    for (const hour of [14, 20, 20])
      await memories.add(dose, { eventTime: timestampFromMs(Date.UTC(2026, 2, 10, hour)) });
    const query = "When did she take lisinopril?";
    const { hits, summary } = await memories.search(query, { limit: 20 });
    expect(hits).toHaveLength(12);
    expect(summary.omitted).toHaveLength(1);
    const start = timestampFromMs(Date.UTC(2026, 2, 3));
    const end = timestampFromMs(Date.UTC(2026, 2, 6));
    const filter = { timeRange: { start, end } };
    expect((await memories.search(query, { limit: 20, filter })).hits).toHaveLength(3);
  });

  it("Search returns an open task beside its resolved twin", async ({ memories }) => {
    const task = "Call the bank about the card";
    await memories.add(task, { status: MemoryStatus.RESOLVED });
    await memories.add(task);
    await memories.add(task, { tags: ["money"] });
    await memories.add(task, { metadata: { priority: 1 } });
    await memories.add(task, { kind: "task" });
    await memories.add(task, { threadId: "t" });
    await memories.add(task);
    const { hits, summary } = await memories.search("the bank", { limit: 20 });
    expect(hits).toHaveLength(6);
    expect(summary.omitted).toHaveLength(1);
  });

  it("Search returns a repeated text once for each author", async ({ memories }) => {
    for (const author of ["Ada", "Bob", "Ada"]) await memories.add("Yes, of course", { author });
    await memories.add("Yes, of course");
    const { hits } = await memories.search("of course yes", { limit: 10 });
    expect(hits).toHaveLength(3);
    expect(new Set(hits.map(({ memory }) => memory?.author))).toEqual(
      new Set(["Ada", "Bob", undefined]),
    );
  });

  it("Search returns no hits and reports a closed gate if no match reaches the gate", async ({
    memories,
  }) => {
    await memories.addAll("The user prefers red wine", "A red car stood outside");
    const gate = 0.5;
    const closed = await memories.search("the red zebra crossing of Neptune", { gate });
    expect(closed.hits).toEqual([]);
    expect(closed.summary).toMatchObject({ gateClosed: true, returned: 0, tokensUsed: 0 });
    expect(closed.summary.totalMatches).toBe(closed.summary.omittedCount);
    const open = await memories.search("red wine", { gate });
    expect(open.contents[0]).toBe("The user prefers red wine");
    expect(open.summary.gateClosed).toBe(false);
    expect((await memories.search("", { gate: 1 })).hits).toHaveLength(2);
  });

  it("a date or an author in the query is enough to find a memory", async ({ memories }) => {
    await memories.add("Ada moved house", { eventTime: timestampFromMs(Date.UTC(2023, 4, 20)) });
    await memories.add("The ferry runs again", { author: "Bob" });
    await memories.add("The printer needs a new drum");
    expect((await memories.search("20 May 2023", { limit: 1 })).contents).toEqual([
      "Ada moved house",
    ]);
    expect((await memories.search("what did Bob say?", { limit: 1 })).contents).toEqual([
      "The ferry runs again",
    ]);
  });

  it("Search neither returns nor counts a match below the requested relevance", async ({
    memories,
  }) => {
    await memories.addAll("The user prefers red wine", "A red car stood outside");
    const all = await memories.search("red wine", { limit: 10 });
    const relevances = all.hits.map(({ scores }) => scores?.relevance ?? 0);
    const floor = Math.max(...relevances);
    const best = await memories.search("red wine", { minRelevance: floor });
    expect(best.contents).toEqual(["The user prefers red wine"]);
    expect(best.summary.totalMatches).toBe(1n);
    const none = await memories.search("completely unrelated zebra crossing", { minRelevance: 1 });
    expect(none.hits).toEqual([]);
    expect(none.summary).toMatchObject({
      totalMatches: 0n,
      returned: 0,
      omitted: [],
      omittedCount: 0n,
      noHitsReason: "",
    });
    expect((await memories.search("", { minRelevance: 1 })).hits).toHaveLength(2);
  });

  it("Search marks the hits that are weak, and Recall lists them below a line that says so", async ({
    memories,
  }) => {
    await memories.add("The roof was repaired by Mr Amsel");
    await memories.add("A red car stood outside");
    const query = "Who repaired the roof?";
    const { hits, summary } = await memories.search(query);
    expect(hits.map(({ rank, weak }) => [rank, weak])).toEqual([
      [1, false],
      [2, true],
    ]);
    expect(summary).toMatchObject({ totalMatches: 2n, returned: 2, weakReturned: 1 });
    const { text } = await memories.recall(query);
    expect(text).toBe(
      "- The roof was repaired by Mr Amsel\nperhaps related:\n- A red car stood outside",
    );
    for (const fields of [{ minRelevance: 0.2 }, { filter: { tagsAny: ["garden"] } }]) {
      const other = await memories.search(query, fields);
      expect(other.summary).toMatchObject({ weakReturned: 0, noHitsReason: "" });
    }
  });

  it("Search gives the reason if no match opens its gate, and so does the text of an annotated Recall", async ({
    memories,
  }) => {
    await memories.add("A red car stood outside");
    const query = "Who repaired the roof?";
    const { hits, summary } = await memories.search(query, { gate: 0.5 });
    expect(hits).toEqual([]);
    expect(summary).toMatchObject({ totalMatches: 1n, omittedCount: 1n, gateClosed: true });
    expect(summary.noHitsReason).toMatch(/^no match reaches the gate of 0\.5: /);
    expect((await memories.recall(query, { gate: 0.5 })).text).toBe("");
    const annotated = await memories.recall(query, { gate: 0.5, annotate: true });
    expect(annotated.text).toBe(`(${summary.noHitsReason})`);
  });

  it("a search of an unknown namespace has no hits", async ({ memories }) => {
    for (const query of ["", "anything"]) {
      const { hits, summary } = await memories.search(query, { budgetTokens: 10 });
      expect(hits).toEqual([]);
      expect(summary).toMatchObject({
        totalMatches: 0n,
        budgetTokens: 10,
        tokensUsed: 0,
        noHitsReason: "",
      });
    }
  });

  it("Search sends at most 32 hits or 64 KiB in a message, and a small result in one message", async ({
    memories,
  }) => {
    await memories.addAll("small");
    expect((await memories.search("")).messages).toHaveLength(1);
    await memories.reset();
    await Promise.all(Array.from({ length: 40 }, (_, i) => memories.add(`hit ${i}`)));
    const many = await memories.search("hit", { limit: 100 });
    expect(many.hits).toHaveLength(40);
    expect(many.messages.map(({ hits }) => hits.length)).toEqual([32, 8]);
    await memories.reset();
    await Promise.all(
      Array.from({ length: 3 }, (_, i) => memories.add(`${i} ${"long text ".repeat(4000)}`)),
    );
    const long = await memories.search("");
    expect(long.hits).toHaveLength(3);
    expect(long.messages.map(({ hits }) => hits.length)).toEqual([1, 1, 1]);
  });

  it("Search reports the commit number of the searched data, the method and the duration", async ({
    memories,
  }) => {
    const { commitSeq } = await memories.add("A fact");
    const { summary } = await memories.search("fact", { minCommitSeq: commitSeq });
    expect(summary.commitSeq).toBe(commitSeq);
    expect(summary.index).toBe(SearchIndex.EXACT);
    expect(summary.queryDuration).toBeDefined();
    expect(summary.budgetTokens).toBeUndefined();
  });

  it("a min_commit_seq that the server never returned is refused", async ({ memories }) => {
    const { commitSeq } = await memories.add("A fact");
    for (const minCommitSeq of [commitSeq + 1n, 1n, 2n ** 62n]) {
      const failure = await failureOf(memories.search("fact", { minCommitSeq }));
      expect(failure).toMatchObject({
        code: "INVALID_ARGUMENT",
        reason: "FOREIGN_COMMIT_SEQ",
        fields: ["min_commit_seq"],
      });
    }
  });

  it("a min_commit_seq of another user is refused, even if it is smaller than the user's own", async ({
    memories,
    namespaceOf,
  }) => {
    const other = namespaceOf({ userId: "another" });
    const { commitSeq: minCommitSeq } = await other.add("A fact");
    await memories.addAll("one", "two", "three");
    for (const call of [
      () => memories.search("fact", { minCommitSeq }),
      () => memories.recall("fact", { minCommitSeq }),
    ]) {
      const failure = await failureOf(call());
      expect(failure).toMatchObject({ code: "INVALID_ARGUMENT", reason: "FOREIGN_COMMIT_SEQ" });
      expect(failure.message).toContain("another user");
    }
  });

  it("a search accepts the commit_seq of a write by another agent of the user", async ({
    memories,
    namespaceOf,
  }) => {
    await memories.add("A fact");
    const { commitSeq } = await namespaceOf({ agentId: "colleague" }).add("Another fact");
    const { contents, summary } = await memories.search("fact", { minCommitSeq: commitSeq });
    expect(contents).toEqual(["A fact"]);
    expect(summary.commitSeq).toBe(commitSeq);
  });
}

function newestFirst(a: Memory, b: Memory): number {
  const byTime =
    timestampMs(b.createTime ?? timestampFromMs(0)) -
    timestampMs(a.createTime ?? timestampFromMs(0));
  return byTime || (a.id < b.id ? 1 : -1);
}

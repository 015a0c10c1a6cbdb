import { join } from "node:path";
import { expect, test } from "vitest";
import { createMemoryService } from "../../../src/core/memories/create-service.js";
import type { AddInput, MemoryService } from "../../../src/core/memories/service.js";
import { createEmbedders } from "../../../src/core/ports/embedder.js";
import type { SearchIndex } from "../../../src/core/ports/search-index.js";
import { createWakeUps } from "../../../src/core/requests/wake-ups.js";
import {
  defaultWeights,
  type SearchQuery,
  type SearchResult,
} from "../../../src/core/search/query/search.js";
import { createWriteGate } from "../../../src/core/vectors/write-gate.js";
import { openStaticEmbedder } from "../../../src/embed/static/static-embedder.js";
import { createSearchIndex, type SearchIndexOptions } from "../../../src/index/search-index.js";
import { memoryRecords } from "../../../src/store/codec/memory-records.js";
import { createInMemoryStore } from "../../../src/store/in-memory/in-memory-store.js";
import { createTokenCounter } from "../../../src/tokens/o200k-token-counter.js";
import { call, namespace, queryOf } from "../../core/search/search-service.js";
import { createManualTimer } from "../../server/manual-timer.js";
import { isFullSuite } from "../../suite.js";
import { describeWithGraphs } from "../graph/graph-addon.js";
import { randomNumbers } from "../vector/naive-cosine.js";

const log = (level: string, message: string): void => {
  if (level !== "info") throw new Error(message);
};
const roomy = 2 ** 30;

const people = ["Ann", "Ben", "Cleo"];
const things = ["bicycle", "garden", "violin", "harbour", "recipe", "passport", "novel", "dentist"];
const deeds = ["bought", "lost", "repaired", "described", "forgot", "sold", "photographed"];
const places = ["Oslo", "Lisbon", "the market", "the library", "a small village", "the station"];

/** Creates turns of conversations, and single facts. */
function memories(count: number): Omit<AddInput, "namespace">[] {
  const random = randomNumbers(5);
  const pick = (words: readonly string[]) => words[Math.floor(random() * words.length)] ?? "";
  return Array.from({ length: count }, (_, i) => {
    const author = pick(people);
    const content = `${author} ${pick(deeds)} the ${pick(things)} and a ${pick(things)} in ${pick(places)}, number ${i}`;
    const eventTime = { seconds: Date.UTC(2025, i % 12, 1 + (i % 28)) / 1000 + i, nanos: 0 };
    return {
      content,
      eventTime,
      tags: [i % 3 === 0 ? "third" : "other"],
      ...(i % 4 > 0 && { author, threadId: `t${Math.floor(i / 20)}` }),
    };
  });
}

const searches: readonly SearchQuery[] = [
  queryOf("Who repaired a violin?"),
  queryOf("What did Ann lose in Lisbon?", { limit: 20 }),
  queryOf("What happened in May 2025?", { limit: 20 }),
  queryOf("something to ride on", { limit: 20 }),
  queryOf("a musical instrument", { limit: 20, filter: { tagsAny: ["other"] } }),
  queryOf("papers for travelling", { limit: 20, filter: { tagsAny: ["third"], author: "Ben" } }),
  queryOf("plants and flowers", { budgetTokens: 300 }),
  queryOf("teeth", { limit: 20, minRelevance: 0.3 }),
  queryOf("a book that somebody wrote", {
    limit: 10,
    weights: { ...defaultWeights, novelty: 0.5 },
  }),
  queryOf("boats and ships", { limit: 10, order: "NEWEST_FIRST" }),
  queryOf("cooking", { limit: 10, weights: { ...defaultWeights, recency: 1 } }),
];

const withGraphs = { graphs: { threshold: 100, log } };

/** Creates a service that finds near rows, and a service `exact` that compares all vectors. */
async function createServices(ways: Pick<SearchIndexOptions, "graphs" | "signedFrom">) {
  const store = createInMemoryStore("epoch");
  const [embedder, tokens] = await Promise.all([
    openStaticEmbedder({ folder: join(import.meta.dirname, "../../../models/static-256") }),
    createTokenCounter(),
  ]);
  let made = 0;
  const clock = { nowMs: () => Date.UTC(2026, 0, 1) + made * 1000 };
  const ids = { next: () => `m${++made}` };
  const serviceOver = (index: SearchIndex): MemoryService =>
    createMemoryService({
      timer: createManualTimer(),
      store,
      index,
      embedders: createEmbedders(embedder),
      gate: createWriteGate(),
      wakeUps: createWakeUps(),
      tokens,
      clock,
      ids,
      allowReset: false,
    });
  const index = createSearchIndex({
    codec: memoryRecords,
    store,
    maxBytes: roomy,
    ...ways,
  });
  return {
    index,
    service: serviceOver(index),
    exact: serviceOver(createSearchIndex({ codec: memoryRecords, store, maxBytes: roomy })),
  };
}

test("a search by sign bits returns as many hits as a search of all vectors, with nearly the same scores", async () => {
  const { index, service, exact } = await createServices({ signedFrom: 100 });
  for (const memory of memories(700)) await service.add({ namespace, ...memory }, call);
  await service.search(queryOf("anything"), call);
  await index.settled();
  const compare = async () => {
    const tiers: string[] = [];
    for (const query of searches) {
      const found = await service.search(query, call);
      expectAlike(found, await exact.search(query, call));
      tiers.push(found.summary.index);
    }
    expect(tiers.filter((tier) => tier === "near").length).toBeGreaterThan(6);
  };
  await compare();
  // The bits follow new, changed and deleted memories, and are made anew for renumbered rows.
  const content = "Cleo sold the violin and a novel in Oslo, number 1000";
  const { id } = await service.add({ namespace, content }, call);
  await service.update({ namespace, id, changes: { content: `${content}!` } }, call);
  await compare();
  for (let number = 1; number <= 200; number++)
    await service.delete({ namespace, id: `m${number}` }, call);
  await service.search(queryOf("anything"), call);
  await index.settled();
  await compare();
  await index.close();
});

describeWithGraphs("a search through a graph", () => {
  test.runIf(isFullSuite)(
    "a search through a graph returns as many hits as a search of all vectors, with nearly the same scores",
    async () => {
      const { index, service, exact } = await createServices(withGraphs);
      for (const memory of memories(700)) await service.add({ namespace, ...memory }, call);
      await service.search(queryOf("anything"), call);
      await index.settled();

      const tiers: string[] = [];
      for (const query of searches) {
        const found = await service.search(query, call);
        expectAlike(found, await exact.search(query, call));
        tiers.push(found.summary.index);
      }
      expect(tiers).toEqual([...searches.slice(2).map(() => "near"), "exact", "exact"]);

      const copy = { namespace, content: "Cleo sold the violin and a novel in Oslo, number 1000" };
      await service.add(copy, call);
      const [near] = (await service.add({ ...copy, content: `${copy.content}!` }, call))
        .nearDuplicates;
      expect(near?.id).toBe("m701");
      await index.close();
    },
  );

  test.runIf(isFullSuite)(
    "a search through a graph counts every memory with a query word, even if its vector is not compared",
    async () => {
      const { index, service, exact } = await createServices(withGraphs);
      const random = randomNumbers(6);
      const pick = (words: readonly string[]) => words[Math.floor(random() * words.length)] ?? "";
      // The diaries differ in length, so hardly any two have the same score for a word that all of
      // them have.
      const diaries = Array.from({ length: 5_000 }, (_, i) => {
        const ofDay = Array.from(
          { length: 1 + (i % 25) },
          () => `${pick(people)} ${pick(deeds)} the ${pick(things)} in ${pick(places)}`,
        );
        const eventTime = { seconds: Date.UTC(2023, 0, 1 + (i % 365)) / 1000, nanos: 0 };
        return { namespace, content: `diary ${i}: ${ofDay.join(", ")}`, eventTime };
      });
      for (let from = 0; from < diaries.length; from += 100) {
        await Promise.all(diaries.slice(from, from + 100).map((item) => service.add(item, call)));
      }
      await service.search(queryOf("anything"), call);
      await index.settled();
      for (const text of [
        "diary about a violin in Lisbon",
        "diary: who lost a passport?",
        "diary of music",
        "diary about a violin in Lisbon on 7 July 2023",
        "diary: who lost a passport in Oslo on 9 May 2023?",
      ]) {
        const found = await service.search(queryOf(text, { limit: 20, minRelevance: 0 }), call);
        expect(found.summary.index).toBe("near");
        expect(found.summary.totalMatches).toBe(diaries.length);
        expectAlike(found, await exact.search(queryOf(text, { limit: 20, minRelevance: 0 }), call));
      }
      await index.close();
    },
  );
});

/**
 * Maximum error of a score when all vectors are compared. Only the best 256 scores are exact.
 */
const roughly = 0.01;

function expectAlike(found: SearchResult, expected: SearchResult): void {
  expect(found.hits.length).toBe(expected.hits.length);
  const expectedScores = new Map(expected.hits.map(({ memory, scores }) => [memory.id, scores]));
  for (const [rank, { memory, scores }] of found.hits.entries()) {
    expect(
      Math.abs(scores.final - (expected.hits[rank]?.scores.final ?? 0)),
      `final score of rank ${rank}`,
    ).toBeLessThan(roughly);
    for (const [name, score] of Object.entries(expectedScores.get(memory.id) ?? {})) {
      const found = scores[name as keyof typeof scores] ?? Number.NaN;
      expect(Math.abs(found - (score as number)), `${name} of ${memory.id}`).toBeLessThan(
        name === "relevance" ? 2 * roughly : roughly,
      );
    }
  }
}

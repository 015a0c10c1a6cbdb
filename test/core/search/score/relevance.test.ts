import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import type { Embedder } from "../../../../src/core/ports/embedder.js";
import type { Row } from "../../../../src/core/ports/search-index.js";
import { Relevance } from "../../../../src/core/search/score/relevance.js";
import { openStaticEmbedder } from "../../../../src/embed/static/static-embedder.js";
import { call, createService, namespace, queryOf } from "../search-service.js";

interface CalibrationText {
  readonly memory: string;
  readonly paraphrase: string;
  readonly question: string;
}

const models = join(import.meta.dirname, "../../../../models");
const texts = JSON.parse(
  readFileSync(join(models, "calibration", "texts.json"), "utf8"),
) as readonly CalibrationText[];
const { signal } = new AbortController();

/** A text of 360 words. Its keyword score is low, because the other memories are short. */
const longNote = Array.from(
  { length: 30 },
  (_, n) => `On day ${n} the ferry brought ${n} crates of apples and salt`,
).join(". ");
const notes = [
  "Her blood group is AB negative",
  longNote,
  "The chimney sweep found a nest in the flue",
  ...Array.from({ length: 40 }, (_, n) => `ferry ${n}`),
];

let bundled: Embedder;
beforeAll(async () => {
  bundled = await openStaticEmbedder({ folder: join(models, "static-256") });
});

describe.each<[string, { readonly server: boolean; readonly caller: boolean }]>([
  ["keywords alone", { server: false, caller: false }],
  ["the vectors of the server", { server: true, caller: false }],
  ["vectors of callers", { server: false, caller: true }],
])("search by %s", (_, { server, caller }) => {
  test("a minRelevance of 0.7 keeps over 80 % of paraphrases and under 1 % of other texts", async () => {
    const service = await createService(server ? bundled : undefined);
    const vectorOf = async (text: string) =>
      caller ? (await bundled.embed([text], signal))[0] : undefined;
    for (const { memory } of texts) {
      const embedding = await vectorOf(memory);
      await service.add({ namespace, content: memory, ...(embedding && { embedding }) }, call);
    }
    const foundAt = async (query: string, minRelevance: number) => {
      const queryEmbedding = await vectorOf(query);
      const { hits } = await service.search(
        queryOf(query, { limit: 1000, minRelevance, ...(queryEmbedding && { queryEmbedding }) }),
        call,
      );
      return new Set(hits.map((hit) => hit.memory.content));
    };
    let same = 0;
    let others = 0;
    for (const { memory, paraphrase, question } of texts) {
      if ((await foundAt(paraphrase, 0.7)).has(memory)) same += 1;
      const found = await foundAt(question, 0.7);
      others += found.size - (found.has(memory) ? 1 : 0);
    }
    expect(same / texts.length).toBeGreaterThan(0.8);
    expect(others / (texts.length * (texts.length - 1))).toBeLessThan(0.01);
  }, 60_000);
});

describe.each([
  ["memories by themselves", {}],
  ["turns of a thread", { threadId: "t" }],
])("a memory with the same vector as the query: %s", (_, fields) => {
  const relevanceOfEach = async (
    service: Awaited<ReturnType<typeof createService>>,
    fieldsOf: (note: string) => Promise<Partial<Parameters<typeof queryOf>[1]>>,
  ) => {
    const relevances: number[] = [];
    for (const note of notes.slice(0, 3)) {
      const query = queryOf(note, { limit: 100, minRelevance: 0, ...(await fieldsOf(note)) });
      const { hits } = await service.search(query, call);
      const hit = hits.find(({ memory }) => memory.content === note);
      relevances.push(hit?.scores.relevance ?? -1);
      const { stages } = await service.explain(query, hit?.memory.id ?? "", call);
      expect(stages.find(({ name }) => name === "relevance")?.score).toBe(hit?.scores.relevance);
      expect((await service.search({ ...query, gate: 1 }, call)).hits).toHaveLength(hits.length);
    }
    return relevances;
  };

  test("a memory has the relevance 1 for a query with its own text, if the server makes the vectors", async () => {
    const service = await createService(bundled);
    for (const content of notes) await service.add({ namespace, content, ...fields }, call);
    expect(await relevanceOfEach(service, async () => ({}))).toEqual([1, 1, 1]);
  });

  test("a memory has the relevance 1 for a query with its own vector and another text or none", async () => {
    const service = await createService();
    const vectorOf = async (text: string) => (await bundled.embed([text], signal))[0];
    for (const content of notes) {
      const embedding = await vectorOf(content);
      await service.add({ namespace, content, ...fields, ...(embedding && { embedding }) }, call);
    }
    for (const query of ["", "unheard of"]) {
      const relevances = await relevanceOfEach(service, async (note) => {
        const queryEmbedding = await vectorOf(note);
        return { query, ...(queryEmbedding && { queryEmbedding }) };
      });
      expect(relevances).toEqual([1, 1, 1]);
    }
  });
});

test("a memory with the query's vector has at least the relevance `sameVectorRelevance`", () => {
  const calibration = { vectorWeight: 0.4, randomScore: 0, paraphraseScore: 0.5 };
  const relevance = new Relevance({ sameVector: [3] }, { calibration, sameVectorRelevance: 0.4 });
  const scores = [0, 0.1, 0.3, 0.5];
  expect(scores.map((score) => relevance.of(3 as Row, score))).toEqual([0.4, 0.4, 0.6, 1]);
  expect(scores.map((score) => relevance.of(4 as Row, score))).toEqual([0, 0.2, 0.6, 1]);
});

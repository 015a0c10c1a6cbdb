import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import type { Embedder } from "../../../src/core/ports/embedder.js";
import { openStaticEmbedder } from "../../../src/embed/static/static-embedder.js";
import { call, createService, namespace, queryOf } from "./search-service.js";

interface CalibrationText {
  readonly memory: string;
  readonly paraphrase: string;
  readonly question: string;
}

const models = join(import.meta.dirname, "../../../models");
const texts = JSON.parse(
  readFileSync(join(models, "calibration", "texts.json"), "utf8"),
) as readonly CalibrationText[];
const { signal } = new AbortController();

let bundled: Embedder;
beforeAll(async () => {
  bundled = await openStaticEmbedder({ folder: join(models, "static-256") });
});

describe.each<[string, { readonly server: boolean; readonly caller: boolean }]>([
  ["keywords alone", { server: false, caller: false }],
  ["the vectors of the server", { server: true, caller: false }],
  ["vectors of callers", { server: false, caller: true }],
])("search by %s", (_, { server, caller }) => {
  test("a minRelevance of 0.7 keeps over 80 % of paraphrases and under 1 % of others", async () => {
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

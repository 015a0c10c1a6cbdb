import { describe, expect, test } from "vitest";
import { createEmbedders, type Embedder } from "../../../src/core/ports/embedder.js";
import { keywordCalibration } from "../../../src/core/vectors/calibration.js";
import { queryVectorFor } from "../../../src/core/vectors/vectors.js";

const namespace = { userId: "ada", agentId: "notes" };
const made = { vectorBy: () => Float32Array.of(1, 0), latest: undefined };
const embedder: Embedder = {
  modelId: "test@1",
  dimension: 2,
  calibration: { vectorWeight: 0.4, randomScore: 0.1, paraphraseScore: 0.5 },
  embed: async () => [],
};

function weightOf(model: Embedder, text: string, meanTerms: number): number {
  const index = { profile: { modelId: "test@1", dimension: 2 }, meanTerms };
  return queryVectorFor(
    namespace,
    index,
    createEmbedders(model),
    { text, given: undefined, made },
    "query_embedding",
  ).calibration.vectorWeight;
}

describe("the weight of a query's vector", () => {
  test("by default, the weight of a query's vector is `vectorWeight` of the model's calibration", () => {
    for (const meanTerms of [0, 60, 1_000])
      expect(weightOf(embedder, "привет", meanTerms)).toBeCloseTo(0.4, 12);
  });

  test("the weight of a query's vector is in proportion to the share of the query that the model knows", () => {
    const english = { ...embedder, knownShare: (text: string) => (text === "half" ? 0.5 : 0) };
    expect(weightOf(english, "half", 10)).toBeCloseTo(0.2, 12);
    expect(weightOf(english, "привет", 10)).toBe(0);
  });

  test("as the mean text of a namespace grows from 50 to 100 terms, the weight of a query's vector falls linearly to the share `longTextWeight`", () => {
    const short = { ...embedder, longTextWeight: 0.5 };
    expect(
      [10, 50, 75, 100, 1_000].map((meanTerms) => weightOf(short, "text", meanTerms).toFixed(3)),
    ).toEqual([...["0.400", "0.400", "0.300", "0.200", "0.200"]]);
  });
});

test("if a query's vector has no weight, relevance is calibrated for keywords alone", () => {
  const index = { profile: { modelId: "test@1", dimension: 2 }, meanTerms: 10 };
  const unknowing = { ...embedder, knownShare: () => 0 };
  const { calibration } = queryVectorFor(
    namespace,
    index,
    createEmbedders(unknowing),
    { text: "x", given: undefined, made },
    "query_embedding",
  );
  expect(calibration).toEqual(keywordCalibration);
});

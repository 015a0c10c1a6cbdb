import { expect, test } from "vitest";
import type { Embedder } from "../../../src/core/ports/embedder.js";
import {
  callerCalibration,
  keywordScaleOf,
  modelScaleOf,
  partialScale,
} from "../../../src/core/vectors/calibration.js";

const model = { calibration: callerCalibration, defaultFloor: 0.1 };
const embedder: Embedder = {
  modelId: "test@1",
  dimension: 1,
  ...model,
  otherLatin: { calibration: { ...callerCalibration, vectorWeight: 0.1 } },
  embed: async () => [],
};

test("vectors of weight 0 get the scale of keywords alone, and vectors of full weight get the model's own", () => {
  const keywords = keywordScaleOf("tea");
  expect(partialScale(keywords, model, 0)).toEqual(keywords);
  const whole = partialScale(keywords, model, 1);
  expect(whole.defaultFloor).toBeCloseTo(0.1, 12);
  for (const [name, figure] of Object.entries(callerCalibration))
    expect(whole.calibration[name as keyof typeof callerCalibration]).toBeCloseTo(figure, 12);
});

test.each([
  ["where does the doctor live?", 0.4],
  ["tea", 0.4],
  ["Wo wohnt der Arzt von Ada?", 0.1],
  ["¿dónde vive el médico?", 0.1],
])("a query such as %j gives vectors the weight %d", (query, vectorWeight) => {
  expect(modelScaleOf(embedder, query).calibration.vectorWeight).toBe(vectorWeight);
});

test("a model without a scale for other languages has one scale", () => {
  const { otherLatin: _, ...alike } = embedder;
  expect(modelScaleOf(alike, "Wo wohnt der Arzt?")).toEqual(model);
});

test("a Chinese query needs fewer common pairs of characters for the same relevance", () => {
  const { calibration: chinese } = keywordScaleOf("我的医生在哪里？");
  const { calibration: english } = keywordScaleOf("Where is 我 doctor?");
  expect(chinese.paraphraseScore).toBeLessThan(english.paraphraseScore);
});

import { expect, test } from "vitest";
import {
  callerCalibration,
  keywordCalibration,
  partialCalibration,
} from "../../../src/core/vectors/calibration.js";

test("vectors of weight 0 get the calibration for keywords alone, and vectors of full weight get the model's own", () => {
  expect(partialCalibration(callerCalibration, 0)).toEqual(keywordCalibration);
  const whole = partialCalibration(callerCalibration, 1);
  expect(whole.vectorWeight).toBeCloseTo(callerCalibration.vectorWeight, 12);
  expect(whole.randomScore).toBeCloseTo(callerCalibration.randomScore, 12);
  expect(whole.paraphraseScore).toBeCloseTo(callerCalibration.paraphraseScore, 12);
});

import { expect, test } from "vitest";
import {
  callerCalibration,
  keywordCalibration,
  partialCalibration,
} from "../../../src/core/vectors/calibration.js";

test("a share of 0 gives the calibration for keywords alone, and a share of 1 gives the model's own", () => {
  expect(partialCalibration(callerCalibration, 0)).toEqual(keywordCalibration);
  const whole = partialCalibration(callerCalibration, 1);
  expect(whole.vectorWeight).toBeCloseTo(callerCalibration.vectorWeight, 12);
  expect(whole.randomScore).toBeCloseTo(callerCalibration.randomScore, 12);
  expect(whole.paraphraseScore).toBeCloseTo(callerCalibration.paraphraseScore, 12);
});

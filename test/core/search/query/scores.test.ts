import { describe, expect, it } from "vitest";
import { fusedScore, relevanceOf } from "../../../../src/core/search/query/scores.js";

const calibration = { vectorWeight: 0.4, randomScore: 0.05, paraphraseScore: 0.45 };

describe("the fused score", () => {
  it("the fused score is the weighted mean of the keyword score and the cosine", () => {
    expect(fusedScore(0.5, 0.25, calibration)).toBeCloseTo(0.4, 10);
  });

  it("the fused score counts a cosine that is negative or not a number as 0", () => {
    for (const cosine of [-0.5, Number.NaN]) {
      expect(fusedScore(0.5, cosine, calibration)).toBeCloseTo(0.3, 10);
      expect(relevanceOf(fusedScore(0, cosine, calibration), calibration)).toBe(0);
    }
  });
});

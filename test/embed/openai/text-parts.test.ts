import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { meanOfParts, splitText } from "../../../src/embed/openai/text-parts.js";

describe("a text in parts", () => {
  it("a short text is one part, and an empty text has no part", () => {
    expect(splitText("a short text")).toEqual(["a short text"]);
    expect(splitText("")).toEqual([]);
  });

  it("the parts of a text have all of its words in order, and each part is short enough", () => {
    const word = fc.oneof(
      fc.string({ unit: "binary", maxLength: 12 }),
      fc.constantFrom(" ", "\n", "記憶", "🙂", "x".repeat(9_000), " ".repeat(9_000)),
    );
    fc.assert(
      fc.property(
        fc.array(word, { maxLength: 40 }),
        fc.integer({ min: 1, max: 200 }),
        (words, times) => {
          const text = words.join("").repeat(times).slice(0, 70_000);
          const parts = splitText(text);
          const withoutSpace = (some: string) => some.replaceAll(/\s+/g, "");
          expect(withoutSpace(parts.join(""))).toBe(withoutSpace(text.toWellFormed()));
          for (const part of parts) expect(Buffer.byteLength(part)).toBeLessThanOrEqual(8_000);
          expect(parts.every((part) => part.trim() !== "")).toBe(true);
        },
      ),
    );
  });

  it("a text of several words is cut between words", () => {
    const parts = splitText("syllable ".repeat(3_000));
    expect(parts.length).toBeGreaterThan(3);
    for (const part of parts.slice(1)) expect(part).toMatch(/^ syllable/);
  });

  it("a long run of white space between two words does not become a part", () => {
    const parts = splitText(`one${" ".repeat(20_000)}two`);
    expect(parts.map((part) => part.trim())).toEqual(["one", "two"]);
  });

  it("the mean of a text in parts weighs each part by its length", () => {
    const mean = meanOfParts(["abc", "d"], [Float32Array.of(1, 0), Float32Array.of(0, 1)]);
    expect(mean[0]).toBeCloseTo(3 / Math.sqrt(10), 6);
    expect(mean[1]).toBeCloseTo(1 / Math.sqrt(10), 6);
  });

  it("the mean of a text in parts ignores the length of the parts' vectors", () => {
    const unit = meanOfParts(["abc", "d"], [Float32Array.of(1, 0), Float32Array.of(0, 1)]);
    expect(
      meanOfParts(["abc", "d"], [Float32Array.of(3e38, 0), Float32Array.of(0, 1e-38)]),
    ).toEqual(unit);
  });

  it("a text whose parts have vectors of zeros has a vector of zeros", () => {
    expect(meanOfParts(["abc"], [Float32Array.of(0, 0)])).toEqual(Float32Array.of(0, 0));
  });
});

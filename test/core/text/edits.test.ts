import fc from "fast-check";
import { expect, test } from "vitest";
import { isWithinEdits } from "../../../src/core/text/edits.js";
import { editDistance } from "../../fixtures/edit-distance.js";

test.each([
  ["tiket", "ticket", 1, "one letter is missing"],
  ["umbrellla", "umbrella", 1, "one letter is too many"],
  ["lizbon", "lisbon", 1, "one letter is wrong"],
  ["claendar", "calendar", 1, "two letters are swapped"],
  ["bycicl", "bicycl", 2, "two letters are wrong"],
  ["ibuprophen", "ibuprofen", 2, "one letter is wrong and one is too many"],
  ["велосепед", "велосипед", 1, "one Cyrillic letter is wrong"],
  ["abc", "ca", 3, "two swapped letters are not edited again"],
])("%s becomes %s with %i edits and no fewer: %s", (a, b, edits) => {
  expect(isWithinEdits(a, b, edits)).toBe(true);
  expect(isWithinEdits(b, a, edits)).toBe(true);
  expect(isWithinEdits(a, b, edits - 1)).toBe(false);
});

test("isWithinEdits agrees with the edit distance from a full table", () => {
  const word = fc.string({ unit: fc.constantFrom("a", "b", "c"), maxLength: 8 });
  fc.assert(
    fc.property(word, word, fc.nat(3), (a, b, edits) => {
      expect(isWithinEdits(a, b, edits)).toBe(editDistance(a, b) <= edits);
    }),
  );
});

import fc from "fast-check";
import { expect, test } from "vitest";
import { isWithinEdits } from "../../../src/core/text/edits.js";
import { editDistance } from "../../fixtures/edit-distance.js";

test.each([
  ["tiket", "ticket", 1, "a letter is missing"],
  ["umbrellla", "umbrella", 1, "a letter is too many"],
  ["lizbon", "lisbon", 1, "a letter is another"],
  ["claendar", "calendar", 1, "two letters are swapped"],
  ["bycicl", "bicycl", 2, "two letters are others"],
  ["ibuprophen", "ibuprofen", 2, "a letter is another and one is too many"],
  ["велосепед", "велосипед", 1, "a Cyrillic letter is another"],
  ["abc", "ca", 3, "no letter is edited twice"],
])("%s is %s after %i edits: %s", (a, b, edits) => {
  expect(isWithinEdits(a, b, edits)).toBe(true);
  expect(isWithinEdits(b, a, edits)).toBe(true);
  expect(isWithinEdits(a, b, edits - 1)).toBe(false);
});

test("isWithinEdits agrees with a table of all distances", () => {
  const word = fc.string({ unit: fc.constantFrom("a", "b", "c"), maxLength: 8 });
  fc.assert(
    fc.property(word, word, fc.nat(3), (a, b, edits) => {
      expect(isWithinEdits(a, b, edits)).toBe(editDistance(a, b) <= edits);
    }),
  );
});

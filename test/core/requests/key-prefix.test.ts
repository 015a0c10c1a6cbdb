import fc from "fast-check";
import { expect, it } from "vitest";
import { justBefore, sortsBefore } from "../../../src/core/requests/key-prefix.js";
import { propertyRuns } from "../../suite.js";

const prefixes = fc.oneof(
  fc.string({ minLength: 1, unit: "binary" }),
  fc.constantFrom("a", "a\0", "\0", "\u{e000}", "\u{10000}", "x\u{10ffff}"),
);

it("the text just before a prefix sorts before the prefix and every key with it", () => {
  fc.assert(
    fc.property(prefixes, fc.string({ unit: "binary" }), (prefix, rest) => {
      expect(sortsBefore(justBefore(prefix), prefix)).toBe(true);
      expect(sortsBefore(justBefore(prefix), prefix + rest)).toBe(true);
    }),
    { numRuns: propertyRuns(5000) },
  );
});

it("no key of ordinary characters is between that text and the prefix", () => {
  const keys = fc.string({ unit: "grapheme" });
  fc.assert(
    fc.property(prefixes, keys, (prefix, key) => {
      if (sortsBefore(key, prefix)) expect(sortsBefore(justBefore(prefix), key)).toBe(false);
    }),
    { numRuns: propertyRuns(5000) },
  );
});

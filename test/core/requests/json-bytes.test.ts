import fc from "fast-check";
import { expect, test } from "vitest";
import { jsonBytesMax } from "../../../src/core/requests/json-bytes.js";

test("the upper bound of a value's size in JSON is never below the actual size", () => {
  const value = fc.jsonValue({ maxDepth: 4, stringUnit: "binary" });
  fc.assert(
    fc.property(value, (json) => {
      const bytes = Buffer.byteLength(JSON.stringify(json));
      expect(jsonBytesMax(json)).toBeGreaterThanOrEqual(bytes);
    }),
  );
  expect(jsonBytesMax({ "\u0000": "\u0001\ud800", time: -1.7976931348623157e308 })).toBeGreaterThan(
    50,
  );
});

import fc from "fast-check";
import { expect, it } from "vitest";
import { withoutLongTexts } from "../../../src/rpc/adapt/json-texts.js";
import { propertyRuns } from "../../suite.js";

const long = "x".repeat(100);

it("withoutLongTexts empties long texts, and keeps keys and short texts", () => {
  const json = JSON.stringify({
    [long]: "short",
    list: [long, `"\\ ${long} \\`, 5],
    [`${long}2`]: {},
  });
  expect(withoutLongTexts(json)).toBe(
    JSON.stringify({ [long]: "short", list: ["", "", 5], [`${long}2`]: {} }),
  );
});

it("withoutLongTexts keeps a key that is followed by white space", () => {
  expect(withoutLongTexts(`{"${long}" \n: "${long}"}`)).toBe(`{"${long}" \n: ""}`);
});

it("withoutLongTexts does not change a document without long texts", () => {
  for (const json of ["", '"', '"\\', '{"a": "b', "[1, 2]", '{"a": "b", "a": "c"}'])
    expect(withoutLongTexts(json)).toBe(json);
});

it("withoutLongTexts keeps the objects, lists and keys of a document", () => {
  const shapeOf = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(shapeOf);
    if (typeof value !== "object" || value === null) return typeof value;
    return Object.entries(value).map(([key, inner]) => [key, shapeOf(inner)]);
  };
  const text = fc.string({ maxLength: 200, size: "max", unit: "binary" });
  fc.assert(
    fc.property(fc.jsonValue({ stringUnit: "binary" }), text, (value, content) => {
      const document: unknown = { value, content: `${content}\\"`, [content]: [content] };
      const shortened = JSON.parse(withoutLongTexts(JSON.stringify(document))) as unknown;
      expect(shapeOf(shortened)).toEqual(shapeOf(document));
    }),
    { numRuns: propertyRuns(2_000) },
  );
});

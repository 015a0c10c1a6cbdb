import { expect, it } from "vitest";
import { FilterSchema } from "#gen/vademecum/v1/filter_pb.js";
import { read } from "./source-files.js";

it("every condition of a filter has a case in test/e2e/provider-cases/filter.ts, because only such a case shows which memories pass", () => {
  const cases = read("test/e2e/provider-cases/filter.ts");
  const conditions = FilterSchema.fields.map(({ localName }) => localName);
  expect(conditions.filter((name) => !cases.includes(`filter: { ${name}:`))).toEqual([]);
});

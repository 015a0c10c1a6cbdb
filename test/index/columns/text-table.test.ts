import { expect, test } from "vitest";
import { TextTable } from "../../../src/index/columns/text-table.js";

test("a table of texts returns texts of any length and any UTF-16 units", () => {
  const table = new TextTable();
  // A word can be as long as a memory. This one would not fit on any stack.
  const texts = ["x".repeat(2_000_000), "🍓", "a\ud800b", "ß"];
  const numbers = texts.map((text) => table.add(text));
  expect(numbers.map((number) => table.at(number) === texts[number])).toEqual(
    texts.map(() => true),
  );
});

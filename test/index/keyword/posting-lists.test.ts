import { expect, it } from "vitest";
import { PostingLists } from "../../../src/index/keyword/posting-lists.js";

/** Returns a word of seven letters that is unique for the number. */
const wordOf = (number: number) =>
  `w${Array.from(String(number).padStart(6, "0"), (digit) => "abcdefghij"[Number(digit)]).join("")}`;

it.each([
  { name: "few terms", count: 100 },
  { name: "many terms", count: 20_000 },
])("among $name, a look-up by spelling finds added terms, and no removed terms", ({ count }) => {
  const lists = new PostingLists();
  for (let number = 0; number < count; number++) lists.add(wordOf(number), number);
  lists.add("bicycle", count);
  expect(lists.nearest("bycicle").terms).toEqual(["bicycle"]);
  lists.add("piano", count + 1);
  expect(lists.nearest("piamo").terms).toEqual(["piano"]);
  lists.remove("piano", count + 1);
  expect(lists.nearest("piamo").terms).toEqual([]);
});

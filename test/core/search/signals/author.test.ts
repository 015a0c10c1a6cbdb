import { expect, test } from "vitest";
import { findAuthors } from "../../../../src/core/search/signals/author.js";

const authors = ["Mia Berg", "Tom", "王芳"];

test.each([
  ["Where does Mia live?", "Mia Berg"],
  ["what did berg's sister say", "Mia Berg"],
  ["TOM?", "Tom"],
  ["王芳 去哪里", "王芳"],
])("%s names %s", (query, author) => {
  expect(findAuthors(query, authors)).toEqual([author]);
});

test.each(["Where do Mia and Tom live?", "Where does she live?", "tomorrow", ""])(
  "%j names no single author",
  (query) => {
    expect(findAuthors(query, authors)).toSatisfy((named: readonly string[]) => named.length !== 1);
  },
);

test("a stop word in a name does not name the author", () => {
  expect(findAuthors("what will they do", ["Will I Am"])).toEqual([]);
});

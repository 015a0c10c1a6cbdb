import { expect, test } from "vitest";
import { authorNamed } from "../../../../src/core/search/signals/author.js";

const authors = ["Mia Berg", "Tom", "王芳"];

test.each([
  ["Where does Mia live?", "Mia Berg"],
  ["what did berg's sister say", "Mia Berg"],
  ["TOM?", "Tom"],
  ["王芳 去哪里", "王芳"],
])("%s names %s", (query, author) => {
  expect(authorNamed(query, authors)).toBe(author);
});

test.each(["Where do Mia and Tom live?", "Where does she live?", "tomorrow", ""])(
  "%j names no single author",
  (query) => {
    expect(authorNamed(query, authors)).toBeUndefined();
  },
);

test("a word of a name that says nothing by itself names nobody", () => {
  expect(authorNamed("what will they do", ["Will I Am"])).toBeUndefined();
});

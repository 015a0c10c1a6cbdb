import { expect, test } from "vitest";
import { findAuthors } from "../../../../src/core/search/query/author.js";

const authors = ["Mia Berg", "Tom", "王芳"];

test.each([
  ["Where does Mia live?", "Mia Berg"],
  ["what did berg's sister say", "Mia Berg"],
  ["TOM?", "Tom"],
  ["王芳 去哪里", "王芳"],
])("the query %j names the author %s", (query, author) => {
  expect(findAuthors(query, authors)).toEqual([author]);
});

test.each([
  ["Where do Mia and Tom live?", ["Mia Berg", "Tom"]],
  ["Where does she live?", []],
  ["tomorrow", []],
  ["", []],
])("the query %j names the authors %j", (query, named) => {
  expect(findAuthors(query, authors)).toEqual(named);
});

test("a query with the whole name of an author names only this author, and no author who shares one of the names", () => {
  const family = ["Mia Berg", "Tom Berg", "Mia Stone"];
  expect(findAuthors("what does Mia Berg want?", family)).toEqual(["Mia Berg"]);
  expect(findAuthors("what does Berg want?", family)).toEqual(["Mia Berg", "Tom Berg"]);
});

test("a query with a stop word that is a part of an author's name does not name the author", () => {
  expect(findAuthors("what will they do", ["Will I Am"])).toEqual([]);
});

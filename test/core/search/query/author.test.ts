import { expect, test } from "vitest";
import { findAuthors } from "../../../../src/core/search/query/author.js";
import type { Language } from "../../../../src/core/text/stop-words.js";
import { createAnalyzer } from "../../../../src/index/keyword/analyzer.js";

const analyzer = createAnalyzer();

function named(
  query: string,
  authors: readonly string[],
  languages: readonly Language[] = [],
): readonly string[] {
  return findAuthors(query, authors, (word) => analyzer.nameTerms(word, languages)).authors;
}

const authors = ["Mia Berg", "Tom", "王芳"];

test.each([
  ["Where does Mia live?", "Mia Berg"],
  ["what did berg's sister say", "Mia Berg"],
  ["what did mia berg want", "Mia Berg"],
  ["Mia said what?", "Mia Berg"],
  ["photos by mia", "Mia Berg"],
  ["TOM?", "Tom"],
  ["where does tom live", "Tom"],
  ["a present for tom", "Tom"],
  ["王芳 去哪里", "王芳"],
])("the query %j names the author %s", (query, author) => {
  expect(named(query, authors)).toEqual([author]);
});

test.each([
  ["Where do Mia and Tom live?", ["Mia Berg", "Tom"]],
  ["Where does she live?", []],
  ["tomorrow", []],
  ["", []],
])("the query %j names the authors %j", (query, expected) => {
  expect(named(query, authors)).toEqual(expected);
});

test.each([
  ["ann@example.com", "give me an example"],
  ["ann@example.com", "Is there an Example of this on the Com port?"],
  ["user", "user manual"],
  ["user", "What does the User want?"],
  ["assistant", "Who is the assistant's boss?"],
  ["system", "by system"],
  ["AI", "What did the AI say?"],
  ["Dr. Green", "green tea"],
  ["Dr. Green", "Green tea or black?"],
  ["Dr. Green", "Is Dr. Smith in?"],
  ["+49 170", "49 euros"],
  ["+49 170", "room 170"],
  ["Mark", "mark this as done"],
  ["Mark", "Mark it as done"],
  ["Rose", "when do rose bushes bloom"],
  ["Will", "what will they do"],
  ["Will I Am", "what will they do"],
  ["May", "What did we do in May?"],
  ["May", "the invoice of May 2024"],
  ["Agent 47", "47"],
])("the author %s is not named by the query %j", (author, query) => {
  expect(named(query, [author])).toEqual([]);
});

test.each([
  ["ann@example.com", "What does Ann like?"],
  ["ann@example.com", "mails of ann@example.com"],
  ["Dr. Green", "What did Green advise?"],
  ["Dr. Green", "green said what?"],
  ["Dr. Green", "what did dr. green advise"],
  ["+49 170 1234567", "what did +49 170 1234567 say"],
  ["Mark", "When does Mark arrive?"],
  ["Mark", "is mark's car red?"],
  ["Agent 47", "what does agent 47 want"],
  ["Will", "Where does Will live?"],
  ["May", "Who is May's sister?"],
  ["Don", "When did Don call?"],
  ["José", "What did Jose eat?"],
  ["Zoe", "Where is Zoë?"],
  ["Łukasz", "Where is Łukasz?"],
  ["Łukasz", "Where is Lukasz?"],
  ["Søren", "Where is Soren?"],
  ["Ægir", "Where is Aegir?"],
])("the author %s is named by the query %j", (author, query) => {
  expect(named(query, [author])).toEqual([author]);
});

test.each<[Language, string, string]>([
  ["russian", "Анна", "Что подарили Анне?"],
  ["russian", "Иван Петров", "Что делает Петрова сестра с Иваном?"],
  ["german", "Anna", "Was ist Annas Adresse?"],
  ["german", "Eva Müller", "Wo wohnt Frau Mueller?"],
  ["finnish", "Mikko", "Mitä Mikkolle annettiin?"],
  ["polish", "Anna", "Czy to jest dla Annie?"],
])("in %s, the author %s is named by the query %j in another case", (language, author, query) => {
  expect(named(query, [author], [language])).toEqual([author]);
});

test("a query with the whole name of an author names only this author, and no author who shares one of the names", () => {
  const family = ["Mia Berg", "Tom Berg", "Mia Stone"];
  expect(named("what does Mia Berg want?", family)).toEqual(["Mia Berg"]);
  expect(named("what does Berg want?", family)).toEqual(["Mia Berg", "Tom Berg"]);
});

test.each([
  ["What did Mia say?", true],
  ["what has Tom told me", true],
  ["Everything that Mia wrote", false],
  ["messages by Tom", true],
  ["What did Mia say about the lake?", false],
  ["Where does Mia live?", false],
  ["what does Mia Berg want?", true],
  ["notes by Tom", true],
  ["Tom", true],
  ["tom", false],
  ["Who is Tom?", false],
])("the query %j asks only what its authors said: %s", (query, expected) => {
  const found = findAuthors(query, authors, (word) => analyzer.nameTerms(word, []));
  expect(found.isOnlyAboutThem).toBe(expected);
});

test.each<[string, string, boolean]>([
  ["what did bob say", "bob@corp.example", true],
  ["from bob@corp.example", "bob@corp.example", true],
  ["What did bob@corp.example say?", "bob@corp.example", true],
  ["bob@corp.example", "bob@corp.example", true],
  ["messages by BOB@corp.example", "bob@corp.example", true],
  ["messages from bob+news@corp.example", "bob+news@corp.example", true],
  ["Where does bob@corp.example live?", "bob@corp.example", false],
  ["what did Smith say?", "bob.smith@corp.example", true],
  ["what did bob92 say?", "bob92@corp.example", true],
  ["what did U12345 say?", "U12345", true],
  ["what did @bob say?", "@bob", true],
])(
  "the query %j names the author %s; it asks only what the author said: %s",
  (query, author, isOnly) => {
    const termsOf = (word: string) => analyzer.nameTerms(word, []);
    const found = findAuthors(query, [author, "zoe@home.example", "corp"], termsOf);
    expect(found).toMatchObject({ authors: [author], isOnlyAboutThem: isOnly });
  },
);

test.each([
  ["What did Ann say?", ["Ann"]],
  ["Ann", ["Ann"]],
  ["Ann's dog", ["Ann"]],
  ["What did Mary Ann say?", ["Mary Ann"]],
  ["what did mary ann say", ["Mary Ann"]],
  ["What did Mary say?", ["Mary Ann"]],
  ["What did Ann and Mary Ann say?", ["Ann", "Mary Ann"]],
  ["What did Mary Ann and Ann say?", ["Ann", "Mary Ann"]],
])("of the authors Ann and Mary Ann, the query %j names %j", (query, expected) => {
  expect(named(query, ["Ann", "Mary Ann"])).toEqual(expected);
});

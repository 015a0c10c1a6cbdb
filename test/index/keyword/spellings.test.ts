import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { PostingLists } from "../../../src/index/keyword/posting-lists.js";
import { editDistance } from "../../fixtures/edit-distance.js";

/** Returns the terms as the terms of rows: row i has term i. */
function spellingsOf(...terms: string[]): PostingLists {
  const lists = new PostingLists();
  for (const [row, term] of terms.entries()) lists.add(term, row);
  return lists;
}

/** Compares a term with all terms, and returns the nearest, sorted. */
function nearestOfAll(terms: Iterable<string>, sought: string): string[] {
  if (sought.length < 4) return [];
  const limit = sought.length > 5 ? 2 : 1;
  const distances = Array.from(terms, (term) => ({
    term,
    edits: editDistance(term, sought),
  })).filter(({ term, edits }) => edits <= limit && term[0] === sought[0] && term.length > 2);
  const least = Math.min(...distances.map(({ edits }) => edits));
  return distances
    .filter(({ edits }) => edits === least)
    .map(({ term }) => term)
    .sort();
}

describe("Spellings", () => {
  test("Spellings finds the terms one edit away, or else the terms two edits away", () => {
    const spellings = spellingsOf("lisbon", "lebanon", "london");
    expect(spellings.nearest("lizbon")).toMatchObject({ terms: ["lisbon"], edits: 1 });
    expect(spellings.nearest("lebonan")).toMatchObject({ terms: ["lebanon"], edits: 2 });
  });

  test("Spellings allows one edit in words of up to five letters, and no edit below four letters", () => {
    const spellings = spellingsOf("tiket", "roses", "cat");
    expect(spellings.nearest("tikta").terms).toEqual([]);
    expect(spellings.nearest("tikte").terms).toEqual(["tiket"]);
    expect(spellings.nearest("rosse").terms).toEqual(["roses"]);
    expect(spellings.nearest("catt").terms).toEqual(["cat"]);
    expect(spellings.nearest("cta").terms).toEqual([]);
  });

  test("Spellings finds only terms with the same first letter", () => {
    expect(spellingsOf("farm").nearest("harm").terms).toEqual([]);
  });

  test("Spellings leaves out numbers, stop words and scripts without spaces", () => {
    const spellings = spellingsOf("v1250", "~which", "東京都庁", "ภาษาไทย");
    for (const sought of ["v1251", "~whish", "東京都庄", "ภาษาไทด"])
      expect(spellings.nearest(sought).terms).toEqual([]);
  });

  test("Spellings finds no term that was removed", () => {
    const spellings = spellingsOf("ticket", "tiger");
    spellings.remove("ticket", 0);
    expect(spellings.nearest("tiket").terms).toEqual([]);
  });

  test("Spellings finds the nearest of all terms, whatever was added and removed before", () => {
    const word = fc.string({
      unit: fc.constantFrom("a", "b", "c", "d"),
      minLength: 3,
      maxLength: 9,
    });
    fc.assert(
      fc.property(fc.array(word, { minLength: 100, maxLength: 400 }), word, (words, sought) => {
        const terms = new Set(words.slice(0, 50));
        const spellings = spellingsOf(...terms);
        const rows = new Map([...terms].map((term, row) => [term, row]));
        const remove = (term: string) => spellings.remove(term, rows.get(term) ?? -1);
        for (const [i, term] of words.slice(50).entries()) {
          // Every third word removes an earlier word.
          const earlier = words[Math.floor(i / 2)] ?? "";
          if (i % 3 === 2 && terms.delete(earlier)) remove(earlier);
          if (terms.has(term)) continue;
          terms.add(term);
          rows.set(term, 50 + i);
          spellings.add(term, 50 + i);
        }
        if (terms.delete(sought)) remove(sought);
        const { terms: found } = spellings.nearest(sought);
        expect(found.toSorted()).toEqual(nearestOfAll(terms, sought));
      }),
    );
  });
});

/** Scripts with accents that writers often drop, or with vowel signs that are mostly left out. */
const accented = /[\p{sc=Latin}\p{sc=Greek}\p{sc=Cyrillic}\p{sc=Arabic}ـ\p{sc=Hebrew}]/u;
const accents = /\p{Mn}+/gu;

/**
 * Letters that Unicode does not decompose into a letter and an accent, each with the spelling of
 * writers whose keyboards lack it. The Arabic tatweel (ـ) is removed, because it only stretches a
 * word.
 */
const variants: ReadonlyMap<string, string> = new Map([
  ["ß", "ss"],
  ["ł", "l"],
  ["đ", "d"],
  ["ð", "d"],
  ["ø", "o"],
  ["þ", "th"],
  ["ħ", "h"],
  ["æ", "ae"],
  ["œ", "oe"],
  ["ı", "i"],
  ["ŋ", "n"],
  ["ŧ", "t"],
  ["ى", "ي"],
  ["ة", "ه"],
  ["ـ", ""],
]);
const variant = new RegExp(`[${[...variants.keys()].join("")}]`, "g");

/** Returns a word in small letters without accents and vowel signs, with plain letters. */
export function foldLetters(word: string): string {
  return accented.test(word)
    ? word
        .normalize("NFD")
        .replace(accents, "")
        .normalize("NFC")
        .replace(variant, (character) => variants.get(character) ?? character)
    : word;
}

/** Matches a German umlaut that is written with an e. After some letters the e is no such sign. */
const writtenUmlaut = /ae|oe|(?<![aeoq])ue/g;
const umlauts: Readonly<Record<string, string>> = { ae: "ä", oe: "ö", ue: "ü" };

/**
 * Returns a German word in small letters with umlauts in place of their spelling with an e:
 * `müller` for `mueller`. Changes other words too (`aktuell`), each in the same way everywhere.
 */
export function withUmlauts(word: string): string {
  return word.replace(writtenUmlaut, (written) => umlauts[written] ?? written);
}

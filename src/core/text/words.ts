import { stopWordsByLanguage } from "./stop-words.js";

/**
 * Matches a letter or digit and the letters, digits and combining marks after it. Enclosing marks
 * do not belong to a word, because keycap emoji are made of them.
 */
const wordRun = /[\p{L}\p{N}][\p{L}\p{Mn}\p{Mc}\p{N}]*/gu;
/**
 * Matches a word, the two letters of a flag, or an emoji. Signs below U+2300 (©, ™, ‼, ↔) are emoji
 * only with a variation selector, and do not match.
 */
const wordOrEmojiRun = new RegExp(
  String.raw`${wordRun.source}|\p{RI}{2}|(?![\0-\u22ff])\p{ExtPict}`,
  "gu",
);
const onlyAscii = /^\p{ASCII}*$/u;
/** Matches soft hyphens, joiners and variation selectors. They change only how a word looks. */
export const ignorable = /\p{Default_Ignorable_Code_Point}+/gu;
/**
 * Matches a run of more than 30 combining marks. No script puts more on a letter (UAX #15, section
 * 13). Further marks are dropped, because normalization sorts a run of marks in quadratic time.
 */
export const excessMarks = /([\p{Mn}\p{Mc}]{30})[\p{Mn}\p{Mc}]+/gu;

const cjk = String.raw`\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}ー`;
const chinese = /\p{sc=Han}/u;
const dictionary = String.raw`\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}`;
const cjkStart = new RegExp(`^[${cjk}]`, "u");
const dictionaryStart = new RegExp(`^[${dictionary}]`, "u");
/** Matches a letter of a script that does not put spaces between words. */
export const unspaced = new RegExp(`[${cjk}${dictionary}]`, "u");
const cjkLetter = new RegExp(`[${cjk}]`, "gu");
const letter = /\p{L}/gu;
const sameScriptRuns = new RegExp(`[${cjk}]+|[${dictionary}]+|[^${cjk}${dictionary}]+`, "gu");

/**
 * Splits a text into words, in their order, in lower case and normalized to NFKC.
 *
 * A word is a run of letters, digits and marks, or an emoji. Every other character separates words,
 * even the apostrophe.
 *
 * - Emoji: each is one word, without its skin tone and its colour variant. A joined emoji (a
 *   family) yields its parts. The flag of a country is one word.
 * - Chinese, Japanese and Korean: overlapping pairs of characters, because these scripts do not
 *   separate words. A single character yields itself.
 * - Thai, Lao, Khmer and Burmese: the words that a dictionary finds.
 */
export function words(text: string): string[] {
  return onlyAscii.test(text) ? plainWords(text) : runsOf(text).flatMap(splitUnspaced);
}

/** Returns the share of Chinese, Japanese and Korean among the letters of a text, 0 to 1. */
export function cjkShare(text: string): number {
  if (onlyAscii.test(text)) return 0;
  const found = text.match(cjkLetter)?.length ?? 0;
  return found === 0 ? 0 : found / Math.max(found, text.match(letter)?.length ?? 0);
}

/** Splits a run of letters and digits, or an emoji, into `words`. */
export function splitRun(run: string): string[] {
  if (onlyAscii.test(run)) return [run.toLowerCase()];
  return [splitUnspaced(run.normalize("NFKC").toLowerCase())].flat();
}

/**
 * Returns the Chinese characters of a run that `splitRun` splits into pairs. They let a query of
 * one character find a text.
 */
export function singleCharacters(run: string): string[] {
  if (!unspaced.test(run)) return [];
  return (run.normalize("NFKC").match(sameScriptRuns) ?? []).flatMap((part) => {
    const characters = cjkStart.test(part) ? Array.from(part) : [];
    return characters.length > 1 ? characters.filter((character) => chinese.test(character)) : [];
  });
}

/** Words of a part of a run, with its Chinese characters as `singleCharacters` returns them. */
export interface RunPiece {
  readonly words: readonly string[];
  readonly characters: readonly string[];
}

/** Number of characters of a run whose pairs `splitRunInPieces` yields together. */
const pairsPerPiece = 256;

/** Splits a run as `splitRun` does, and yields the words of a long run a few at a time. */
export function* splitRunInPieces(run: string): Generator<RunPiece> {
  const plain = run.normalize("NFKC").toLowerCase();
  for (const part of plain.match(sameScriptRuns) ?? []) {
    if (cjkStart.test(part)) yield* pairsInPieces(Array.from(part));
    else if (dictionaryStart.test(part))
      for (const words of dictionaryWindows(part)) yield { words, characters: [] };
    else yield { words: [part], characters: [] };
  }
}

function* pairsInPieces(characters: readonly string[]): Generator<RunPiece> {
  for (let start = 0; start < characters.length; start += pairsPerPiece) {
    const end = start + pairsPerPiece;
    // The last pair ends with the first character of the next piece.
    const paired = characters.slice(start, end + 1);
    yield {
      words: paired.length > 1 || start === 0 ? characterPairs(paired) : [],
      characters:
        characters.length > 1
          ? characters.slice(start, end).filter((character) => chinese.test(character))
          : [],
    };
  }
}

function plainWords(text: string): string[] {
  return text.toLowerCase().match(wordRun) ?? [];
}

function runsOf(text: string): string[] {
  const runs = text.replace(ignorable, "").replace(excessMarks, "$1").match(wordOrEmojiRun) ?? [];
  return runs.map((run) => run.normalize("NFKC").toLowerCase());
}

/**
 * Whether a word is too common in English to tell texts apart. The `s` of a possessive is such a
 * word.
 *
 * @param word A word as `words` returns it.
 */
export function isStopWord(word: string): boolean {
  return stopWordsByLanguage.english.has(word);
}

/** Splits the parts of a run whose scripts do not separate words. Returns any other run whole. */
function splitUnspaced(run: string): string | string[] {
  if (!unspaced.test(run)) return run;
  return (run.match(sameScriptRuns) ?? []).flatMap((part) => {
    if (cjkStart.test(part)) return characterPairs(Array.from(part));
    return dictionaryStart.test(part) ? dictionaryWords(part) : part;
  });
}

function characterPairs(characters: readonly string[]): string[] {
  const pairs: string[] = [];
  for (const [i, character] of characters.entries()) {
    if (i > 0) pairs.push(`${characters[i - 1]}${character}`);
  }
  return pairs.length > 0 ? pairs : [...characters];
}

/**
 * Number of UTF-16 units that the dictionary segments at a time. Each step of a segmenter takes
 * time in proportion to its whole text.
 */
const dictionaryWindow = 256;

/**
 * Number of words at the end of a window that more text could change: the dictionary looks three
 * words ahead.
 */
const lookaheadWords = 3;

function dictionaryWords(run: string): string[] {
  return [...dictionaryWindows(run)].flat();
}

/** Yields the words that the dictionary finds, one window after the other. */
function* dictionaryWindows(run: string): Generator<readonly string[]> {
  // The script alone selects the dictionary; the locale has no effect.
  const segmenter = new Intl.Segmenter("en", { granularity: "word" });
  for (let start = 0; start < run.length; ) {
    const end = start + dictionaryWindow;
    const segments = Array.from(segmenter.segment(run.slice(start, end)), ({ segment }) => segment);
    // The next window segments the last words of this window again, with the text after them.
    const whole =
      end >= run.length || segments.length <= lookaheadWords
        ? segments
        : segments.slice(0, -lookaheadWords);
    yield whole;
    start += whole.join("").length;
  }
}

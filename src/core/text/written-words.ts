import { detectLanguages, languageOfWord, type TextLanguages } from "./languages.js";
import { type Language, stopWordsByLanguage } from "./stop-words.js";
import { excessMarks, ignorable, singleCharacters, splitRun, unspaced } from "./words.js";

/**
 * How a word is written.
 *
 * - `content`: any word but a stop word.
 * - `name`: a stop word that is written like a name, such as `IT` in "Ada works in IT".
 * - `initial`: a stop word with a capital at the start of a sentence, which may be a name or not.
 * - `function`: any other stop word.
 */
export type WordRole = "content" | "name" | "initial" | "function";

export interface WrittenWord {
  /** In the form of `words`. */
  readonly word: string;
  readonly role: WordRole;
}

/** A word of a text, or the words that are joined to one identifier. */
export interface WrittenPart {
  readonly words: readonly WrittenWord[];
  /**
   * The identifier without its joints, in lower case: `maxretrycount` for `maxRetryCount`,
   * `max_retry_count` and `max-retry-count`. After it come the identifiers inside it. Empty for a
   * single word.
   */
  readonly wholes: readonly string[];
  /** Whether hyphens, underscores or dots stand between words. False for camelCase. */
  readonly hasJoints: boolean;
  /** The Chinese characters of words that are pairs of characters. */
  readonly characters: readonly string[];
}

const run = String.raw`[\p{L}\p{N}][\p{L}\p{Mn}\p{Mc}\p{N}]*`;
/** Matches runs of letters and digits with single joints, the flag of a country or an emoji. */
const chunks = new RegExp(
  String.raw`${run}(?:[-_.]${run})*|\p{RI}{2}|(?![\0-\u22ff])\p{ExtPict}`,
  "gu",
);
const asciiChunks = /[a-z0-9]+(?:[-_.][a-z0-9]+)*/gi;
const onlyAscii = /^\p{ASCII}*$/u;
const joints = /[-_.]/;
/** Matches a chunk that may have several words. */
const maybeJoined = /[-_.]|[\p{Ll}\p{N}]\p{Lu}|\p{Lu}\p{Ll}{2}/u;
/** Matches the places where one word of an identifier in camelCase ends and the next begins. */
const humps = /(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll}{2})/u;
const startsWithLetter = /^\p{L}/u;
const numberAfterDot = /\.\p{N}/u;
const capital = /^\p{Lu}/u;
const severalCapitals = /^\p{Lu}{2,}$/u;
const lowerCase = /\p{Ll}/u;
const apostrophes: ReadonlySet<string> = new Set(["'", "’"]);
/** Matches a text after which a sentence begins. */
const sentenceEnd = /(?:^|[.!?…:\n\r])[\s\p{Ps}\p{Pi}"'*_#>-]*$/u;
/** Number of UTF-16 units before a word that decide whether a sentence begins with it. */
const lookBehindLength = 16;

/** Identifiers longer than this, in UTF-16 units, or of more words are not kept whole. */
const wholeLengthMax = 64;
const wholeWordsMax = 8;

/** Words that are left of a contraction: `don't`, `we'll`, `o'clock`. Elsewhere they count. */
const contracted: ReadonlySet<string> = new Set("s t d m o ll re ve don".split(" "));

/** The words of a text. */
export interface WrittenText {
  readonly parts: readonly WrittenPart[];
  readonly languages: TextLanguages;
}

/**
 * Splits a text into words, as `words` does, with the role of each word and with identifiers.
 *
 * @param expected See `detectLanguages`.
 */
export function readWords(text: string, expected: readonly Language[] = []): WrittenText {
  const isAscii = onlyAscii.test(text);
  const clean = isAscii ? text : text.replace(ignorable, "").replace(excessMarks, "$1");
  const found = [...clean.matchAll(isAscii ? asciiChunks : chunks)];
  const languages = detectLanguages(
    found.map(([chunk]) => chunk),
    expected,
  );
  const context: Context = { text: clean, languages, isLoud: undefined };
  const parts: WrittenPart[] = [];
  for (const { 0: chunk, index } of found) {
    if (maybeJoined.test(chunk)) parts.push(...joinedParts(context, chunk, index));
    else {
      const words = wordsOf(context, chunk, index);
      if (words.length > 0)
        parts.push({ words, wholes: [], hasJoints: false, characters: singleCharacters(chunk) });
    }
  }
  return { parts, languages };
}

/** A text, and whether all its letters are capitals, which then say nothing. */
interface Context {
  readonly text: string;
  readonly languages: TextLanguages;
  /** `undefined`: not known yet. */
  isLoud: boolean | undefined;
}

/** Splits a chunk at its joints and humps. */
function joinedParts(context: Context, chunk: string, start: number): WrittenPart[] {
  let at = start;
  const segments = chunk.split(joints).map((segment) => {
    const words = segment.split(humps).flatMap((piece) => {
      const ofPiece = wordsOf(context, piece, at);
      at += piece.length;
      return ofPiece;
    });
    at += 1;
    return partOf(segment, words);
  });
  const words = segments.flatMap((segment) => segment.words);
  const { wholes } = partOf(chunk, words);
  if (wholes.length === 0) return segments.filter((segment) => segment.words.length > 0);
  const inside = segments.length > 1 ? segments.flatMap((segment) => segment.wholes) : [];
  return [
    { words, wholes: [...wholes, ...inside], hasJoints: segments.length > 1, characters: [] },
  ];
}

function partOf(chunk: string, words: readonly WrittenWord[]): WrittenPart {
  const isIdentifier =
    words.length > 1 &&
    words.length <= wholeWordsMax &&
    chunk.length <= wholeLengthMax &&
    startsWithLetter.test(chunk) &&
    !unspaced.test(chunk) &&
    // Between numbers a dot belongs to them: `v2.4` is not `v24`.
    !numberAfterDot.test(chunk);
  return {
    words,
    wholes: isIdentifier ? [words.map(({ word }) => word).join("")] : [],
    hasJoints: false,
    characters: singleCharacters(chunk),
  };
}

/** Returns the words of a piece without joints: several in a script without spaces. */
function wordsOf(context: Context, piece: string, at: number): WrittenWord[] {
  return splitRun(piece).flatMap((word) => {
    const role = roleOf(context, piece, word, at);
    return role === undefined ? [] : [{ word, role }];
  });
}

/** Returns the role of a word; `undefined` for what is left of a contraction. */
function roleOf(context: Context, piece: string, word: string, at: number): WordRole | undefined {
  const language = languageOfWord(word, context.languages) ?? "english";
  if (language !== "english")
    return stopWordsByLanguage[language].has(word) ? "function" : "content";
  if (contracted.has(word)) return isContracted(context.text, piece, at) ? undefined : "content";
  if (!stopWordsByLanguage.english.has(word)) return "content";
  if (word === "i" || !capital.test(piece) || isLoud(context)) return "function";
  if (severalCapitals.test(piece)) return "name";
  const before = context.text.slice(Math.max(0, at - lookBehindLength), at);
  return sentenceEnd.test(before) ? "initial" : "name";
}

function isContracted(text: string, piece: string, at: number): boolean {
  return apostrophes.has(text[at - 1] ?? "") || apostrophes.has(text[at + piece.length] ?? "");
}

/** Whether a text has several words, and no letter in lower case. */
function isLoud(context: Context): boolean {
  context.isLoud ??= !lowerCase.test(context.text) && /\p{L}\P{L}+\p{L}/u.test(context.text);
  return context.isLoud;
}

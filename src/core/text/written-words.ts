import { languageOfWord, languagesOfText, type TextLanguages } from "./languages.js";
import { stopWordsByLanguage } from "./stop-words.js";
import {
  excessMarks,
  ignorable,
  singleCharacters,
  splitRun,
  splitRunInPieces,
  unspaced,
} from "./words.js";

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
  /** Whether the word is a stop word in capitals, such as `IT`. Default false. */
  readonly isAcronym?: true | undefined;
}

/** A word of a text, or all words of an identifier. */
export interface WrittenPart {
  readonly words: readonly WrittenWord[];
  /**
   * The identifier in lower case, without the signs between its words: `maxretrycount` for
   * `maxRetryCount`, `max_retry_count` and `max-retry-count`. The list continues with the
   * identifiers inside this identifier. Empty for a single word.
   */
  readonly wholes: readonly string[];
  /** Whether hyphens, underscores or dots stand between the words. False for camelCase. */
  readonly hasJoints: boolean;
  /** The Chinese characters of words that are pairs of characters. */
  readonly characters: readonly string[];
}

const run = String.raw`[\p{L}\p{N}][\p{L}\p{Mn}\p{Mc}\p{N}]*`;
/**
 * Matches a chunk: runs of letters and digits with a single `-`, `_` or `.` between them, the flag
 * of a country, or an emoji.
 */
const chunks = new RegExp(
  String.raw`${run}(?:[-_.]${run})*|\p{RI}{2}|(?![\0-\u22ff])\p{ExtPict}`,
  "gu",
);
const asciiChunks = /[a-z0-9]+(?:[-_.][a-z0-9]+)*/gi;
/** Matches an ASCII chunk that has several words. */
const asciiJoined = /[-_.]|[a-z0-9][A-Z]|[A-Z]{2}[a-z]{2}/;
const onlyAscii = /^\p{ASCII}*$/u;
/** Matches a joint: a sign between two words of an identifier. */
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

/** Maximum length of an identifier that is kept whole, in UTF-16 units. */
const wholeLengthMax = 64;
/** Maximum number of words of an identifier that is kept whole. */
const wholeWordsMax = 8;

/**
 * Fragments of contractions that were split at the apostrophe: `don't`, `we'll`, `o'clock`.
 * Elsewhere they count as words.
 */
const contracted: ReadonlySet<string> = new Set("s t d m o ll re ve don".split(" "));

/** A run longer than this, in UTF-16 units, gets several parts if its script has no spaces. */
const runLengthMax = 1024;

/**
 * Splits a text into words, as `words` does, with the role of each word and with identifiers. Some
 * parts have no words.
 *
 * Finds few words at a time, so that other work can run while a long text is split.
 *
 * @param languages The languages of the text. Default: the detected languages.
 */
export function* eachWrittenPart(
  text: string,
  languages = languagesOfText(text),
): Generator<WrittenPart> {
  const isAscii = onlyAscii.test(text);
  const clean = isAscii ? text : text.replace(ignorable, "").replace(excessMarks, "$1");
  const context: Context = { text: clean, languages, isAscii, isLoud: undefined };
  for (const { 0: chunk, index } of clean.matchAll(isAscii ? asciiChunks : chunks)) {
    if (isAscii && !asciiJoined.test(chunk)) {
      yield partOfAsciiRun(context, chunk, index);
      continue;
    }
    if (!maybeJoined.test(chunk)) {
      if (chunk.length > runLengthMax) yield* longRunParts(context, chunk, index);
      else yield partOfRun(context, chunk, index);
    } else if (chunk.length > wholeLengthMax) yield* longParts(context, chunk, index);
    else yield* joinedParts(context, chunk, index);
  }
}

/** Yields the parts of a chunk that is too long for an identifier. */
function* longParts(context: Context, chunk: string, start: number): Generator<WrittenPart> {
  let at = start;
  for (const segment of chunk.split(joints)) {
    if (segment.length > wholeLengthMax) {
      for (const piece of segment.split(humps)) {
        yield* longRunParts(context, piece, at);
        at += piece.length;
      }
    } else {
      yield* joinedParts(context, segment, at);
      at += segment.length;
    }
    at += 1;
  }
}

/** Returns the word of a run of ASCII characters without joints and humps. */
function partOfAsciiRun(context: Context, run: string, at: number): WrittenPart {
  const word = run.toLowerCase();
  const role = roleOf(context, run, word, at);
  return role === undefined
    ? noWords
    : { words: [wordOf(run, word, role)], wholes: none, hasJoints: false, characters: none };
}

const none: readonly string[] = [];
const noWords: WrittenPart = { words: [], wholes: none, hasJoints: false, characters: none };

/** Returns the words of a run without joints and humps. */
function partOfRun(context: Context, run: string, at: number): WrittenPart {
  const words = wordsOf(context, run, at);
  return { words, wholes: [], hasJoints: false, characters: singleCharacters(run) };
}

/** Yields the words of a long run without joints and humps. */
function* longRunParts(context: Context, run: string, at: number): Generator<WrittenPart> {
  if (!unspaced.test(run)) {
    yield partOfRun(context, run, at);
    return;
  }
  for (const { words, characters } of splitRunInPieces(run)) {
    const written = words.flatMap((word) => writtenWord(context, run, word, at));
    yield { words: written, wholes: [], hasJoints: false, characters };
  }
}

/** A text, and whether all its letters are capitals. If so, a capital does not mark a name. */
interface Context {
  readonly text: string;
  readonly languages: TextLanguages;
  readonly isAscii: boolean;
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
  return splitRun(piece).flatMap((word) => writtenWord(context, piece, word, at));
}

/** Returns a word with its role; nothing for a fragment of a contraction. */
function writtenWord(
  context: Context,
  piece: string,
  word: string,
  at: number,
): readonly WrittenWord[] {
  const role = roleOf(context, piece, word, at);
  return role === undefined ? [] : [wordOf(piece, word, role)];
}

function wordOf(piece: string, word: string, role: WordRole): WrittenWord {
  return role === "name" && severalCapitals.test(piece)
    ? { word, role, isAcronym: true }
    : { word, role };
}

/** Returns the role of a word; `undefined` for a fragment of a contraction. */
function roleOf(context: Context, piece: string, word: string, at: number): WordRole | undefined {
  const { isAscii, languages } = context;
  const language = (isAscii ? languages.latin : languageOfWord(word, languages)) ?? "english";
  if (language !== "english")
    return stopWordsByLanguage[language].has(word) ? "function" : "content";
  if (contracted.has(word)) return isContracted(context.text, piece, at) ? undefined : "content";
  if (!stopWordsByLanguage.english.has(word)) return "content";
  if (word === "i" || !capital.test(piece) || isLoud(context)) return "function";
  if (severalCapitals.test(piece)) return "name";
  return startsSentence(context.text, at) ? "initial" : "name";
}

/** Whether a sentence begins with the word at a position. */
export function startsSentence(text: string, at: number): boolean {
  return sentenceEnd.test(text.slice(Math.max(0, at - lookBehindLength), at));
}

function isContracted(text: string, piece: string, at: number): boolean {
  return apostrophes.has(text[at - 1] ?? "") || apostrophes.has(text[at + piece.length] ?? "");
}

/** Whether a text has several words, and no letter in lower case. */
function isLoud(context: Context): boolean {
  context.isLoud ??= !lowerCase.test(context.text) && /\p{L}\P{L}+\p{L}/u.test(context.text);
  return context.isLoud;
}

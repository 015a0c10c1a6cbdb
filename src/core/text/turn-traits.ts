import { asksForHour, asksForNumber, asksForTime } from "./asked-words.js";
import type { Language } from "./stop-words.js";
import { readTimes } from "./times/read-times.js";
import type { TimeExpression } from "./times/written-time.js";

/** Number of UTF-16 units of a turn that are read, from its start. */
const readLength = 4096;
/** Maximum number of times that are kept for one turn. */
const timesMax = 8;
/** Some English number words, such as "ten", are other words in other languages. */
const englishNumber =
  /\b(?:two|three|four|five|six|seven|eight|nine|ten|once|twice|several|couple)\b/i;
const digit = /\p{Nd}/u;
const year = /(?<!\p{Nd})(?:19|20)\d\d(?!\p{Nd})/u;
const questionMarks = new Set(["?", "？", "؟", "\u037e"]);
/** Matches a character that can follow a question mark: space, closing quote or bracket, emoji. */
const afterQuestion = /[\s\p{Pe}\p{Pf}"'*_\p{ExtPict}\p{EMod}\p{Default_Ignorable_Code_Point}]/u;
const onlyAscii = /^\p{ASCII}$/u;
/** Approximate maximum number of characters after the question mark that ends a text. */
const afterQuestionMax = 16;

/** Which questions a text can answer. */
export interface AnswerTraits {
  /** Whether the text has a time expression. */
  readonly hasTime: boolean;
  /** Whether the text has an hour of a day. */
  readonly hasHour: boolean;
  /** Whether the text has a number: digits in any language, a number word in English. */
  readonly hasNumber: boolean;
}

/** What ranking knows of the text of a turn of a conversation. */
export interface TurnTraits extends AnswerTraits {
  /** Whether the text ends with a question mark. */
  readonly isQuestion: boolean;
  /** The times of the text that name days. */
  readonly times: readonly TimeExpression[];
}

/**
 * Finds a time and a number in the first 4,096 UTF-16 units of a text.
 *
 * @param language The language of its words in Latin script; `undefined` if unknown.
 */
export function answerTraitsOf(content: string, language: Language | undefined): AnswerTraits {
  return readTraits(content, language);
}

function readTraits(
  content: string,
  language: Language | undefined,
): AnswerTraits & Pick<TurnTraits, "times"> {
  const beginning = content.slice(0, readLength).normalize();
  const { expressions, hasTime, hasHour } = readTimes(beginning, language, false);
  const isEnglish = language === undefined || language === "english";
  return {
    hasTime: hasTime || year.test(beginning),
    hasHour,
    hasNumber: digit.test(beginning) || (isEnglish && englishNumber.test(beginning)),
    times: expressions.slice(0, timesMax),
  };
}

/**
 * Reads the traits of a turn, from its first 4,096 UTF-16 units. The trait `isQuestion` concerns
 * the end of the text.
 *
 * @param language See `answerTraitsOf`.
 */
export function turnTraitsOf(content: string, language: Language | undefined): TurnTraits {
  const text = withoutLastNote(content);
  const { hasTime, hasHour, hasNumber, times } = readTraits(text, language);
  return { hasTime, hasHour, hasNumber, times, isQuestion: endsWithQuestion(text) };
}

/** What a query asks for: a time, a number, both or neither. */
export interface AskedTraits {
  readonly time: boolean;
  /** Whether it asks for an hour of a day: "at what time". Then `time` is true too. */
  readonly hour: boolean;
  readonly number: boolean;
}

/** Finds out whether a query asks for a time or a number. */
export function askedTraitsOf(query: string): AskedTraits {
  const beginning = query.slice(0, readLength).normalize();
  const hour = asksForHour(beginning);
  return { time: hour || asksForTime(beginning), hour, number: asksForNumber(beginning) };
}

/** Cuts off a note in brackets at the end, such as `[image: a dog]`, because nobody said it. */
function withoutLastNote(content: string): string {
  const text = content.trimEnd();
  const start = text.endsWith("]") ? text.lastIndexOf("[") : -1;
  return start <= 0 ? text : text.slice(0, start);
}

function endsWithQuestion(text: string): boolean {
  // The last unit decides for most texts.
  const lastUnit = text.at(-1) ?? "";
  if (questionMarks.has(lastUnit)) return true;
  if (onlyAscii.test(lastUnit) && !afterQuestion.test(lastUnit)) return false;
  const end = Array.from(text.slice(-2 * afterQuestionMax));
  const last = end.findLast((character) => !afterQuestion.test(character));
  return last !== undefined && questionMarks.has(last);
}

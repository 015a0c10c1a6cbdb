import { asksForeignNumber, asksForeignTime } from "./asked-words.js";
import type { DaySpan } from "./day-span.js";
import { englishTurns } from "./english-turns.js";
import type { Language } from "./stop-words.js";
import { hasForeignTime } from "./time-words.js";
import type { TurnLanguage } from "./turn-language.js";

/** The languages whose days and number words are known. A text is read in each of them. */
const languages: readonly TurnLanguage[] = [englishTurns];

/** Number of UTF-16 units of a turn that are read, from its start. */
const readLength = 4096;
/** Maximum number of spans of days that are kept for one turn. */
const daySpansMax = 8;
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
  /** Whether the text has a number: digits in any language, a number word in English. */
  readonly hasNumber: boolean;
}

/** What ranking knows of the text of a turn of a conversation. */
export interface TurnTraits extends AnswerTraits {
  /** Whether the text ends with a question mark. */
  readonly isQuestion: boolean;
  /** The days that the text names. Empty if the time of the turn is unknown. */
  readonly days: readonly DaySpan[];
}

/**
 * Finds a time and a number in the first 4,096 UTF-16 units of a text.
 *
 * @param language The language of its words in Latin script; `undefined` if unknown.
 */
export function answerTraitsOf(content: string, language: Language | undefined): AnswerTraits {
  const beginning = content.slice(0, readLength).normalize();
  // Some English words, such as "fall" and "ten", are other words in other languages.
  const known = language === undefined || language === "english" ? languages : [];
  return {
    hasTime:
      year.test(beginning) ||
      known.some((one) => one.hasTime(beginning)) ||
      hasForeignTime(beginning, language),
    hasNumber: digit.test(beginning) || known.some((one) => one.hasNumberWord(beginning)),
  };
}

/**
 * Reads the traits of a turn, from its first 4,096 UTF-16 units. The trait `isQuestion` concerns
 * the end of the text.
 *
 * @param saidMs When the turn was said, in milliseconds since 1970; `undefined` if unknown.
 * @param language See `answerTraitsOf`.
 */
export function turnTraitsOf(
  content: string,
  saidMs: number | undefined,
  language: Language | undefined,
): TurnTraits {
  const text = withoutLastNote(content);
  const beginning = text.slice(0, readLength);
  const said = saidMs === undefined ? undefined : new Date(saidMs);
  const days = said === undefined ? [] : languages.flatMap((one) => one.findDays(beginning, said));
  return {
    ...answerTraitsOf(text, language),
    isQuestion: endsWithQuestion(text),
    days: days.slice(0, daySpansMax),
  };
}

/** What a query asks for: a time, a number, both or neither. */
export interface AskedTraits {
  readonly time: boolean;
  readonly number: boolean;
}

/** Finds out whether a query asks for a time or a number. */
export function askedTraitsOf(query: string): AskedTraits {
  const beginning = query.slice(0, readLength).normalize();
  return {
    time: languages.some((one) => one.asksTime(beginning)) || asksForeignTime(beginning),
    number: languages.some((one) => one.asksNumber(beginning)) || asksForeignNumber(beginning),
  };
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

import type { Language } from "./stop-words.js";
import { readTimes } from "./times/read-times.js";
import type { TimeExpression } from "./times/written-time.js";

/** Number of UTF-16 units of a turn that are read, from its start. */
const readLength = 4096;
/** Maximum number of times that are kept for one turn. */
const timesMax = 8;
const questionMarks = new Set(["?", "？", "؟", "\u037e"]);
/** Matches a character that can follow a question mark: space, closing quote or bracket, emoji. */
const afterQuestion = /[\s\p{Pe}\p{Pf}"'*_\p{ExtPict}\p{EMod}\p{Default_Ignorable_Code_Point}]/u;
const onlyAscii = /^\p{ASCII}$/u;
/** Approximate maximum number of characters after the question mark that ends a text. */
const afterQuestionMax = 16;

/** What ranking knows of the text of a turn of a conversation. */
export interface TurnTraits {
  /** Whether the text ends with a question mark. */
  readonly isQuestion: boolean;
  /** The times of the text that name days. */
  readonly times: readonly TimeExpression[];
}

/**
 * Reads the traits of a turn: the times from its first 4,096 UTF-16 units, and whether its end is a
 * question.
 *
 * @param language The language of its words in Latin script; `undefined` if unknown.
 */
export function turnTraitsOf(content: string, language: Language | undefined): TurnTraits {
  const text = withoutLastNote(content);
  const times = readTimes(text.slice(0, readLength), language, false).slice(0, timesMax);
  return { times, isQuestion: endsWithQuestion(text) };
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

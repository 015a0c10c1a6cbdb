import { languageOfWord, languagesOfText, type TextLanguages } from "../../core/text/languages.js";
import {
  eachWrittenPart,
  type WrittenPart,
  type WrittenWord,
} from "../../core/text/written-words.js";
import type { TermOf } from "./word-terms.js";

/** A word with its term in the language of the text. */
export interface ReadWord extends WrittenWord {
  /** `undefined`: the stem of the word is empty. */
  readonly term: string | undefined;
}

/** The words of a text, as queries and the index read them. */
export interface TextReading {
  readonly languages: TextLanguages;
  /** The parts of `eachWrittenPart`. Their words may be `ReadWord`s. */
  readonly parts: readonly WrittenPart[];
}

/** Maximum number of remembered readings. */
const readingsMax = 128;

/** Maximum length of a text whose reading is remembered, in UTF-16 units. */
const lengthMax = 4_096;

/**
 * Remembers how texts were read, until the index takes the readings. `Add` needs this: it first
 * searches for near-duplicates of a text, and then the index adds the same text, which is not read
 * again.
 */
export class TextReadings {
  readonly #readings = new Map<string, TextReading>();

  /** Remembers a reading. Forgets the oldest readings beyond a limit. */
  remember(text: string, reading: TextReading): void {
    if (text.length > lengthMax) return;
    this.#readings.set(text, reading);
    if (this.#readings.size <= readingsMax) return;
    for (const oldest of this.#readings.keys()) {
      this.#readings.delete(oldest);
      return;
    }
  }

  /** Returns and forgets the reading of a text; `undefined` if it is not remembered. */
  take(text: string): TextReading | undefined {
    const reading = this.#readings.get(text);
    if (reading !== undefined) this.#readings.delete(text);
    return reading;
  }
}

/** Reads a text. The words of the result are `ReadWord`s. */
export function readText(text: string, termOf: TermOf): TextReading {
  const languages = languagesOfText(text);
  const read = ({ word, role, isAcronym }: WrittenWord): ReadWord => ({
    word,
    role,
    isAcronym,
    term: termOf(word, languageOfWord(word, languages)),
  });
  const parts: WrittenPart[] = [];
  for (const { words, wholes, hasJoints, characters } of eachWrittenPart(text, languages))
    parts.push({ words: words.map(read), wholes, hasJoints, characters });
  return { languages, parts };
}

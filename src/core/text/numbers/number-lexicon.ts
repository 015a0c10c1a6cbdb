import type { Language } from "../stop-words.js";
import numberWords from "./number-words.json" with { type: "json" };

/** What a word or several words mean within a number. */
export interface NumberWord {
  /** Absent: no number, but a word of one. */
  readonly value?: number;
  /** Whether it is an ordinal: "third". */
  readonly isOrdinal?: true;
  /** Whether it multiplies the word before it by ten, besides its own meaning. */
  readonly isTens?: true;
  /** A word between two parts of a number, before a negative number, or before decimals. */
  readonly mark?: "and" | "minus" | "point";
}

/** The words of some languages for numbers. Several words of one entry are separated by spaces. */
export interface NumberLexicon {
  readonly words: ReadonlyMap<string, NumberWord>;
  /** By the first word of an entry: the number of words of the longest such entry. */
  readonly lengths: ReadonlyMap<string, number>;
  /** Whether words of numbers are written together: `zweihundert`. */
  readonly isJoined: boolean;
}

const marks = { "&": "and", "-": "minus", ",": "point" } as const;

/** Returns the words of languages for numbers. The first language that has a word decides. */
export function numberLexiconOf(languages: readonly Language[]): NumberLexicon {
  const tables: Partial<Record<Language, string>> = numberWords;
  return readNumberLexicon(languages.map((language) => tables[language] ?? ""));
}

/**
 * Reads tables of number-words.json: groups of a meaning and its entries, separated by `|`. A
 * meaning is a number, a number with a point (an ordinal), `*10` (ten times the word before), `&`
 * ("and"), `-` ("minus") or `,` ("point"). A table begins with `+` if its language writes numbers
 * together.
 */
export function readNumberLexicon(tables: readonly string[]): NumberLexicon {
  const words = new Map<string, NumberWord>();
  const lengths = new Map<string, number>();
  for (const group of tables.join("|").split("|")) {
    const [meaning = "", ...entries] = group.split(" ");
    const mark = marks[meaning as keyof typeof marks];
    const value = Number.parseInt(meaning, 10);
    for (const entry of entries) {
      const text = entry.replaceAll("_", " ");
      const known = words.get(text);
      if (mark !== undefined) words.set(text, { mark, ...known });
      else if (meaning === "*10") words.set(text, { value: 10, ...known, isTens: true });
      else if (known?.value === undefined)
        words.set(text, { ...known, value, ...(meaning.endsWith(".") && { isOrdinal: true }) });
      const [first = "", ...more] = text.split(" ");
      lengths.set(first, Math.max(lengths.get(first) ?? 1, more.length + 1));
    }
  }
  return { words, lengths, isJoined: tables.some((table) => table.startsWith("+")) };
}

/** A number that grows word by word. */
export class GrowingNumber {
  /** Thousands and above. */
  #total = 0;
  #scale = Number.POSITIVE_INFINITY;
  /** What is below the last thousand. */
  #current = 0;
  #words = 0;
  #decimals = "";
  #last: NumberWord = {};

  /** Absent: nothing was added, or the last word needs another one after it. */
  get value(): number | undefined {
    const isWhole = this.#last.value !== undefined;
    return isWhole ? Number(`${this.#total + this.#current}${this.#decimals}`) : undefined;
  }

  get isOrdinal(): boolean {
    return this.#last.isOrdinal === true;
  }

  /**
   * Adds the next word. Returns whether it continues the number; else leaves the number as it is.
   *
   * @param isJoined Whether it is part of a word of several. Then tens may follow: `einundzwanzig`.
   */
  add(word: NumberWord, isJoined = false): boolean {
    const { value, mark, isTens } = word;
    if (this.isOrdinal || (value === undefined && this.value === undefined)) return false;
    if (this.#decimals !== "") {
      if (value === undefined || value > 9) return false;
      this.#decimals += value;
    } else if (value === undefined) {
      const mayFollow =
        mark === "and" ? isJoined || this.#current === 0 || this.#current >= 20 : mark === "point";
      if (!mayFollow) return false;
      if (mark === "point") this.#decimals = ".";
    } else {
      const next = this.#next(value, isTens === true, isJoined);
      if (next === undefined) return false;
      [this.#total, this.#current] = next;
      if (value >= 1000) this.#scale = value;
      this.#words += 1;
    }
    this.#last = word;
    return true;
  }

  #next(value: number, isTens: boolean, isJoined: boolean): [number, number] | undefined {
    const [total, current] = [this.#total, this.#current];
    const tail = current % 100;
    if (value >= 1000) {
      if (value >= this.#scale) return undefined;
      return [total + Math.max(current, 1) * value, 0];
    }
    if (this.#words > 0 && value === 0) return undefined;
    if (value === 100) return current >= 100 ? undefined : [total, Math.max(current, 1) * 100];
    if (isTens && tail > 1 && tail < 10) return [total, current + 9 * tail];
    if (this.#words > 0 && current === 0 && total === 0) return undefined;
    if (tail === 0) return current > 0 && value > 100 ? undefined : [total, current + value];
    const isUnitFirst = isJoined && tail < 10 && value >= 20 && value % 10 === 0;
    if (isUnitFirst || (tail >= 20 && tail % 10 === 0 && value < 10))
      return [total, current + value];
    return undefined;
  }
}

/** Returns the number that a word stands for, which may be written of several: `zwölftausend`. */
export function numberOfWord(word: string, lexicon: NumberLexicon): NumberWord | undefined {
  const { words, isJoined } = lexicon;
  const found = words.get(word) ?? words.get(word.replace(andPrefix, ""));
  const mayBeJoined = isJoined && word.length >= joinedLengthMin && word.length <= joinedLengthMax;
  return found ?? (mayBeJoined ? readJoined(word, words, []) : undefined);
}

/** Matches "and" before an Arabic or a Hebrew word. */
export const andPrefix = /^[وו](?=\p{L}{2})/u;
/** Numbers of letters of a word that is made of several. */
const [joinedLengthMin, joinedLengthMax] = [6, 64];

function readJoined(
  rest: string,
  words: ReadonlyMap<string, NumberWord>,
  parts: readonly NumberWord[],
): NumberWord | undefined {
  const number = sumOf(parts);
  if (rest === "" || number === undefined) return number?.value === undefined ? undefined : number;
  for (let length = Math.min(rest.length, 20); length > 1; length--) {
    const part = words.get(rest.slice(0, length));
    const found = part && readJoined(rest.slice(length), words, [...parts, part]);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Returns the number that parts make together, without a value if another part must follow. */
export function sumOf(parts: readonly NumberWord[]): NumberWord | undefined {
  const number = new GrowingNumber();
  if (!parts.every((part) => number.add(part, true))) return undefined;
  const { value, isOrdinal } = number;
  return { ...(value !== undefined && { value }), ...(isOrdinal && { isOrdinal }) };
}

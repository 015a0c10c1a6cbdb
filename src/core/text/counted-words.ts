import { smallNumberOf, valueOfRoman } from "./number-spellings.js";
import type { Language } from "./stop-words.js";
import { isStopWord, unspaced } from "./words.js";

/** A small number of a text, with the words beside it. */
interface CountedNumber {
  readonly number: number;
  /** Whether it is an ordinal: "third", `3rd`. */
  readonly isOrdinal: boolean;
  /** Whether the word often means something else: "first", and "second", which is a time. */
  readonly isUnsure: boolean;
  /** The word before (`<flat`) and two words after (`>eggs`), by their first letters. */
  readonly beside: ReadonlySet<string>;
}

const tokens = /[\p{L}\p{M}\p{N}]+/gu;
/** Number of letters that tell words apart: `egg` and `eggs` are the same. */
const prefixLength = 3;
const unsureOrdinals: Readonly<Record<string, number>> = { first: 1, second: 2 };
const ordinal = /^(?:\d+(?:st|nd|rd|th)|first|second|third|\p{L}+th)$/u;
/** Number of UTF-16 units of a text that are read, from its start. */
const readLength = 4096;

/**
 * Whether a text counts the same things as a query, but other numbers of them: "three eggs" for
 * "two eggs", "flat 4" for "flat 7". Not "three years" for "two cities". A number of the query
 * without a word beside it may count anything. In a script without spaces, every number counts.
 *
 * @param query Has the number.
 */
export function countsOthers(
  text: string,
  query: string,
  number: number,
  language: Language | undefined,
): boolean {
  if (unspaced.test(query)) return true;
  const asked = numbersIn(query, language).filter((one) => one.number === number);
  const beside = asked.flatMap((one) => [...one.beside]);
  const areOrdinals = asked.some((one) => one.isOrdinal);
  const areUnsure = asked.some((one) => one.isUnsure);
  const others = numbersIn(text.slice(0, readLength), language).filter(
    (other) => other.number !== number,
  );
  if (beside.length === 0) return others.length === 0 || others.some((one) => !one.isUnsure);
  return others.some(
    (other) =>
      (!(areUnsure || other.isUnsure) || areOrdinals === other.isOrdinal) &&
      beside.some((word) => other.beside.has(word)),
  );
}

function numbersIn(text: string, language: Language | undefined): CountedNumber[] {
  const found = Array.from(text.matchAll(tokens), ([written]) => written);
  return found.flatMap((written, at) => {
    const word = written.toLowerCase();
    const number =
      smallNumberOf(word, language) ??
      smallNumberOf(word, "english") ??
      unsureOrdinals[word] ??
      (word === "one" ? 1 : written.length > 1 ? valueOfRoman(written) : undefined);
    if (number === undefined) return [];
    const [, ending] = /^\d+(am|pm)$/.exec(word) ?? [];
    const beside = new Set([
      ...sideOf("<", found[at - 1]),
      ...sideOf(">", ending),
      ...sideOf(">", found[at + 1]),
      ...sideOf(">", found[at + 2]),
    ]);
    const isUnsure = word in unsureOrdinals;
    return [{ number, isOrdinal: ordinal.test(word), isUnsure, beside }];
  });
}

/** Returns a word with its side; nothing for a word that says little. "At" stands before a time. */
function sideOf(side: "<" | ">", written: string | undefined): string[] {
  const word = written?.toLowerCase() ?? "";
  if (word === "" || (isStopWord(word) && word !== "at")) return [];
  return [side + word.slice(0, prefixLength)];
}

import { smallNumberOf, valueOfRoman } from "./number-spellings.js";
import type { Language } from "./stop-words.js";
import { isStopWord, unspaced } from "./words.js";

/** A small number of a text, with the words beside it. */
interface CountedNumber {
  readonly number: number;
  /** The word before (`<flat`) and two words after (`>eggs`), by their first letters. */
  readonly beside: ReadonlySet<string>;
}

const tokens = /[\p{L}\p{M}\p{N}]+/gu;
/** Number of letters that tell words apart: `egg` and `eggs` are the same. */
const prefixLength = 3;
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
  if (beside.length === 0) return true;
  return numbersIn(text.slice(0, readLength), language).some(
    (other) => other.number !== number && beside.some((word) => other.beside.has(word)),
  );
}

function numbersIn(text: string, language: Language | undefined): CountedNumber[] {
  const found = Array.from(text.matchAll(tokens), ([written]) => written);
  return found.flatMap((written, at) => {
    const word = written.toLowerCase();
    const number =
      smallNumberOf(word, language) ??
      smallNumberOf(word, "english") ??
      (word === "one" ? 1 : written.length > 1 ? valueOfRoman(written) : undefined);
    if (number === undefined) return [];
    const [, ending] = /^\d+(am|pm)$/.exec(word) ?? [];
    const beside = new Set([
      ...sideOf("<", found[at - 1]),
      ...sideOf(">", ending),
      ...sideOf(">", found[at + 1]),
      ...sideOf(">", found[at + 2]),
    ]);
    return [{ number, beside }];
  });
}

/** Returns a word with its side; nothing for a word that says little. "At" stands before a time. */
function sideOf(side: "<" | ">", written: string | undefined): string[] {
  const word = written?.toLowerCase() ?? "";
  if (word === "" || (isStopWord(word) && word !== "at")) return [];
  return [side + word.slice(0, prefixLength)];
}

import { numberForms } from "./number-forms.js";
import { smallNumberOf } from "./number-spellings.js";

/** Tells whether a text has a figure as a number of its own. `undefined`: its words decide. */
export type IsIn = (text: string) => boolean | undefined;

/** A figure of a query, where it stands. */
export interface Figure {
  readonly written: string;
  /** The text before and after it, at least a few words. */
  readonly before: string;
  readonly after: string;
}

/** Number of UTF-16 units of a text that are read, from its start. */
const readLength = 4096;
const factorOfWord: Readonly<Record<string, number>> = {
  k: 1e3,
  thousand: 1e3,
  tausend: 1e3,
  mio: 1e6,
  million: 1e6,
  millionen: 1e6,
  millions: 1e6,
  millones: 1e6,
  bn: 1e9,
  billion: 1e9,
  mrd: 1e9,
  milliarde: 1e9,
  milliarden: 1e9,
};
/** Matches a number with its sign, decimals, and the word that multiplies it. */
const quantity = new RegExp(
  String.raw`(?<![\p{L}\p{N}]|\p{N}[.,:/'’-])(?<sign>[-−]|minus )?` +
    String.raw`(?<whole>[1-9]\d{0,2}(?:[.,'’ ]\d{3}){1,5}(?!\d)|\d{1,15})(?:[.,](?<decimals>\d{1,6}))?` +
    String.raw`(?:(?<half>[½¼¾])|\s?(?<word>${Object.keys(factorOfWord).join("|")})(?![\p{L}\p{N}]))?`,
  "giu",
);
const partOfSign: Readonly<Record<string, number>> = { "½": 0.5, "¼": 0.25, "¾": 0.75 };
const negative = /(?<![\p{L}\p{N}])(?:[-−]|minus )$/iu;
/** Matches a unit after a figure. With one, `2.50` is `2.5`; without, it may be a version. */
const unit =
  /^\s?(?:[%€$£°]|(?:[mkc]?[gml]|h|eur|euros?|usd|dollars?|percent|prozent)(?![\p{L}\p{N}]))/iu;
const currency = /[€$£]\s?$/u;
const letters = /\p{L}+$/u;
const noWords = /[^\p{L}\p{N}]+/gu;

/** Matches a time of day in figures, with its ending. */
const timeInFigures =
  /(?<![\p{L}\p{N}.,:])(\d{1,2})(?:[:.](\d{2}))?\s?(am|pm|a\.m|p\.m|uhr|o['’]clock)?(?![\p{L}\p{N}]|[:.]\d)/giu;
const timeInWords = /(?<![\p{L}\p{N}])(half past|quarter past|quarter to)\s(\p{L}{3,6}|\d{1,2})/giu;
const minutesOf: Readonly<Record<string, number>> = {
  "half past": 30,
  "quarter past": 15,
  "quarter to": -15,
};
const halfDay = 720;

/** A time of day in minutes; without `isExact` in either half of the day. */
interface TimeOfDay {
  /** Where it begins in the text. */
  readonly at: number;
  readonly minutes: number;
  readonly isExact: boolean;
}

/** A number with at least this many digits may be a phone number with or without its country. */
const phoneLengthMin = 8;

/**
 * Returns the check of a figure that is a time of day, a phone number, or a quantity, such as
 * `3 pm`, `2.5` or `250k`: a text with `2.5 mg` has no `5`, and one with `15:30` has `3:30 pm`.
 * Returns `undefined` for other figures.
 *
 * @param spellings Other spellings of the figure.
 */
export function checkOf(figure: Figure, spellings: readonly string[]): IsIn | undefined {
  const [asked] = timesIn(figure.written + figure.after.slice(0, 12));
  if (asked?.at === 0) return (text) => hasTime(text, asked);
  return phoneCheckOf(figure) ?? quantityCheckOf(figure, spellings);
}

function hasTime(text: string, asked: TimeOfDay): boolean | undefined {
  const times = timesIn(text.slice(0, readLength));
  if (times.length === 0) return undefined;
  return times.some(({ minutes, isExact }) =>
    isExact && asked.isExact
      ? minutes === asked.minutes
      : minutes % halfDay === asked.minutes % halfDay,
  );
}

function timesIn(text: string): TimeOfDay[] {
  const found: TimeOfDay[] = [];
  for (const match of text.matchAll(timeInFigures)) {
    const [written, hours = "", minutes, ending = ""] = match;
    const half = ending.toLowerCase().replace(".", "");
    const isAmerican = half === "am" || half === "pm";
    const hour = Number(hours);
    if (hour > (isAmerican ? 12 : 24) || Number(minutes ?? 0) > 59) continue;
    if (ending === "" && !written.includes(":")) continue;
    const inDay = isAmerican ? (hour % 12) + (half === "pm" ? 12 : 0) : hour;
    const isExact = isAmerican || hour > 12 || hour === 0 || hours.startsWith("0");
    found.push({ at: match.index, minutes: inDay * 60 + Number(minutes ?? 0), isExact });
  }
  for (const { 1: words = "", 2: hour = "", index: at } of text.matchAll(timeInWords)) {
    const number = smallNumberOf(hour.toLowerCase(), "english") ?? (/^one$/i.test(hour) ? 1 : 0);
    const minutes = number * 60 + (minutesOf[words.toLowerCase()] ?? 0);
    if (number > 0 && number <= 12) found.push({ at, minutes, isExact: false });
  }
  return found;
}

/** A number with its country, and the same one as it is dialled inside the country. */
function phoneCheckOf({ written, before }: Figure): IsIn | undefined {
  const digits = written.replace(/\D+/g, "");
  const mayBePhone = /\+$/.test(before) || digits.startsWith("0");
  const own = digits.replace(/^0+/, "");
  if (!mayBePhone || /\p{L}/u.test(written) || own.length < phoneLengthMin) return undefined;
  return (text) => {
    const start = text.slice(0, readLength);
    const others = [...numberForms(start), ...(start.match(/\d{8,15}/g) ?? [])];
    const has = others.some((other) => {
      const local = other.replace(/^0+/, "");
      return local.length >= phoneLengthMin && (local.endsWith(own) || own.endsWith(local));
    });
    return has ? true : undefined;
  };
}

function quantityCheckOf(
  { written, before, after }: Figure,
  spellings: readonly string[],
): IsIn | undefined {
  const [found] = (written + after.slice(0, 16)).matchAll(quantity);
  if (found?.index !== 0 || found[0].length < written.replace(letters, "").length) return undefined;
  const { whole = "", decimals, half, word } = found.groups ?? {};
  const sign = negative.exec(before)?.[0] ?? "";
  const isMultiplied = (word ?? half) !== undefined;
  const rest = (written + after).slice(found[0].length);
  const isVersion = !isMultiplied && !unit.test(rest) && !currency.test(before);
  const [value] = quantitiesIn(sign + found[0], isVersion);
  const digits = found[0].match(/\d+/g) ?? [];
  const together = new RegExp(String.raw`(?<!\d)${digits.join("[.,:]")}(?!\d)`);
  const isSpecial = isMultiplied || sign !== "" || /[1-9]/.test(decimals ?? "");
  return (text) => {
    const start = text.slice(0, readLength);
    if (quantitiesIn(start, isVersion).has(value as string)) return true;
    if (isSpecial) return sign === "" && !isMultiplied && together.test(start) ? undefined : false;
    const others = start.replace(quantity, (other, ...match) => {
      const groups = match.at(-1) as Record<string, string | undefined>;
      const isPart = groups["sign"] !== undefined || groups["whole"] !== whole;
      const isOther = (groups["sign"] ?? groups["decimals"] ?? groups["half"]) !== undefined;
      return isOther && isPart ? " " : other;
    });
    if (others.length === start.length || together.test(others)) return undefined;
    const words = ` ${others.toLowerCase().replace(noWords, " ")} `;
    return spellings.some((one) => words.includes(` ${one.toLowerCase()} `)) ? undefined : false;
  };
}

/**
 * Returns the values of the numbers in a text.
 *
 * @param areVersions Whether zeros at the end of decimals count: version 2.10 is not 2.1.
 */
function quantitiesIn(text: string, areVersions: boolean): ReadonlySet<string> {
  const values = new Set<string>();
  for (const { groups = {} } of text.matchAll(quantity)) {
    const { sign, whole = "", decimals = "0", half = "", word = "" } = groups;
    const size = Number(`${whole.replace(/\D+/g, "")}.${decimals}`) + (partOfSign[half] ?? 0);
    const value = size * (factorOfWord[word.toLowerCase()] ?? 1) * (sign === undefined ? 1 : -1);
    const [zeros] = areVersions ? (/(?<=[1-9])0+$/.exec(decimals) ?? []) : [];
    values.add(`${Math.round(value * 1e6) / 1e6} ${zeros ?? ""}`);
  }
  return values;
}

import type { Language } from "../stop-words.js";

/** The sizes of a unit, by what it measures. A word such as "pound" may stand for several units. */
export type Unit = Readonly<Record<string, number>>;

/** The units of `Intl.NumberFormat`: what they measure, and their sizes. */
const measures: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  mass: { gram: 1, kilogram: 1000, pound: 453.59237, ounce: 28.349523125 },
  volume: { liter: 1, milliliter: 0.001, gallon: 3.785411784 },
  length: {
    ...{ millimeter: 0.001, centimeter: 0.01, meter: 1, kilometer: 1000 },
    ...{ inch: 0.0254, foot: 0.3048, yard: 0.9144, mile: 1609.344 },
  },
  time: { second: 1, minute: 60, hour: 3600, day: 86_400, week: 604_800 },
  months: { month: 1, year: 12 },
  bytes: { byte: 1, kilobyte: 1e3, megabyte: 1e6, gigabyte: 1e9, terabyte: 1e12 },
  share: { percent: 0.01 },
  celsius: { celsius: 1 },
  fahrenheit: { fahrenheit: 1 },
  degrees: { degree: 1 },
};
const currencies = ["EUR", "USD", "GBP", "JPY", "CNY", "CHF", "SEK", "PLN", "RUB", "INR"];
/** The units that `Intl.NumberFormat` lacks. */
const others: ReadonlyMap<string, Unit> = new Map(
  Object.entries({
    mg: { mass: 0.001 },
    µg: { mass: 1e-6 },
    cl: { volume: 0.01 },
    dl: { volume: 0.1 },
    h: { time: 3600 },
    d: { time: 86_400 },
    "%": { share: 0.01 },
    "°": { celsius: 1, fahrenheit: 1, degrees: 1 },
    "€": { EUR: 1 },
    $: { USD: 1 },
    "£": { GBP: 1 },
    "¥": { JPY: 1, CNY: 1 },
    dollar: { USD: 1 },
    dollars: { USD: 1 },
    uhr: { time: 3600 },
  }),
);
const cents =
  /^(?:cents?|ct|centimes?|c[eé]ntimos?|centavos?|centesimi|pence|[öø]re|коп\p{L}*|grosz\p{L}*|haléř\p{L}*)$/u;
const centSizes = Object.fromEntries(currencies.map((currency) => [currency, 0.01]));
/** The tags of languages (BCP 47). */
export const languageTags: Readonly<Record<Language, string>> = {
  ...{ english: "en", german: "de", french: "fr", spanish: "es", italian: "it", portuguese: "pt" },
  ...{ dutch: "nl", swedish: "sv", danish: "da", norwegian: "nb", finnish: "fi", hungarian: "hu" },
  ...{ turkish: "tr", romanian: "ro", indonesian: "id", polish: "pl", czech: "cs", greek: "el" },
  ...{ vietnamese: "vi", russian: "ru", ukrainian: "uk", bulgarian: "bg", serbian: "sr" },
  ...{ arabic: "ar", persian: "fa", hebrew: "he", hindi: "hi", armenian: "hy", tamil: "ta" },
};
const known = new Map<Language, ReadonlyMap<string, Unit>>();

/** Returns the unit that a word or a sign stands for in a language. */
export function unitOf(word: string, language: Language): Unit | undefined {
  const lower = word.toLowerCase();
  return cents.test(lower) ? centSizes : (others.get(lower) ?? unitsOf(language).get(lower));
}

/** Reads the names of units in a language, with the forms that they have after numbers. */
function unitsOf(language: Language): ReadonlyMap<string, Unit> {
  const found = known.get(language);
  if (found !== undefined) return found;
  const units = new Map<string, Unit>();
  const tag = languageTags[language];
  const add = (options: Intl.NumberFormatOptions, measure: string, size: number) => {
    const format = new Intl.NumberFormat(tag, options);
    for (const number of [1, 2, 5])
      for (const { type, value } of format.formatToParts(number)) {
        if (!/unit|percentSign|currency/.test(type)) continue;
        const name = value.toLowerCase();
        const words = measure === "share" ? [] : (name.match(/[\p{L}\p{M}]{4,}/gu) ?? []);
        for (const one of new Set([name, ...words.slice(0, 1), ...words.slice(-1)]))
          units.set(one, { [measure]: size, ...units.get(one) });
      }
  };
  for (const [measure, sizes] of Object.entries(measures))
    for (const [unit, size] of Object.entries(sizes))
      for (const unitDisplay of ["long", "short"] as const)
        add({ style: "unit", unit, unitDisplay }, measure, size);
  for (const currency of currencies) {
    units.set(currency.toLowerCase(), { [currency]: 1 });
    add({ style: "currency", currency, currencyDisplay: "name" }, currency, 1);
  }
  known.set(language, units);
  return units;
}

/** Whether two amounts are the same. An amount without a unit may be of any unit. */
export function isSameAmount(
  value: number,
  unit: Unit | undefined,
  other: number,
  otherUnit: Unit | undefined,
): boolean {
  const isNear = (a: number, b: number) => Math.abs(a - b) <= 1e-9 * Math.max(Math.abs(a), 1e-3);
  if (unit === undefined || otherUnit === undefined) return isNear(value, other);
  return Object.entries(unit).some(([measure, size]) => {
    const otherSize = otherUnit[measure];
    return otherSize !== undefined && isNear(value * size, other * otherSize);
  });
}

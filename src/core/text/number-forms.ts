/** Matches a number of several groups of digits. Every repetition is bounded. */
const numbers = /\d{1,20}(?:[ .,'’/:()-]{1,3}\d{1,20}){1,9}/g;
/** Matches a number whose groups are thousands, with or without decimals. */
const amount = /^(?<whole>\d{1,3}(?:[.,'’ ]\d{3}){1,6})(?:[.,](?<decimals>\d{1,2}))?$/;
/** Matches a number with the same sign between all groups, such as a version or a date. */
const groupsOfOneSign = /^\d{1,8}(?:(?:\.\d{1,8}){2,4}|(?:-\d{1,8}){2,4})$/;
const noDigits = /\D+/g;
/** A number of at least this many digits may be a phone number. */
const phoneLengthMin = 7;

/**
 * Returns the terms under which numbers of several groups of digits are indexed and searched as a
 * whole. `words` splits such numbers into their groups.
 *
 * - An amount, without the signs between its thousands and without decimals that are all zeros:
 *   `1250` for `1,250.00`.
 * - A number of at least seven digits, without signs: `493055571234` for `+49 (30) 555-71234`.
 * - A version or date, as it is: `2.4.1`.
 */
export function numberForms(text: string): string[] {
  const forms: string[] = [];
  for (const [found] of text.matchAll(numbers)) {
    const { whole, decimals = "" } = amount.exec(found)?.groups ?? {};
    if (whole !== undefined) {
      const digits = whole.replace(noDigits, "");
      forms.push(/[1-9]/.test(decimals) ? `${digits}.${decimals}` : digits);
    }
    if (groupsOfOneSign.test(found)) forms.push(found);
    const digits = found.replace(noDigits, "");
    if (digits.length >= phoneLengthMin && digits.length < found.length) forms.push(digits);
  }
  return forms;
}

/** Matches a date in figures: the year first, or last with four digits. */
const datesInFigures =
  /(?<![\d.,/-])(?:(?:19|20)\d{2}([-/.])\d{1,2}\1\d{1,2}|\d{1,2}([-/.])\d{1,2}\2(?:19|20)\d{2})(?![\d/-])/g;

/**
 * Returns the groups of digits of the dates in figures in a text: `2020`, `07` and `06` for
 * `2020/07/06`.
 */
export function digitsOfDates(text: string): ReadonlySet<string> {
  const groups = new Set<string>();
  for (const [date] of text.matchAll(datesInFigures))
    for (const group of date.split(/\D/)) groups.add(group);
  return groups;
}

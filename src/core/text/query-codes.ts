import { numberForms } from "./number-forms.js";

/** A number, code or id in a query, such as `48231`, `INV-2023-17` or an IBAN. */
export interface QueryCode {
  /** The spellings in which a text may have it, each as a text to search for. */
  readonly spellings: readonly string[];
  /** Whether it can be a date in figures, such as `2024-03-18` or `18.3.`. */
  readonly isDate: boolean;
}

const digitRun = String.raw`[\p{L}\p{N}]*\p{N}[\p{L}\p{N}]*`;
/** Matches words with digits that stand together. Every repetition is bounded. */
const codes = new RegExp(
  String.raw`(?:\p{L}{1,16}[-_])?${digitRun}(?:[ \-_.,'’/:()]{1,3}${digitRun}){0,15}`,
  "gu",
);
const separators = /[^\p{L}\p{N}]+/gu;
/** Matches an ordinal, a decade or a time of day. They are no codes. */
const noCode = /^(?:\d{1,4}(?:st|nd|rd|th|s)|\d{1,2}(?:am|pm|h|uhr))$/iu;
const dayOrMonth = /^(?:0?[1-9]|[12]\d|3[01])$/;
const year = /^(?:19|20)\d\d$/;
/** Matches a code that is often written in groups of four, such as an IBAN. */
const longCode = /^[\p{L}\p{N}]{12,40}$/u;
const numberWords = "zero one two three four five six seven eight nine ten eleven twelve".split(
  " ",
);
/** Maximum number of codes of a query. Further ones are ignored. */
const codesMax = 8;

/**
 * Finds the numbers, codes and ids in a query.
 *
 * @param namesDate Whether the query names a date. Its days and years are then no codes.
 */
export function codesOfQuery(query: string, namesDate: boolean): readonly QueryCode[] {
  const found: QueryCode[] = [];
  for (const [written] of query.normalize("NFKC").matchAll(codes)) {
    const groups = written.split(separators).filter((group) => group !== "");
    if (groups.every((group) => noCode.test(group))) continue;
    const isDate = namesDate && groups.every((group) => dayOrMonth.test(group) || year.test(group));
    if (isDate && groups.length === 1) continue;
    found.push({ spellings: spellingsOf(written, groups), isDate });
    if (found.length === codesMax) break;
  }
  return found;
}

function spellingsOf(written: string, groups: readonly string[]): readonly string[] {
  const joined = groups.join("");
  const inFours = longCode.test(joined) ? [(joined.match(/.{1,4}/gu) ?? []).join(" ")] : [];
  const inWords = numberWords[/^\d{1,2}$/.test(joined) ? Number(joined) : -1];
  return [
    ...new Set([
      written,
      joined,
      ...inFours,
      ...numberForms(written),
      ...(inWords === undefined ? [] : [inWords]),
    ]),
  ];
}

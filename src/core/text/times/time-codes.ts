import type { WrittenDate } from "./written-time.js";

const year = String.raw`(?<year>(?:19|20)\d{2})`;
const shortYear = String.raw`(?<shortYear>\d{2})`;

/** Matches a whole word at a position. */
function wordAt(pattern: string): RegExp {
  return new RegExp(String.raw`(?<![\p{L}\d])${pattern}(?![\p{L}\d])`, "uy");
}

/** `Q3`, `Q3 2025`, `Q3'25`, `KW 12`, `KW 12/2025`. */
const alone = wordAt(
  String.raw`(?:q(?<quarter>[1-4])|(?:kw|cw) ?(?<week>\d{1,2}))` +
    `(?:[ /-]?${year}| ?['’]${shortYear})?`,
);
/** `T3 2025`, `H1 2025`, `S1 2025` and `W12 2025`. Without a year, they name other things. */
const withYear = wordAt(
  String.raw`(?:t(?<quarter>[1-4])|[hs](?<half>[12])|w(?<week>\d{1,2}))[ /-]?${year}`,
);
/** `2025-W12`, `2025-Q3`, `2025 Q3`, `2025H1`. */
const yearFirst = wordAt(
  String.raw`${year}[ /-]?(?:[qt](?<quarter>[1-4])|[hs](?<half>[12])|w(?<week>\d{1,2}))`,
);
/** `3Q 2025`, `1T25`. */
const quarterFirst = wordAt(`(?<quarter>[1-4])[qt] ?(?:${year}|${shortYear})`);

const [digitZero, digitNine, letterQ, letterT, letterW] = [0x30, 0x39, 0x71, 0x74, 0x77];

/**
 * Reads a quarter, a half or a week of a year that is written with a letter and figures.
 *
 * @param words The text in lower case.
 */
export function periodAt(
  words: string,
  start: number,
): { readonly date: WrittenDate; readonly end: number } | undefined {
  // Nearly every word ends the look here.
  const second = words.charCodeAt(start + 1);
  const isDigit = second >= digitZero && second <= digitNine;
  if (!isDigit && second !== letterQ && second !== letterT && second !== letterW) return undefined;
  const isFigure = words.charCodeAt(start) <= digitNine;
  for (const pattern of isFigure ? [yearFirst, quarterFirst] : [alone, withYear]) {
    pattern.lastIndex = start;
    const found = pattern.exec(words);
    const date = found?.groups && periodOf(found.groups);
    if (found !== null && date !== undefined) return { date, end: start + found[0].length };
  }
  return undefined;
}

function periodOf(groups: Readonly<Record<string, string | undefined>>): WrittenDate | undefined {
  const { quarter, half, week } = groups;
  const written = groups["year"] ?? (groups["shortYear"] && `20${groups["shortYear"]}`);
  const named = written === undefined ? {} : { year: Number(written) };
  if (quarter !== undefined) return { ...named, month: 3 * Number(quarter) - 2, months: 3 };
  if (half !== undefined) return { ...named, month: 6 * Number(half) - 5, months: 6 };
  const number = Number(week);
  return number >= 1 && number <= 53 ? { ...named, yearWeek: number } : undefined;
}

/** Words before the number of a version, a section or an address. */
const codeWords = [
  ...["versions?", "vers?", "v", "rel", "releases?", "builds?", "rev", "revisions?", "firmware"],
  ...["kernel", "patch", "sections?", "sect", "sec", "chapters?", "clauses?", "ip", "abschnitt"],
  ...["kapitel", "absatz", "ziffer", "versionen", "versión", "versiones", "versioni", "versione"],
  ...["versão", "versões", "versies?", "wersja", "версия", "версии", "версію", "раздел"],
].join("|");
/** Between the numbers of a list of versions. */
const between = ",? (?:and|or|to|und|oder|bis|et|ou|à|y|o|e|a|i|и|en|of) |, ?| ?[-–] ?";
const beforeCode = new RegExp(
  String.raw`(?:(?<!\p{L})(?:${codeWords})\.?|§|#|版本|バージョン|第) ?` +
    String.raw`(?:\d+(?:\.\d+)+(?:${between}))*$`,
  "u",
);
const beta = /^-(?:rc|beta|alpha|snapshot|dev|pre|build|\d)/;
const lookedAtMax = 60;

/** Whether figures with full stops are the number of a version or section, and no date. */
export function isCode(words: string, figures: string, start: number): boolean {
  if (!/^\d+(?:\.\d+)+$/.test(figures)) return false;
  return (
    beforeCode.test(words.slice(Math.max(0, start - lookedAtMax), start)) ||
    beta.test(words.slice(start + figures.length, start + figures.length + 9))
  );
}

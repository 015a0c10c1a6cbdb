import {
  findWrittenDates,
  gap,
  monthNames,
  monthOf,
  type WrittenDate,
  yearOf,
  yearPattern,
} from "./written-dates.js";

/** The first and last day of a part of a month. */
const parts: Readonly<Record<string, readonly [number, number]>> = {
  early: [1, 10],
  beginning: [1, 10],
  start: [1, 10],
  mid: [11, 20],
  middle: [11, 20],
  late: [21, 31],
  end: [21, 31],
  first: [1, 7],
  second: [8, 14],
  third: [15, 21],
  fourth: [22, 28],
  last: [25, 31],
};

/**
 * Matches `late March`, `the end of May 2022` and `first week of June`. Every repetition is
 * bounded, so matching takes time linear in the text.
 */
const monthPart = new RegExp(
  [
    String.raw`\b(?:(?<part>early|mid|late)${gap}(?:in\s{1,3})?|`,
    String.raw`(?<edge>beginning|start|middle|end)\s{1,3}of\s{1,3}|`,
    String.raw`(?<week>first|second|third|fourth|last)\s{1,3}week\s{1,3}(?:of|in)\s{1,3})`,
    String.raw`(?<month>${monthNames})\b(?:,?${gap}(?:of\s{1,3})?(?:${yearPattern})\b)?`,
  ].join(""),
  "gi",
);

/**
 * Finds the dates written in a text, as `findWrittenDates` does, and parts of months.
 *
 * @param reference The time that `last May` counts from, in UTC.
 */
export function findTextDates(text: string, reference: Date): WrittenDate[] {
  const found = [...text.matchAll(monthPart)].map((match) => dateOf(match, reference));
  const isPart = ({ start, end }: WrittenDate) =>
    found.some((part) => part.start <= start && end <= part.end);
  return [...found, ...findWrittenDates(text, reference).filter((date) => !isPart(date))];
}

function dateOf({ 0: written, index, groups = {} }: RegExpExecArray, reference: Date): WrittenDate {
  const month = monthOf(groups["month"] ?? "");
  const name = groups["part"] ?? groups["edge"] ?? groups["week"] ?? "";
  const [day, lastDay] = parts[name.toLowerCase()] ?? [1, 31];
  const year = yearOf(groups, month, reference);
  return { year, month, day, lastDay, start: index, end: index + written.length };
}

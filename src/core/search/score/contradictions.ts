import { type NamespaceIndex, type Row, rowMarks } from "../../ports/search-index.js";
import { languagesOfText } from "../../text/languages.js";
import { type OtherNumbers, otherNumbersOf } from "../../text/numbers/query-numbers.js";
import { allowsTime } from "../../text/times/day-ranges.js";
import { readTimes } from "../../text/times/read-times.js";
import type { NamedRows } from "../query/named-rows.js";
import type { RankInput } from "../query/rank-input.js";
import { hasRow } from "./sorted-rows.js";

/** Tells whether a row is about another number, code, id or date than the query. */
export type Contradicts = (row: Row) => boolean;

/** Number of UTF-16 units of a memory in which dates are read, from its start. */
const readLength = 1024;
/** Maximum number of memories of a search whose numbers are read, and whose dates are. */
const textsMax = 200;

/**
 * Returns a check of the numbers, codes, ids and dates of a query, in any of their spellings.
 * Digits in common are no likeness of meaning: a text about another order answers nothing. The
 * query is read when a row is checked first.
 */
export function contradictionsOf(
  index: NamespaceIndex,
  input: RankInput,
  named: NamedRows,
): Contradicts {
  let checks: readonly Contradicts[] | undefined;
  return (row) => {
    checks ??= checksOf(index, input, named);
    return checks.some((check) => check(row));
  };
}

function checksOf(index: NamespaceIndex, input: RankInput, named: NamedRows): Contradicts[] {
  const { query, hints } = input;
  const hasDates = hints.dates.length > 0;
  const others = otherNumbersOf(query.query, hasDates);
  return [
    ...(others === undefined ? [] : [otherNumber(index, others)]),
    ...(hasDates ? [otherDate(index, input, named)] : []),
  ];
}

function otherNumber(index: NamespaceIndex, { isIn, written }: OtherNumbers): Contradicts {
  const known = new Map<Row, boolean>();
  let holders: readonly Int32Array[] | undefined;
  return (row) => {
    let isOther = known.get(row);
    if (isOther !== undefined) return isOther;
    if (known.size >= textsMax) {
      holders ??= written.map((one) => index.rowsWithAllTerms(one));
      return !holders.every((rows) => hasRow(rows, row));
    }
    isOther = isIn(index.at(row).memory.content);
    known.set(row, isOther);
    return isOther;
  };
}

/**
 * A row contradicts a date of the query if neither its event nor a time in its text is on the date,
 * and its text names another date. If its text names no date, its event must be on another day, and
 * the query must name days.
 */
function otherDate(index: NamespaceIndex, input: RankInput, named: NamedRows): Contradicts {
  const { traits } = index;
  const { dates } = input.hints;
  const known = new Map<Row, boolean>();
  const asksDays = dates.every(({ isExact }) => isExact);
  const timesOf = (row: Row) => {
    const marks = traits.marks[row] as number;
    if ((marks & rowMarks.turn) !== 0) return traits.times(row);
    const text = index.at(row).memory.content.slice(0, readLength);
    return readTimes(text, languagesOfText(text).latin, false);
  };
  const contradicts = (row: Row) => {
    const said = input.timeZone.dayOf(traits.happenedMs(row));
    const times = known.size < textsMax ? timesOf(row) : [];
    if (times.length > 0) return !times.some((time) => allowsTime(dates, time, said));
    return asksDays && ((traits.marks[row] as number) & rowMarks.dated) !== 0;
  };
  return (row) => {
    if (named.hasDate(row)) return false;
    const found = known.get(row) ?? contradicts(row);
    known.set(row, found);
    return found;
  };
}

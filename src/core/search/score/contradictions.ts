import { type NamespaceIndex, type Row, rowMarks } from "../../ports/search-index.js";
import { languagesOfText } from "../../text/languages.js";
import { codesOfQuery, type QueryCode } from "../../text/query-codes.js";
import { allowsTime } from "../../text/times/day-ranges.js";
import { readTimes } from "../../text/times/read-times.js";
import type { NamedRows } from "../query/named-rows.js";
import type { RankInput } from "../query/rank-input.js";
import { hasRow } from "./sorted-rows.js";

/** Tells whether a row is about another number, code, id or date than the query. */
export type Contradicts = (row: Row) => boolean;

/** Number of UTF-16 units of a memory in which dates are read, from its start. */
const readLength = 1024;
/** Maximum number of memories of a search whose texts are read, for each code and date. */
const textsMax = 200;

/**
 * Returns a check of the numbers, codes, ids and dates of a query, in any of their spellings.
 * Digits in common are no likeness of meaning: a text about another order answers nothing. Returns
 * `undefined` if the query has none.
 */
export function contradictionsOf(
  index: NamespaceIndex,
  input: RankInput,
  named: NamedRows,
): Contradicts | undefined {
  const { query, hints } = input;
  const codes = codesOfQuery(query.query, hints.dates.length > 0);
  const checks = codes.map((code) => otherCode(index, code));
  if (hints.dates.length > 0) checks.push(otherDate(index, input, named));
  return checks.length === 0 ? undefined : (row) => checks.some((check) => check(row));
}

function otherCode(index: NamespaceIndex, code: QueryCode): Contradicts {
  const { spellings, rivals, isAbout, isIn } = code;
  const holders = spellings.map((spelling) => index.rowsWithAllTerms(spelling));
  let rivalRows: Uint8Array | undefined;
  const known = new Map<Row, boolean>();
  const read = new Map<Row, boolean | undefined>();
  const isInText = (row: Row): boolean | undefined => {
    if (isIn !== undefined && !read.has(row) && read.size < textsMax)
      read.set(row, isIn(index.at(row).memory.content));
    return read.get(row);
  };
  return (row) => {
    const holds = holders.some((rows) => hasRow(rows, row));
    const found = isInText(row);
    if (found ?? holds) return false;
    if (holds) return true;
    if (rivals === undefined) return true;
    if (rivalRows === undefined) {
      rivalRows = new Uint8Array(index.rowLimit);
      for (const rival of rivals)
        for (const holder of index.rowsWithAllTerms(rival)) rivalRows[holder] = 1;
    }
    if (rivalRows[row] !== 1 || isAbout === undefined) return rivalRows[row] === 1;
    let others = known.get(row);
    if (others !== undefined) return others;
    if (known.size >= textsMax) return true;
    others = isAbout(index.at(row).memory.content);
    known.set(row, others);
    return others;
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

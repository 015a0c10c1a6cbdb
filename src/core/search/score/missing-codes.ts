import type { NamespaceIndex, Row } from "../../ports/search-index.js";
import { codesOfQuery } from "../../text/query-codes.js";
import type { NamedRows } from "../query/named-rows.js";
import type { RankInput } from "../query/rank-input.js";
import { hasRow } from "./sorted-rows.js";

/** Tells whether a row lacks a number, code or id of the query. */
export type LacksCode = (row: Row) => boolean;

/**
 * Returns a check of the numbers, codes and ids of a query, in any of their spellings. Digits in
 * common are no likeness of meaning: a text about another order answers nothing. A row on a date
 * that the query names has this date. Returns `undefined` if the query has no codes.
 */
export function missingCodesOf(
  index: NamespaceIndex,
  { query: { query }, hints: { dates } }: RankInput,
  named: NamedRows,
): LacksCode | undefined {
  if (!/\p{N}/u.test(query)) return undefined;
  const codes = codesOfQuery(query, dates.length > 0);
  if (codes.length === 0) return undefined;
  const holders = codes.map(({ spellings, isDate }) => ({
    rowsBySpelling: spellings.map((spelling) => index.rowsWithAllTerms(spelling)),
    isDate,
  }));
  return (row) =>
    holders.some(
      ({ rowsBySpelling, isDate }) =>
        !rowsBySpelling.some((rows) => hasRow(rows, row)) && !(isDate && named.hasDate(row)),
    );
}

import type { Row } from "../../ports/search-index.js";

/** Whether a list of ascending rows has a row. */
export function hasRow(rows: Int32Array, row: Row): boolean {
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((rows[middle] as number) < row) low = middle + 1;
    else high = middle;
  }
  return rows[low] === row;
}

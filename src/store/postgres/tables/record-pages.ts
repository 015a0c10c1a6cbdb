import type { ScanRange } from "../../../core/ports/scan-range.js";
import type { Table } from "../../../core/ports/store.js";
import { tableCodes } from "../../codec/table-codes.js";
import type { StoredRecord } from "../../engine/base.js";
import type { Session } from "../session/connection.js";
import { keyBytes, openRecord, type TableAt } from "./record-codec.js";
import { scopeStatements } from "./statements.js";

/**
 * Number of records in the first page of a scan. Most callers want few records, so the first page
 * is smaller than later pages.
 */
export const firstPageRecords = 50;
const pageRecords = 500;

/** A record as it is stored: sealed with a checksum (`seal`), and not decoded yet. */
export interface SealedRecord<T extends Table> extends StoredRecord<T> {
  readonly sealed: Buffer;
}

/** The head that each page carries. */
export interface PageHead {
  readonly epoch: string;
  readonly seq: number;
}

interface PageRow extends PageHead {
  /** If the page is empty, the answer has one row, and `key` and `value` are null in it. */
  readonly key: Buffer | null;
  readonly value: Buffer | null;
}

/**
 * Reads a table page by page.
 *
 * @param check is called with the head of each page; `undefined` if the scope has no head
 */
export async function* readPages<T extends Table>(
  session: Pick<Session, "query">,
  at: TableAt & { readonly table: T },
  { after, reverse = false }: ScanRange,
  check: (head: PageHead | undefined) => void,
): AsyncGenerator<readonly SealedRecord<T>[]> {
  let last = after === undefined ? undefined : keyBytes(after);
  for (let size = firstPageRecords; ; size = pageRecords) {
    const statement = statementOf(reverse, last !== undefined);
    const values = [at.scope.uuid, at.place, tableCodes[at.table], size];
    const { rows } = await session.query<PageRow>(
      statement,
      last === undefined ? values : [...values, last],
    );
    check(rows[0]);
    const page = rows.flatMap(({ key, value }) =>
      key === null || value === null ? [] : [storedRecord(at, key, value)],
    );
    if (page.length > 0) yield page;
    if (page.length < size) return;
    last = page.at(-1)?.keyBytes;
  }
}

function storedRecord<T extends Table>(
  at: TableAt & { readonly table: T },
  key: Buffer,
  sealed: Buffer,
): SealedRecord<T> {
  return { key: key.toString(), keyBytes: key, sealed, open: () => openRecord(at, key, sealed) };
}

function statementOf(reverse: boolean, hasKey: boolean) {
  if (reverse) return hasKey ? scopeStatements.previousPage : scopeStatements.lastPage;
  return hasKey ? scopeStatements.nextPage : scopeStatements.firstPage;
}

import { VademecumError } from "../../core/model/errors.js";
import type { RawRecord, RecordPage } from "../../core/ports/backup.js";
import type { Table, ValueOf } from "../../core/ports/store.js";
import { decodeChecked, UnreadableRecord, VectorLengths } from "./record-check.js";
import { tableCodes } from "./table-codes.js";

/** Tables of whole scopes have this code or a higher one. Tables of namespaces have lower codes. */
const firstScopeTableCode = 0x40;

/** The tables of namespaces, in the order of their codes. */
export const namespaceTables = tablesWhere((code) => code < firstScopeTableCode);
/** The tables of whole scopes, in the order of their codes. */
export const scopeTables = tablesWhere((code) => code >= firstScopeTableCode);

/**
 * Returns the table of a page of a backup.
 *
 * @throws INVALID_ARGUMENT (INVALID_BACKUP) when the table does not exist, or when the owner of the
 *   page cannot have this table
 */
export function tableOfPage({ agentId, table }: RecordPage): Table {
  const found = (agentId === undefined ? scopeTables : namespaceTables).find((it) => it === table);
  if (found !== undefined) return found;
  const owner = agentId === undefined ? "of whole scopes" : "of namespaces";
  throw new VademecumError(
    "INVALID_ARGUMENT",
    "INVALID_BACKUP",
    `the backup has records of '${table}', and no table ${owner} has that name; ` +
      "restore it with the version that made it, or a later one",
  );
}

/** Checks the pages of one scope of a backup. */
export class PageCheck {
  readonly #vectors = new VectorLengths();

  /**
   * Decodes a record.
   *
   * @throws INVALID_ARGUMENT (INVALID_BACKUP) when no call could read the record
   */
  decode<T extends Table>(table: T, { agentId = "" }: RecordPage, record: RawRecord): ValueOf<T> {
    const [key, payload] = record;
    try {
      const value = decodeChecked(table, key, payload);
      this.#vectors.add(agentId, table, key, value);
      return value;
    } catch (error) {
      if (!(error instanceof UnreadableRecord)) throw error;
      throw unreadable(`the record ${JSON.stringify(key)} of '${table}'`, error.message, error);
    }
  }

  /**
   * Checks what only all pages together show. Call it after the last page.
   *
   * @throws INVALID_ARGUMENT (INVALID_BACKUP) when a vector does not fit its namespace
   */
  end(): void {
    for (const { owner, fault } of this.#vectors.faults())
      throw unreadable(`the namespace of agent ${JSON.stringify(owner)}`, fault);
  }
}

function unreadable(what: string, fault: string, cause?: unknown): VademecumError {
  return new VademecumError(
    "INVALID_ARGUMENT",
    "INVALID_BACKUP",
    `this version cannot read ${what} of the backup: ${fault}. If a later version made the backup, ` +
      "restore it with that version",
    { cause },
  );
}

function tablesWhere(accept: (code: number) => boolean): readonly Table[] {
  return (Object.keys(tableCodes) as Table[])
    .filter((table) => accept(tableCodes[table]))
    .sort((a, b) => tableCodes[a] - tableCodes[b]);
}

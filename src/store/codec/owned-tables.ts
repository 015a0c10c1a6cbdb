import { VademecumError } from "../../core/model/errors.js";
import type { RawRecord, RecordPage, ScopeCheck } from "../../core/ports/backup.js";
import type { Table } from "../../core/ports/store.js";
import { decodeChecked, UnreadableRecord, VectorLengths } from "./record-check.js";
import { tableCodes } from "./table-codes.js";
import { TableLinks } from "./table-links.js";

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
export class PageCheck implements ScopeCheck {
  readonly #vectors = new VectorLengths();
  readonly #links = new Map<string | undefined, TableLinks>();

  /**
   * Decodes the records of a page.
   *
   * @throws INVALID_ARGUMENT (INVALID_BACKUP) when no call could read a record
   */
  add(page: RecordPage): void {
    const table = tableOfPage(page);
    const { agentId } = page;
    const links = this.#links.get(agentId) ?? new TableLinks();
    this.#links.set(agentId, links);
    for (const record of page.records) {
      const value = this.#decode(table, record);
      this.#vectors.add(agentId ?? "", table, record[0], value);
      links.add(table, record[0], value);
    }
  }

  /**
   * Checks what only all pages together show. Call it after the last page.
   *
   * @throws INVALID_ARGUMENT (INVALID_BACKUP) when a vector does not fit its namespace, or a table
   *   does not fit another one
   */
  end(): void {
    for (const { owner, fault } of this.#vectors.faults())
      throw unreadable(`the namespace of agent ${JSON.stringify(owner)}`, fault);
    for (const [agentId, links] of this.#links)
      for (const fault of links.faults())
        throw unreadable(
          agentId === undefined ? "a scope" : `the namespace of agent ${JSON.stringify(agentId)}`,
          fault,
        );
  }

  #decode(table: Table, [key, payload]: RawRecord): unknown {
    try {
      return decodeChecked(table, key, payload);
    } catch (error) {
      if (!(error instanceof UnreadableRecord)) throw error;
      throw unreadable(`the record ${JSON.stringify(key)} of '${table}'`, error.message, error);
    }
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

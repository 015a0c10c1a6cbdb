import { VademecumError } from "../../core/model/errors.js";
import type { RecordPage } from "../../core/ports/backup.js";
import type { Table, ValueOf } from "../../core/ports/store.js";
import { codecOf } from "./table-codecs.js";
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

/**
 * Decodes a record of a backup.
 *
 * @throws INVALID_ARGUMENT (INVALID_BACKUP) when the bytes are not a value of the table
 */
export function decodeForeign<T extends Table>(table: T, payload: Uint8Array): ValueOf<T> {
  try {
    return codecOf(table).decode(Buffer.from(payload));
  } catch (cause) {
    throw new VademecumError(
      "INVALID_ARGUMENT",
      "INVALID_BACKUP",
      `the backup has a record of '${table}' that this version cannot read; ` +
        "restore it with the version that made it, or a later one",
      { cause },
    );
  }
}

function tablesWhere(accept: (code: number) => boolean): readonly Table[] {
  return (Object.keys(tableCodes) as Table[])
    .filter((table) => accept(tableCodes[table]))
    .sort((a, b) => tableCodes[a] - tableCodes[b]);
}

import { type LoggedTable, loggedTables, type Table } from "../core/ports/store.js";

/**
 * Minimum number of commits that a scope's change log keeps. An index that is further behind may
 * have to be loaded again.
 */
export const changeLogLength = 4096;

/** Whether changes to this table are written to the change log. */
export function isLogged(table: Table): table is LoggedTable {
  return (loggedTables as readonly Table[]).includes(table);
}

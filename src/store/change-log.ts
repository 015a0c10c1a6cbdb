import { type LoggedTable, loggedTables, type Table } from "../core/ports/store.js";

/** Commits that a scope's change log keeps. An index that is further behind is loaded anew. */
export const changeLogLength = 4096;

/** Whether changes to a table are written to the change log. */
export function isLogged(table: Table): table is LoggedTable {
  return (loggedTables as readonly Table[]).includes(table);
}

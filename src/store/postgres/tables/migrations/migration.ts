/** A step from one format of the tables to the next. Never change a released step. */
export interface Migration {
  /** Number of the format that the step leads to. */
  readonly format: number;
  readonly statements: readonly string[];
  /** Further statements where the database has the extension Citus. */
  readonly onCitus: readonly string[];
}

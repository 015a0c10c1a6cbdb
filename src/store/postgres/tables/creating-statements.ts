/** Statements that create a part of the schema. */
export interface CreatingStatements {
  readonly everywhere: readonly string[];
  /** Further statements where the database has the extension Citus. */
  readonly onCitus: readonly string[];
}

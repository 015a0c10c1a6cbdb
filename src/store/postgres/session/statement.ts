/** A statement with a name, which PostgreSQL parses and plans once for each connection. */
export interface Statement {
  readonly name: string;
  readonly text: string;
}

import type { Store } from "../../src/core/ports/store.js";
import { Connection } from "../../src/store/postgres/session/connection.js";
import { listingStatements } from "../../src/store/postgres/tables/statements.js";

type Query = Connection["query"];

/** Counts of what the servers ask PostgreSQL. A head says which commit is a user's last one. */
export interface Questions {
  /** Maximum number of queries for heads under way at the same time. */
  readonly headQueriesMax: number;
  /** Number of snapshots opened. */
  readonly snapshots: number;
}

/**
 * Watches what this process asks PostgreSQL from now on: the queries for heads of all connections,
 * and the snapshots of the stores that go through `watch`.
 */
export function watchQuestions(): { watch(store: Store): Store; counts(): Questions } {
  let underWay = 0;
  let headQueriesMax = 0;
  let snapshots = 0;
  const query = Reflect.get<Connection, "query">(Connection.prototype, "query");
  async function watched(this: Connection, ...call: Parameters<Query>): Promise<unknown> {
    const isHead = call[0].name === listingStatements.readHeads.name;
    if (isHead) headQueriesMax = Math.max(headQueriesMax, ++underWay);
    try {
      return await query.apply(this, call);
    } finally {
      if (isHead) underWay--;
    }
  }
  Reflect.set(Connection.prototype, "query", watched);
  return {
    watch: (store) =>
      new Proxy(store, {
        get(target, name) {
          const value: unknown = Reflect.get(target, name);
          if (typeof value !== "function") return value;
          return (...values: unknown[]): unknown => {
            if (name === "snapshot") snapshots++;
            return Reflect.apply(value, target, values);
          };
        },
      }),
    counts: () => ({ headQueriesMax, snapshots }),
  };
}

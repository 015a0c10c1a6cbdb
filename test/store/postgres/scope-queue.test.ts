import pg from "pg";
import { expect, it } from "vitest";
import { userScope } from "../../../src/core/model/namespace.js";
import { ScopeQueue } from "../../../src/store/postgres/commit/scope-queue.js";
import { HeldScopes } from "../../../src/store/postgres/holds/held-scopes.js";
import type { Connection } from "../../../src/store/postgres/session/connection.js";
import { Pool } from "../../../src/store/postgres/session/pool.js";
import type { Statement } from "../../../src/store/postgres/session/statement.js";
import { scopeRow } from "../../../src/store/postgres/tables/scope-row.js";

const kim = userScope("kim");
const row = scopeRow(kim);
const head = {
  ...{ epoch: "epoch", tenant: row.tenant, kind: row.kind, id: row.id },
  ...{ seq: 0, last_time_ms: 0, place: 0, next_place: 1, counts: [], memories: 0, bytes: 0 },
};

function errorOf(code: string, message: string): pg.DatabaseError {
  return Object.assign(new pg.DatabaseError(message, 0, "error"), { code });
}

const rowsOf: Readonly<Record<string, readonly unknown[]>> = {
  vm_lock_head: [head],
  vm_read_holds: [{ moves: null, now_ms: 0 }],
};

/** A queue over one session whose commits fail a few times, and write nothing then. */
function createQueue(failures: readonly Error[]): { queue: ScopeQueue; commits: () => number } {
  let commits = 0;
  const connection: Pick<Connection, "isUsable" | "query" | "run" | "end" | "abandon"> = {
    isUsable: true,
    async query<Row>({ name }: Statement) {
      const rows = rowsOf[name] ?? [];
      return { rows: rows as Row[], command: "", count: rows.length };
    },
    async run(text) {
      const failure = text === "commit" ? failures[commits++] : undefined;
      if (failure !== undefined) throw failure;
      return { rows: [], command: text.toUpperCase(), count: 0 };
    },
    end: async () => undefined,
    abandon: () => undefined,
  };
  const writers = new Pool({
    size: 1,
    waitMs: 1_000,
    open: async () => connection as Connection,
  });
  const nothing = (): void => undefined;
  const held = new HeldScopes();
  const path = { writers, newEpoch: "epoch", held, onCommitted: nothing, onError: nothing };
  return { queue: new ScopeQueue(kim, row, path), commits: () => commits };
}

const write = (queue: ScopeQueue) =>
  queue.update(async (tx) => tx.put("replyExpiries", kim, "key", "value"));

it("a commit that fails because Citus lost a node runs again when it was not written", async () => {
  const lostNode = errorOf(
    "XX000",
    "could not commit transaction for shard 1 on at least one node",
  );
  const { queue, commits } = createQueue([lostNode]);
  expect((await write(queue)).head).toEqual({ epoch: "epoch", seq: 1 });
  expect(commits()).toBe(2);
});

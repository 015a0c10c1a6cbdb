import pg from "pg";
import { expect, it } from "vitest";
import { userScope } from "../../../src/core/model/namespace.js";
import { restoreScope } from "../../../src/store/postgres/commit/restore-scope.js";
import type { Connection } from "../../../src/store/postgres/session/connection.js";
import { Pool } from "../../../src/store/postgres/session/pool.js";
import type { Statement } from "../../../src/store/postgres/session/statement.js";
import { scopeRow } from "../../../src/store/postgres/tables/scope-row.js";

const kim = userScope("kim");

it.each([
  ["08006", "Citus has lost a node"],
  ["25006", "the server has become a standby"],
])("a restore ends its transaction after the error %s: %s", async (code, message) => {
  const ran: string[] = [];
  let heads = 0;
  const connection: Pick<Connection, "isUsable" | "query" | "run" | "end" | "abandon"> = {
    isUsable: true,
    async query<Row>({ name }: Statement) {
      if (name === "vm_create_head" && heads++ === 0)
        throw Object.assign(new pg.DatabaseError(message, 0, "error"), { code });
      const rows = name === "vm_lock_head" ? [{ epoch: "epoch", seq: 7 }] : [];
      return { rows: rows as Row[], command: "", count: rows.length };
    },
    async run(text) {
      if (!text.startsWith("set ")) ran.push(text);
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
  async function* nothing() {}
  const path = { writers, newEpoch: "epoch" };
  const restored = { scope: kim, seq: 1, lastTimeMs: 0, epoch: undefined };
  // The second attempt ends immediately, because the head shows another write to the scope.
  await expect(
    restoreScope(scopeRow(kim), path, restored, { epoch: "epoch", seq: 0 }, nothing()),
  ).rejects.toMatchObject({ reason: "SCOPE_CHANGED" });
  expect(ran).toEqual(["begin", "rollback", "begin", "rollback"]);
});

import pg from "pg";
import { expect, it } from "vitest";
import { namespaceIn, scopeOf, userScope } from "../../../src/core/model/namespace.js";
import { expiryKey } from "../../../src/core/model/record-keys.js";
import { replyOnce } from "../../../src/core/requests/idempotency.js";
import { withinQuota } from "../../../src/core/requests/within-quota.js";
import { codecOf } from "../../../src/store/codec/table-codecs.js";
import { ScopeQueue } from "../../../src/store/postgres/commit/scope-queue.js";
import { HeldScopes } from "../../../src/store/postgres/holds/held-scopes.js";
import type { Connection } from "../../../src/store/postgres/session/connection.js";
import { Pool } from "../../../src/store/postgres/session/pool.js";
import type { Statement } from "../../../src/store/postgres/session/statement.js";
import { sealRecord } from "../../../src/store/postgres/tables/record-codec.js";
import { scopeRow } from "../../../src/store/postgres/tables/scope-row.js";
import { sampleMemory } from "../../contract/sample-records.js";

const kim = userScope("kim");
const row = scopeRow(kim);
const head = {
  ...{ epoch: "epoch", tenant: row.tenant, kind: row.kind, id: row.id },
  ...{ seq: 9, last_time_ms: 0, place: 0, next_place: 2, counts: [1, 1], memories: 5, bytes: 500 },
  ...{ accounts: [""], stored: [500] },
};
const notes = namespaceIn({ kind: "user", userId: "kim" }, "notes");

function errorOf(code: string, message: string): pg.DatabaseError {
  return Object.assign(new pg.DatabaseError(message, 0, "error"), { code });
}

/** The row by which PostgreSQL reports that the memory `m3` is stored. */
const memory3 = { place: 1, tbl: 1, key: Buffer.from("m3"), length: 100 };

/** Time until an idempotency key and its reply expire. */
const dayMs = 24 * 60 * 60 * 1000;
const expiry = Buffer.from(expiryKey(dayMs, "some key"));
const storedExpiry = {
  key: expiry,
  value: sealRecord(
    { scope: row, place: 0, table: "replyExpiries" },
    expiry,
    codecOf("replyExpiries").encode("some key"),
  ),
};

const rowsOf: Readonly<Record<string, readonly unknown[]>> = {
  vm_begin_group: [{ ...head, moves: null, now_ms: 0 }],
  vm_find_records: [memory3],
  vm_first_page: [storedExpiry],
  vm_read_places: [{ agent: Buffer.from("notes"), place: 1, counts: [0, 5, 0, 5], bytes: 500 }],
};

/** Creates a queue over one session. Its first commits fail with `failures` and write nothing. */
function createQueue(failures: readonly Error[] = []) {
  let commits = 0;
  const asked: string[] = [];
  const ran: string[] = [];
  const connection: Pick<Connection, "isUsable" | "query" | "run" | "end" | "abandon"> = {
    isUsable: true,
    async query<Row>({ name }: Statement) {
      asked.push(name);
      const rows = rowsOf[name] ?? [];
      return { rows: rows as Row[], command: "", count: rows.length };
    },
    async run(text) {
      ran.push(text);
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
  const path = {
    ...{ writers, newEpoch: "epoch", held, usesDatabaseTime: false },
    ...{ onCommitted: nothing, onError: nothing, meter: nothing },
  };
  return { queue: new ScopeQueue(kim, row, path), commits: () => commits, asked, ran };
}

const write = (queue: ScopeQueue) =>
  queue.update(async (tx) => tx.put("replyExpiries", kim, "key", "value"));

it("a commit that fails when Citus loses a node runs again if it was not written", async () => {
  const lostNode = errorOf(
    "XX000",
    "could not commit transaction for shard 1 on at least one node",
  );
  const { queue, commits } = createQueue([lostNode]);
  expect((await write(queue)).head).toEqual({ epoch: "epoch", seq: 10 });
  expect(commits()).toBe(2);
});

it("a cancelled commit leaves no transaction open on its connection", async () => {
  const { queue, ran } = createQueue([errorOf("57014", "canceling statement due to user request")]);
  await write(queue);
  expect(ran.filter((text) => !text.startsWith("set "))).toEqual([
    ...["begin", "commit", "rollback"],
    // The store checks whether the commit was written.
    ...["begin", "rollback"],
    ...["begin", "commit"],
  ]);
});

/** Sends all `calls` in one group. Each call adds a memory under a quota of `memories`. */
async function addWithQuota(queue: ScopeQueue, memories: number, calls: number, from = 10) {
  const add = (id: string) =>
    queue.update((tx) =>
      withinQuota(tx, scopeOf(notes), { memories }, async () => {
        if (!(await tx.isUnused("memories", notes, id))) throw new Error(`${id} is in use`);
        expect(tx.countAtMost("memories", notes)).toBeGreaterThanOrEqual(5);
        tx.put("memories", notes, id, sampleMemory(id, id));
      }),
    );
  return Promise.allSettled(Array.from({ length: calls }, (_, i) => add(`m${from + i}`)));
}

it("a group of calls needs no extra query for counts, quotas and checks of unused keys", async () => {
  const { queue, asked, commits } = createQueue();
  const ends = await addWithQuota(queue, 5 + 8, 8);
  expect(ends.map(({ status }) => status)).toEqual(Array(8).fill("fulfilled"));
  expect(commits()).toBe(1);
  // The one query of a commit asks which of its records existed.
  expect(asked.filter((name) => /find|read_record/.test(name))).toEqual(["vm_find_records"]);
});

it("a quota refuses only those calls of a group that would exceed it", async () => {
  const { queue, commits } = createQueue();
  const ends = await addWithQuota(queue, 5 + 3, 8);
  expect(ends.filter(({ status }) => status === "fulfilled")).toHaveLength(3);
  expect(commits()).toBe(1);
});

it("a call that needs an unused key fails if the key is in use, and no other call of the group fails", async () => {
  const { queue, commits } = createQueue();
  const ends = await addWithQuota(queue, 100, 8, 0);
  const failed = ends.flatMap((end) => (end.status === "rejected" ? [String(end.reason)] : []));
  expect(failed).toEqual(["Error: m3 is in use"]);
  expect(commits()).toBe(1);
});

it("a group of calls needs one query for all its idempotency keys", async () => {
  const { queue, commits, asked } = createQueue();
  const add = (id: string) =>
    queue.update((tx) => {
      const parts = { rpc: "Add", agentId: "notes", idempotencyKey: `key of ${id}` };
      return replyOnce(queue, tx, kim, { ...parts, request: { id }, nowMs: 0 }, async () => {
        tx.put("memories", notes, id, sampleMemory(id, id));
        return id;
      });
    });
  await Promise.all(Array.from({ length: 8 }, (_, i) => add(`m${10 + i}`)));
  expect(commits()).toBe(1);
  expect(asked.filter((name) => /find|read_record|page/.test(name))).toEqual([
    "vm_first_page",
    "vm_find_records",
  ]);
});

import pg from "pg";
import { expect, it } from "vitest";
import { namespaceIn, userScope } from "../../../src/core/model/namespace.js";
import { withinQuota } from "../../../src/core/requests/within-quota.js";
import { ScopeQueue } from "../../../src/store/postgres/commit/scope-queue.js";
import { HeldScopes } from "../../../src/store/postgres/holds/held-scopes.js";
import type { Connection } from "../../../src/store/postgres/session/connection.js";
import { Pool } from "../../../src/store/postgres/session/pool.js";
import type { Statement } from "../../../src/store/postgres/session/statement.js";
import { scopeRow } from "../../../src/store/postgres/tables/scope-row.js";
import { sampleMemory } from "../../contract/sample-records.js";

const kim = userScope("kim");
const row = scopeRow(kim);
const head = {
  ...{ epoch: "epoch", tenant: row.tenant, kind: row.kind, id: row.id },
  ...{ seq: 9, last_time_ms: 0, place: 0, next_place: 2, counts: [], memories: 5, bytes: 500 },
};
const notes = namespaceIn({ kind: "user", userId: "kim" }, "notes");

function errorOf(code: string, message: string): pg.DatabaseError {
  return Object.assign(new pg.DatabaseError(message, 0, "error"), { code });
}

const rowsOf: Readonly<Record<string, readonly unknown[]>> = {
  vm_lock_head: [head],
  vm_read_holds: [{ moves: null, now_ms: 0 }],
  vm_read_places: [{ agent: Buffer.from("notes"), place: 1, counts: [0, 5, 0, 5], bytes: 500 }],
};

/** A queue over one session whose commits fail a few times, and write nothing then. */
function createQueue(failures: readonly Error[] = []) {
  let commits = 0;
  const asked: string[] = [];
  const connection: Pick<Connection, "isUsable" | "query" | "run" | "end" | "abandon"> = {
    isUsable: true,
    async query<Row>({ name }: Statement) {
      asked.push(name);
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
  return { queue: new ScopeQueue(kim, row, path), commits: () => commits, asked };
}

const write = (queue: ScopeQueue) =>
  queue.update(async (tx) => tx.put("replyExpiries", kim, "key", "value"));

it("a commit that fails because Citus lost a node runs again when it was not written", async () => {
  const lostNode = errorOf(
    "XX000",
    "could not commit transaction for shard 1 on at least one node",
  );
  const { queue, commits } = createQueue([lostNode]);
  expect((await write(queue)).head).toEqual({ epoch: "epoch", seq: 10 });
  expect(commits()).toBe(2);
});

/** Adds memories with a quota, all in one group. */
async function addWithQuota(queue: ScopeQueue, memories: number, calls: number) {
  const add = (id: string) =>
    queue.update((tx) =>
      withinQuota(tx, "kim", { memories }, async () => {
        expect(tx.countAtMost("memories", notes)).toBeGreaterThanOrEqual(5);
        tx.put("memories", notes, id, sampleMemory(id, id));
      }),
    );
  return Promise.allSettled(Array.from({ length: calls }, (_, i) => add(`m${i}`)));
}

const questions = (asked: readonly string[]) => asked.filter((name) => name === "vm_find_records");

it("counts and quotas cost a group no question", async () => {
  const { queue, asked, commits } = createQueue();
  const ends = await addWithQuota(queue, 5 + 8, 8);
  expect(ends.map(({ status }) => status)).toEqual(Array(8).fill("fulfilled"));
  expect(commits()).toBe(1);
  // Each commit asks once which of its records existed.
  expect(questions(asked)).toHaveLength(1);
});

it("a quota that is reached refuses the calls beyond it, and no other call of the group", async () => {
  const { queue, commits } = createQueue();
  const ends = await addWithQuota(queue, 5 + 3, 8);
  expect(ends.filter(({ status }) => status === "fulfilled")).toHaveLength(3);
  expect(commits()).toBe(1);
});

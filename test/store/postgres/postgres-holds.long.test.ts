import { env } from "node:process";
import { setTimeout as delay } from "node:timers/promises";
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  it,
  onTestFinished,
} from "vitest";
import { namespaceIn, type Scope } from "../../../src/core/model/namespace.js";
import { allSlots, slotOf } from "../../../src/core/model/slot-range.js";
import type { WriteHolds } from "../../../src/core/ports/holds.js";
import { HeldScopes } from "../../../src/store/postgres/holds/held-scopes.js";
import { PostgresRanges } from "../../../src/store/postgres/holds/postgres-ranges.js";
import type { PostgresStore } from "../../../src/store/postgres/postgres-store.js";
import { Connection } from "../../../src/store/postgres/session/connection.js";
import { Pool } from "../../../src/store/postgres/session/pool.js";
import type { PostgresTarget } from "../../../src/store/postgres/session/target.js";
import { scopeRow } from "../../../src/store/postgres/tables/scope-row.js";
import { sampleMemory } from "../../contract/sample-records.js";
import { collect } from "../../contract/store/context.js";
import { startPostgres, type TestPostgres } from "../../fixtures/postgres.js";
import { nodesOf, queryOn } from "../../fixtures/postgres-nodes.js";

type UserScope = Extract<Scope, { readonly kind: "user" }>;

const kim: UserScope = { kind: "user", userId: "kim" };
const notes = namespaceIn(kim, "notes");
const address = "http://127.0.0.1:50052";
const held = { code: "UNAVAILABLE", reason: "WRITES_HELD", retryAfterMs: 200 };
const moved = { code: "FAILED_PRECONDITION", reason: "MOVED", metadata: { address } };
/** Time in which a hold would begin that does not wait, in milliseconds. */
const waitMs = 300;
const notHeld = { code: "FAILED_PRECONDITION", reason: "NOT_HELD" };

let postgres: TestPostgres;
/** The store of the server that the mover calls. */
let called: PostgresStore;
/** The store of another server of the same database. */
let other: PostgresStore;
let holds: WriteHolds;

beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres.close());

beforeEach(async () => {
  await postgres.empty();
  [called, other] = [await postgres.openStore(), await postgres.openStore()];
  holds = called.holdsOf(undefined);
});
afterEach(async () => {
  await called.close();
  await other.close();
});

const write = (id: string, scope: UserScope = kim) =>
  other.update(scope, async (tx) => {
    tx.put("memories", namespaceIn(scope, "notes"), id, sampleMemory(id, id));
  });

it("a range that is handed over is read on every server that allows it, and written on none", async () => {
  await write("a");
  const { holdId } = await holds.hold(allSlots);
  await holds.handOver(allSlots, holdId, { address });
  await expect(other.snapshot(kim)).rejects.toMatchObject(moved);
  await expect(write("b")).rejects.toMatchObject(moved);
  const otherHolds = other.holdsOf(undefined);
  expect(otherHolds.routeOf(kim)).toEqual({ address, storeId: undefined, isHandingOver: true });
  const end = otherHolds.allowReads(kim);
  await (await other.snapshot(kim))[Symbol.asyncDispose]();
  await expect(write("b")).rejects.toMatchObject(held);
  end();
  await holds.move(allSlots, holdId, { address });
  await expect(other.snapshot(kim)).rejects.toMatchObject(moved);
});

async function writeUntilRefused(scope: UserScope): Promise<never> {
  for (;;) await write("b", scope);
}

/** Begins a write on the other server, and then a hold. `end` ends the write, and then both. */
async function holdDuringWrite(): Promise<{ order: readonly string[]; end: () => Promise<void> }> {
  let endWrite: () => void = () => undefined;
  let begun: () => void = () => undefined;
  const running = new Promise<void>((resolve) => {
    begun = resolve;
  });
  const order: string[] = [];
  const writing = other
    .update(kim, async (tx) => {
      begun();
      await new Promise<void>((resolve) => {
        endWrite = resolve;
      });
      tx.put("memories", notes, "a", sampleMemory("a", "a"));
    })
    .then(() => order.push("write"));
  await running;
  const holding = holds.hold(allSlots).then(() => order.push("hold"));
  return {
    order,
    end: async () => {
      endWrite();
      await Promise.all([writing, holding]);
    },
  };
}

const read = async () => (await other.snapshot(kim))[Symbol.asyncDispose]();

/** Moves the end of all holds into the past. */
const endHolds = () =>
  postgres.query(
    `update vademecum.vm_meta set moves = regexp_replace(moves, '"untilMs":[0-9]+', '"untilMs":1', 'g')`,
  );

describe("a hold", () => {
  it("a hold refuses writes on every server until its release, and lets reads through", async () => {
    await holds.hold(allSlots);
    await expect(write("a")).rejects.toMatchObject(held);
    await expect(
      called.update(kim, async (tx) => tx.delete("memories", notes, "a")),
    ).rejects.toMatchObject(held);
    expect((await other.head(kim)).seq).toBe(0);
    await read();
    await other.holdsOf(undefined).release(allSlots);
    await write("a");
  });

  it("a hold begins when the earlier writes of other servers are durable", async () => {
    const { order, end } = await holdDuringWrite();
    // Once other writes are refused, the hold waits for this write alone.
    const refusal = await writeUntilRefused({ kind: "user", userId: "bo" }).catch(
      (error: unknown) => error,
    );
    const before = [...order];
    await end();
    expect({ refusal, before }).toMatchObject({ refusal: held, before: [] });
    expect(order).toEqual(["write", "hold"]);
    expect((await called.head(kim)).seq).toBe(1);
  });

  it("a hold that is not renewed ends, and can then neither be renewed nor become a move", async () => {
    const { holdId } = await holds.hold(allSlots);
    await expect(write("a")).rejects.toMatchObject(held);
    await endHolds();
    await write("a");
    await expect(holds.renew(allSlots, holdId)).rejects.toMatchObject(notHeld);
    await expect(holds.move(allSlots, holdId, { address })).rejects.toMatchObject(notHeld);
    await write("b");
  });

  it("an overdue hold stays in the database until the first write removes it", async () => {
    const { holdId } = await holds.hold(allSlots);
    await holds.renew(allSlots, holdId);
    await endHolds();
    const [meta] = await postgres.query("select moves from vademecum.vm_meta");
    expect(JSON.parse(String(meta?.["moves"]))).toHaveLength(1);
    await write("a");
    const [after] = await postgres.query("select moves from vademecum.vm_meta");
    expect(JSON.parse(String(after?.["moves"]))).toEqual([]);
  });

  it("a hold covers only the slots of its range and the data of one tenant", async () => {
    const slot = slotOf(kim);
    await holds.hold({ first: 0, last: slot - 1 });
    await called.holdsOf("acme").hold(allSlots);
    await write("a");
    await expect(write("a", { ...kim, tenant: "acme" })).rejects.toMatchObject(held);
    await holds.hold({ first: slot, last: slot });
    await expect(write("b")).rejects.toMatchObject(held);
  });
});

/**
 * Brings a worker into the state after a crash between the two phases of the commit of the last
 * change of the holds: it shows no holds, and the change is prepared. Returns the id of the
 * prepared transaction.
 */
async function unfinishHolds(worker: PostgresTarget): Promise<string> {
  const [shard] = await queryOn<{ name: string; moves: string }>(
    worker,
    `select 'vademecum.vm_meta_' || shardid as name, (select moves from vademecum.vm_meta) as moves
      from pg_dist_shard where logicalrelid = 'vademecum.vm_meta'::regclass`,
  );
  if (shard === undefined) throw new Error("the worker has no table vm_meta");
  const id = "citus_1000_1_1_2";
  const set = (moves: string) =>
    `set citus.enable_manual_changes_to_shards = on; begin; update ${shard.name} set moves = ${moves};`;
  await queryOn(worker, `${set("null")} commit`);
  await queryOn(worker, `${set(`'${shard.moves}'`)} prepare transaction '${id}'`);
  return id;
}

/** Returns a user whose records are on a worker, which then reads the holds for the writes. */
async function userOn(worker: PostgresTarget): Promise<UserScope> {
  for (let i = 0; i < 100; i++) {
    const user: UserScope = { kind: "user", userId: `user ${i}` };
    const [row] = await queryOn<{ port: number }>(
      worker,
      `select n.nodeport as port from pg_dist_placement p join pg_dist_node n using (groupid)
        where p.shardid = get_shard_id_for_distribution_column('vademecum.vm_scope', $1::uuid)`,
      [scopeRow(user).uuid],
    );
    if (row?.port === worker.port) return user;
  }
  throw new Error("the worker has no shards");
}

// Only a PostgreSQL that VADEMECUM_TEST_POSTGRES names can have Citus.
describe.runIf(env["VADEMECUM_TEST_POSTGRES"])("a hold over Citus", () => {
  it("a hold begins when the earlier writes of servers with other addresses are durable", async ({
    skip,
  }) => {
    const [coordinator, worker] = await nodesOf(postgres.owner);
    if (coordinator === undefined || worker === undefined) return skip("no Citus with a worker");
    await called.close();
    await other.close();
    called = await postgres.openStore({ targets: [coordinator] });
    other = await postgres.openStore({ targets: [worker] });
    holds = called.holdsOf(undefined);
    const { order, end } = await holdDuringWrite();
    await writeUntilRefused({ kind: "user", userId: "bo" }).catch(() => undefined);
    await delay(waitMs);
    const before = [...order];
    await end();
    expect(before).toEqual([]);
    expect(order).toEqual(["write", "hold"]);
  });

  it("a hold begins when no node has to finish a commit in two phases", async ({ skip }) => {
    const [, worker] = await nodesOf(postgres.owner);
    if (worker === undefined) return skip("no Citus with a worker");
    // A worker that crashed before the end of a commit does not show the hold yet.
    const id = "citus_1000_1_1_1";
    await queryOn(worker, `begin; select pg_current_xact_id(); prepare transaction '${id}'`);
    let hasBegun = false;
    const holding = holds.hold(allSlots).then(() => {
      hasBegun = true;
    });
    await writeUntilRefused(kim).catch(() => undefined);
    await delay(waitMs);
    const hadBegun = hasBegun;
    await queryOn(worker, `rollback prepared '${id}'`);
    await holding;
    expect(hadBegun).toBe(false);
  });

  it("a hold waits for a write that begins on a node while this node does not show the hold", async ({
    skip,
  }) => {
    const [coordinator, worker] = await nodesOf(postgres.owner);
    if (coordinator === undefined || worker === undefined) return skip("no Citus with a worker");
    await other.close();
    other = await postgres.openStore({ targets: [worker] });
    const user = await userOn(worker);
    await write("a", user);
    const times = { connectMs: 5_000, answerMs: 10_000 };
    const writers = new Pool({
      size: 1,
      waitMs: 5_000,
      open: async () => {
        const connection = await Connection.open(coordinator, times);
        await connection.run("set role vm_app");
        return connection;
      },
    });
    onTestFinished(() => writers.close());
    const ranges = new PostgresRanges({
      writers,
      scopes: new HeldScopes(),
      openEntries: [() => Connection.open(coordinator, times)],
      onMoved: () => undefined,
    });
    await ranges.change((before, nowMs) => [
      ...before,
      { tenant: undefined, ...allSlots, holdId: "h", untilMs: nowMs + 30_000 },
    ]);
    const id = await unfinishHolds(worker);
    const order: string[] = [];
    const holding = ranges.idle().then(() => order.push("hold"));
    await delay(waitMs);
    let endWrite: () => void = () => undefined;
    const begun = new Promise<void>((resolve) => {
      void other
        .update(user, async (tx) => {
          resolve();
          await new Promise<void>((end) => {
            endWrite = end;
          });
          tx.put("memories", namespaceIn(user, "notes"), "b", sampleMemory("b", "b"));
        })
        .then(() => order.push("write"));
    });
    await begun;
    await queryOn(worker, `commit prepared '${id}'`);
    await delay(2 * waitMs);
    endWrite();
    await holding;
    expect(order).toEqual(["write", "hold"]);
    await expect(write("c", user)).rejects.toMatchObject(held);
  });
});

describe("a move", () => {
  it("a move sends every use on every server to the new address, and hides moved scopes from listings", async () => {
    await write("a");
    const { holdId } = await holds.hold(allSlots);
    expect(await holds.move(allSlots, holdId, { address })).toEqual({
      holdId,
      lifetimeMs: undefined,
    });
    for (const use of [() => write("b"), () => other.head(kim), read])
      await expect(use()).rejects.toMatchObject(moved);
    expect(await collect(other.namespaces())).toEqual([]);
    expect(await collect(other.scopes())).toEqual([]);
    expect(await other.holdsOf(undefined).moves()).toEqual([{ ...allSlots, address }]);
    await expect(other.holdsOf(undefined).hold({ first: 5, last: 6 })).rejects.toMatchObject(moved);
  });

  it("backups still read the records of a moved scope, and the scope takes writes again after a release", async () => {
    await write("a");
    const { holdId } = await holds.hold(allSlots);
    await holds.move(allSlots, holdId, { address });
    await using scope = await other.openScope(kim);
    expect((await collect(scope.pages())).flatMap(({ records }) => records)).toHaveLength(1);
    await other.holdsOf(undefined).release(allSlots);
    await write("b");
    expect((await called.head(kim)).seq).toBe(2);
  });

  it("a move wakes the watchers of other servers", async () => {
    await write("a");
    const { holdId } = await holds.hold(allSlots);
    const isCalled = new Promise<void>((resolve) => other.followProposals(kim, resolve));
    // Once the session of the watcher can take a lock, the watcher listens.
    await (await other.tryLock("pruning"))?.[Symbol.asyncDispose]();
    await holds.move(allSlots, holdId, { address });
    await isCalled;
  });

  it("every call fails with DATA_LOSS if the stored moves cannot be read", async () => {
    await postgres.query("update vademecum.vm_meta set moves = '{'");
    const damaged = { code: "DATA_LOSS", reason: "STORE_DAMAGED" };
    for (const use of [() => write("b"), () => other.head(kim), read])
      await expect(use()).rejects.toMatchObject(damaged);
  });
});

import { env } from "node:process";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { namespaceIn, type Scope, userScope } from "../../../src/core/model/namespace.js";
import type { Log } from "../../../src/core/ports/log.js";
import type { Store } from "../../../src/core/ports/store.js";
import { renewEpoch } from "../../../src/store/postgres/renew-epoch.js";
import { tableFormat } from "../../../src/store/postgres/tables/create-tables.js";
import { sampleMemory } from "../../contract/sample-records.js";
import { startPostgres, type TestPostgres } from "../../fixtures/postgres.js";

const kim = userScope("kim");
const notes = namespaceIn({ kind: "user", userId: "kim" }, "notes");

let postgres: TestPostgres;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres.close());

const stores: Store[] = [];
async function open(...options: Parameters<TestPostgres["openStore"]>): Promise<Store> {
  const store = await postgres.openStore(...options);
  stores.push(store);
  return store;
}
beforeEach(() => postgres.empty());
afterEach(async () => {
  for (const store of stores.splice(0)) await store.close();
});

async function put(store: Store, id: string, scope: Scope & { kind: "user" } = kim as never) {
  return store.update(scope, async (tx) => {
    tx.put("memories", namespaceIn(scope, "notes"), id, sampleMemory(id, id));
  });
}

async function idsIn(store: Store): Promise<string[]> {
  await using snapshot = await store.snapshot(kim);
  const ids: string[] = [];
  for await (const [id] of snapshot.scan("memories", notes)) ids.push(id);
  return ids;
}

describe("at the start", () => {
  it("three servers on an empty database create the tables once", async () => {
    await postgres.dropTables();
    const opened = await Promise.all([open(), open(), open()]);
    for (const [i, store] of opened.entries()) await put(store, `m${i}`);
    for (const store of opened) expect(await idsIn(store)).toEqual(["m0", "m1", "m2"]);
  });

  it("a start completes the creation of tables that a crash has interrupted", async () => {
    await postgres.dropTables();
    await put(await open(), "m1");
    for (const name of ["begin_group", "find_records", "delete_records", "write_group"])
      await postgres.query(`drop function vademecum.vm_${name}`);
    await postgres.query("update vademecum.vm_meta set format = 0");
    const store = await open();
    await put(store, "m2");
    expect(await idsIn(store)).toEqual(["m1", "m2"]);
  });

  it.each([tableFormat - 1, tableFormat + 1])("tables in format %s are refused", async (format) => {
    await open();
    await postgres.query("update vademecum.vm_meta set format = $1", [format]);
    try {
      await expect(postgres.openStore()).rejects.toMatchObject({
        code: "FAILED_PRECONDITION",
        reason: "UNSUPPORTED_FORMAT",
        message: expect.stringContaining(
          `the tables in PostgreSQL are in format ${format}, and this version reads format ${tableFormat}; `,
        ) as unknown,
      });
    } finally {
      await postgres.query("update vademecum.vm_meta set format = $1", [tableFormat]);
    }
  });

  it("a PostgreSQL that could lose acknowledged commits in a power cut is refused", async () => {
    await open();
    await postgres.query("alter system set synchronous_commit = off");
    await postgres.query("select pg_reload_conf()");
    try {
      await expect(postgres.openStore()).rejects.toMatchObject({
        reason: "POSTGRES_NOT_USABLE",
        message: expect.stringContaining("synchronous_commit = off") as unknown,
      });
    } finally {
      await postgres.query("alter system reset synchronous_commit");
      await postgres.query("select pg_reload_conf()");
    }
  });

  it("the error for a missing database has its name and no password", async () => {
    const [target] = postgres.targets;
    const missing = { ...target, database: "missing", password: "secret" } as typeof postgres.owner;
    const refused = postgres.openStore({ targets: [missing], owner: undefined });
    await expect(refused).rejects.toMatchObject({ reason: "POSTGRES_NOT_USABLE" });
    await expect(refused).rejects.toThrow(/database 'missing'/);
    await expect(refused).rejects.not.toThrow(/secret/);
  });

  it("the error for a role that may not log in names this role, not the owner", async () => {
    const targets = postgres.targets.map((target) => ({ ...target, user: "missing" }));
    const refused = postgres.openStore({ targets });
    await expect(refused).rejects.toMatchObject({ reason: "POSTGRES_NOT_USABLE" });
    await expect(refused).rejects.toThrow(/ as 'missing': .*"missing"/);
  });

  it("the error for one of several servers names the server that has failed", async () => {
    const [target] = postgres.targets;
    const away = { ...target, port: 1 } as typeof postgres.owner;
    const missing = { ...target, database: "missing" } as typeof postgres.owner;
    await expect(postgres.openStore({ targets: [away, missing] })).rejects.toThrow(
      `database 'missing' on ${missing.host}:${missing.port} `,
    );
  });

  it("the error for a role that may not create tables names --postgres-owner-url", async () => {
    await postgres.dropTables();
    await postgres.query(
      "do $$ begin create role vm_weak login; exception when duplicate_object then null; end $$",
    );
    const [target] = postgres.targets;
    const weak = { ...target, user: "vm_weak" } as typeof postgres.owner;
    await expect(postgres.openStore({ targets: [weak], owner: undefined })).rejects.toThrow(
      "--postgres-owner-url",
    );
  });
});

describe("damage", () => {
  it("a damaged record is never served: reads and transactions fail with DATA_LOSS", async () => {
    const store = await open();
    await put(store, "m1");
    await put(store, "m2");
    await postgres.query(
      "update vademecum.vm_record set value = set_byte(value, 8, get_byte(value, 8) # 1) where key = 'm2'",
    );
    const damaged = { code: "DATA_LOSS", reason: "DAMAGED_RECORD" };
    await expect(idsIn(store)).rejects.toMatchObject(damaged);
    await expect(store.update(kim, (tx) => tx.get("memories", notes, "m2"))).rejects.toMatchObject(
      damaged,
    );
    await using snapshot = await store.snapshot(kim);
    await expect(snapshot.get("memories", notes, "m2")).rejects.toMatchObject(damaged);
    expect((await snapshot.get("memories", notes, "m1"))?.id).toBe("m1");
  });

  it("a read fails with DATA_LOSS if a record is missing or under another key", async () => {
    const store = await open();
    for (const id of ["m1", "m2", "m3"]) await put(store, id);
    await postgres.query("update vademecum.vm_record set key = 'm4' where key = 'm3'");
    await expect(idsIn(store)).rejects.toMatchObject({ reason: "DAMAGED_RECORD" });
    await postgres.query("delete from vademecum.vm_record where key = 'm4'");
    await expect(idsIn(store)).rejects.toThrow("2 instead of 3");
  });

  it("a read of a damaged change log fails with DATA_LOSS", async () => {
    const store = await open();
    await put(store, "m1");
    await postgres.query("update vademecum.vm_change set body = set_byte(body, 2, 77)");
    await using snapshot = await store.snapshot(kim);
    await expect(store.changes(snapshot, 0)).rejects.toMatchObject({ reason: "DAMAGED_RECORD" });
  });
});

describe("sessions that PostgreSQL ends", () => {
  it("ended sessions fail no call: transactions and reads continue with new sessions", async () => {
    const store = await open();
    await put(store, "m1");
    await postgres.endSessions();
    expect((await put(store, "m2")).head.seq).toBe(2);
    await postgres.endSessions();
    expect(await store.head(kim)).toMatchObject({ seq: 2 });
    await postgres.endSessions();
    expect(await idsIn(store)).toEqual(["m1", "m2"]);
  });

  it("a transaction whose session ends runs again, and its changes are stored once", async () => {
    const store = await open();
    let runs = 0;
    const { head } = await store.update(kim, async (tx) => {
      if (runs++ === 0) await postgres.endSessions();
      const found = await tx.get("memories", notes, "m1");
      tx.put("memories", notes, "m1", sampleMemory("m1", `${found?.content ?? "no"} more`));
    });
    expect({ runs, seq: head.seq }).toEqual({ runs: 2, seq: 1 });
    await using snapshot = await store.snapshot(kim);
    expect((await snapshot.get("memories", notes, "m1"))?.content).toBe("no more");
  });

  it("a snapshot whose session ends reads on, at the same state", async () => {
    const store = await open();
    await put(store, "m1");
    await put(store, "m2");
    await using snapshot = await store.snapshot(kim);
    expect((await snapshot.get("memories", notes, "m1"))?.id).toBe("m1");
    await postgres.endSessions();
    const found = await Promise.all([
      snapshot.get("memories", notes, "m1"),
      snapshot.get("memories", notes, "m2"),
      snapshot.count("memories", notes),
    ]);
    expect(found).toMatchObject([{ id: "m1" }, { id: "m2" }, 2]);
    await postgres.endSessions();
    expect(await store.changes(snapshot, 0)).toHaveLength(2);
  });

  it("a snapshot whose session ends is not read at a later state", async () => {
    const store = await open();
    await put(store, "m1");
    {
      await using snapshot = await store.snapshot(kim);
      await postgres.endSessions();
      await put(store, "m2");
      await expect(snapshot.get("memories", notes, "m1")).rejects.toMatchObject({
        code: "UNAVAILABLE",
        reason: "STORE_UNAVAILABLE",
      });
    }
    expect(await idsIn(store)).toEqual(["m1", "m2"]);
  });
});

describe("several servers", () => {
  it("several servers see each other's commits immediately, and number them without a gap", async () => {
    const [one, two] = [await open(), await open()];
    const seqs: number[] = [];
    for (let i = 0; i < 10; i++) {
      const writer = i % 2 === 0 ? one : two;
      const { head } = await put(writer, `m${i}`);
      seqs.push(head.seq);
      expect(await (i % 2 === 0 ? two : one).head(kim)).toEqual(head);
    }
    expect(seqs).toEqual(Array.from({ length: 10 }, (_, i) => i + 1));
    expect(await idsIn(one)).toEqual(await idsIn(two));
  });

  it("servers that write to one user at the same time lose nothing", async () => {
    const servers = [await open(), await open(), await open()];
    await Promise.all(
      servers.flatMap((store) =>
        Array.from({ length: 50 }, () =>
          store.update(kim, async (tx) => {
            const count = Number((await tx.get("replyExpiries", kim, "n")) ?? "0") + 1;
            tx.put("replyExpiries", kim, "n", String(count));
          }),
        ),
      ),
    );
    await using snapshot = await (servers[0] as Store).snapshot(kim);
    expect(await snapshot.get("replyExpiries", kim, "n")).toBe("150");
    expect(snapshot.head.seq).toBe(150);
  });

  it("a namespace that one server clears is empty for all servers, and its records leave the tables", async () => {
    const [one, two] = [await open(), await open()];
    await put(one, "m1");
    await put(two, "m2");
    await one.update(kim, async (tx) => tx.clear(notes));
    await put(two, "m3");
    expect(await idsIn(one)).toEqual(["m3"]);
    await one.compact();
    const [left] = await postgres.query("select count(*)::int as n from vademecum.vm_record");
    expect(left).toEqual({ n: 1 });
    expect(await postgres.query("select * from vademecum.vm_sweep")).toEqual([]);
  });
});

describe("the commits of this server", () => {
  it("a server remembers its commits with their values until another server commits", async () => {
    const [one, two] = [await open(), await open()];
    const { head: first } = await put(one, "m1");
    const { head: second } = await put(one, "m2");
    const recent = one.recent?.(kim, first.seq, second);
    expect(recent?.changes.map(({ seq }) => seq)).toEqual([2]);
    expect(recent?.get("memories", notes, "m2")).toEqual({ value: sampleMemory("m2", "m2") });
    expect(recent?.get("memories", notes, "m1")).toBe("unknown");
    const { head: third } = await put(two, "m3");
    expect(one.recent?.(kim, second.seq, third)).toBeUndefined();
  });
});

describe("a commit number that has gone back", () => {
  it("a user whose commit number has gone back is logged once", async () => {
    const lines: string[] = [];
    const log: Log = (_, message) => lines.push(message);
    const store = await open({ log });
    await put(store, "m1");
    await put(store, "m2");
    await postgres.query("update vademecum.vm_scope set seq = 1");
    expect(await store.head(kim)).toMatchObject({ seq: 1 });
    expect(lines.filter((line) => line.startsWith("heads_gone_back"))).toHaveLength(1);
    await store.head(kim);
    expect(lines.filter((line) => line.startsWith("heads_gone_back"))).toHaveLength(1);
  });
});

it("a store works if PostgreSQL does not report its timeline", async () => {
  await open();
  await postgres.query("revoke execute on function pg_walfile_name from public");
  try {
    const store = await open();
    const { head } = await put(store, "m1");
    expect(head.timeline).toBeUndefined();
    expect(await store.head(kim)).toEqual(head);
    expect(await idsIn(store)).toEqual(["m1"]);
  } finally {
    await postgres.query("grant execute on function pg_walfile_name to public");
  }
});

describe("a job", () => {
  const reindex = { userId: "kim", agentId: "notes" };

  it.each(["pruning", { reindex }] as const)(
    "the job %j runs on one server at a time",
    async (job) => {
      const [one, two] = [await open(), await open()];
      {
        await using lock = await one.tryLock?.(job);
        expect(lock).toBeDefined();
        expect(await two.tryLock?.(job)).toBeUndefined();
      }
      await using lock = await two.tryLock?.(job);
      expect(lock).toBeDefined();
    },
  );

  it("after pruning has ended, no server prunes again for most of a day", async () => {
    const machineClock = { nowMs: () => Date.now() };
    const [one, two] = [await open({ machineClock }), await open({ machineClock })];
    {
      await using lock = await one.tryLock?.("pruning");
      await lock?.noteEnd?.();
    }
    for (const store of [one, two]) expect(await store.tryLock?.("pruning")).toBeUndefined();
    await postgres.query("update vademecum.vm_meta set pruned = now() - interval '1 day'");
    await using lock = await two.tryLock?.("pruning");
    expect(lock).toBeDefined();
  });

  it("two servers may reindex two namespaces at the same time", async () => {
    const [one, two] = [await open(), await open()];
    const others = [
      { ...reindex, agentId: "other" },
      { ...reindex, tenant: "acme" },
    ];
    await using lock = await one.tryLock?.({ reindex });
    expect(lock).toBeDefined();
    for (const other of others) {
      await using otherLock = await two.tryLock?.({ reindex: other });
      expect(otherLock).toBeDefined();
    }
  });
});

// Only a PostgreSQL that this test file has started can be stopped.
describe.skipIf(env["VADEMECUM_TEST_POSTGRES"])("while PostgreSQL is away", () => {
  it("a job that one server does for all servers fails with UNAVAILABLE while PostgreSQL is away", async () => {
    const store = await open();
    await postgres.stop();
    try {
      await expect(store.tryLock?.("pruning")).rejects.toMatchObject({
        code: "UNAVAILABLE",
        reason: "STORE_UNAVAILABLE",
      });
    } finally {
      await postgres.start();
    }
  });
});

describe("a new epoch", () => {
  it("a new epoch is refused while servers use the database, and otherwise covers all scopes", async () => {
    const before = await postgres.openStore();
    const { head } = await put(before, "m1");
    await expect(renewEpoch(postgres.owner)).rejects.toMatchObject({
      reason: "POSTGRES_NOT_USABLE",
    });
    await before.close();
    await renewEpoch(postgres.owner);
    const after = await open();
    const renewed = await after.head(kim);
    expect(renewed.seq).toBe(head.seq);
    expect(renewed.epoch).not.toBe(head.epoch);
    expect((await after.head(userScope("nobody"))).epoch).toBe(renewed.epoch);
  });
});

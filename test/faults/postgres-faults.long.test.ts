import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chmod, chown, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, onTestFinished } from "vitest";
import { namespaceIn, userScope } from "../../src/core/model/namespace.js";
import type { PostgresStore } from "../../src/store/postgres/postgres-store.js";
import { sampleMemory } from "../contract/sample-records.js";
import { openBreakableNetwork } from "../fixtures/breakable-network.js";
import { startPostgres, type TestPostgres } from "../fixtures/postgres.js";
import { type CompiledChildren, compileChildren, runToEnd } from "./child-process.js";

const kim = userScope("kim");
const notes = namespaceIn({ kind: "user", userId: "kim" }, "notes");
const unavailable = { code: "UNAVAILABLE", reason: "STORE_UNAVAILABLE" };
const full = { code: "RESOURCE_EXHAUSTED", reason: "DISK_FULL" };

let postgres: TestPostgres;
let children: CompiledChildren;
const stores: PostgresStore[] = [];

beforeAll(async () => {
  postgres = await startPostgres();
  children = await compileChildren();
});
afterAll(async () => {
  await children.remove();
  await postgres.close();
});
beforeEach(() => postgres.empty());
afterEach(async () => {
  for (const store of stores.splice(0)) await store.close();
});

async function open(...options: Parameters<TestPostgres["openStore"]>): Promise<PostgresStore> {
  const store = await postgres.openStore(...options);
  stores.push(store);
  return store;
}

const put = (store: PostgresStore, key: string, userId = "kim") =>
  store.update(userScope(userId), async (tx) => {
    tx.put("replyExpiries", userScope(userId), key, "value");
  });

const keysIn = async (store: PostgresStore, userId = "kim") => {
  await using snapshot = await store.snapshot(userScope(userId));
  const keys: string[] = [];
  for await (const [key] of snapshot.scan("replyExpiries", userScope(userId))) keys.push(key);
  return keys;
};

it("a frozen server that has locked a user delays only writes of this user, and only for seconds", async () => {
  const store = await open();
  await put(store, "before");
  const child = children.spawn("postgres-freezer", [postgres.ownerUrl, "kim"]);
  onTestFinished(() => void child.kill("SIGKILL"));
  const ended = runToEnd(child);
  await new Promise((resolve) => child.stdout?.once("data", resolve));
  const order: string[] = [];
  const waiting = put(store, "waited").then(() => order.push("kim"));
  await put(store, "free", "lee").then(() => order.push("lee"));
  await waiting;
  expect(order).toEqual(["lee", "kim"]);
  child.kill("SIGCONT");
  expect((await ended).output).toBe("locked\ncommitted 3\n");
  expect(await keysIn(store)).toEqual(["before", "frozen", "waited"]);
});

it("a server without its PostgreSQL refuses calls, reports the failure, and serves again later", async () => {
  const [target] = postgres.targets;
  if (target === undefined) throw new Error("there is no target");
  const network = await openBreakableNetwork(target.port);
  onTestFinished(() => network.close());
  const events: string[] = [];
  let onRecovered: () => void = () => undefined;
  const recovered = new Promise<void>((resolve) => {
    onRecovered = resolve;
  });
  const store = await open({
    targets: [{ ...target, host: "127.0.0.1", port: network.port }],
    onFailure: () => events.push("failed"),
    onRecovered: () => {
      events.push("recovered");
      onRecovered();
    },
  });
  await put(store, "before");
  network.cut();
  const calls = await Promise.allSettled([
    put(store, "lost"),
    store.head(kim),
    store.snapshot(kim),
  ]);
  for (const call of calls) expect(call).toMatchObject({ status: "rejected", reason: unavailable });
  expect(events).toEqual(["failed"]);
  // Later calls are refused at once, without an attempt to connect.
  for (const call of [put(store, "lost"), store.head(kim), store.snapshot(kim)]) {
    const turn = new Promise((resolve) => setImmediate(resolve, "waits"));
    const end = call.then(
      () => "succeeds",
      (error: unknown) => error,
    );
    expect(await Promise.race([end, turn])).toMatchObject(unavailable);
  }
  network.mend();
  await recovered;
  await put(store, "after");
  expect(await keysIn(store)).toEqual(["after", "before"]);
});

it("a store sends no read and no write to a PostgreSQL standby", async () => {
  let onRecovered: () => void = () => undefined;
  const recovered = new Promise<void>((resolve) => {
    onRecovered = resolve;
  });
  const store = await open({ onRecovered: () => onRecovered() });
  await put(store, "before");
  await postgres.restart("standby");
  const calls = await Promise.allSettled([
    put(store, "lost"),
    store.head(kim),
    store.snapshot(kim),
    postgres.openStore(),
  ]);
  for (const call of calls) expect(call).toMatchObject({ status: "rejected", reason: unavailable });
  await postgres.restart("primary");
  await recovered;
  await put(store, "after");
  expect(await keysIn(store)).toEqual(["after", "before"]);
});

it("while the disk of PostgreSQL is full, a write is refused completely, and reads continue", async (context) => {
  const store = await open();
  await put(store, "before");
  const folder = await mkdtemp(join(tmpdir(), "vademecum-full-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const disk = await mountSmallDisk(folder);
  if (disk === undefined) return context.skip("this machine does not allow to mount a tmpfs");
  onTestFinished(async () => {
    await postgres.dropTables();
    await postgres.query("drop tablespace small");
    execFileSync("umount", [disk]);
  });
  await postgres.query(`create tablespace small location '${disk}/space'`);
  await postgres.query("alter table vademecum.vm_record set tablespace small");
  const add = (id: string) =>
    store.update(kim, async (tx) => {
      const content = randomBytes(48 * 1024).toString("base64");
      tx.put("memories", notes, id, sampleMemory(id, content));
      tx.put("timeline", notes, id, null);
    });
  let added = 0;
  let refusal: unknown;
  while (refusal === undefined)
    refusal = await add(`${added}`).then(
      () => void added++,
      (error: unknown) => error,
    );
  expect(refusal).toMatchObject(full);
  const counts = async (): Promise<readonly number[]> => {
    await using snapshot = await store.snapshot(kim);
    let found = 0;
    for await (const _ of snapshot.scan("memories", notes)) found++;
    return [
      found,
      await snapshot.count("memories", notes),
      await snapshot.count("timeline", notes),
    ];
  };
  expect(await counts()).toEqual([added, added, added]);
  expect((await store.head(kim)).seq).toBe(added + 1);
  execFileSync("mount", ["-o", "remount,size=64m", disk]);
  await add("after");
  expect(await counts()).toEqual([added + 1, added + 1, added + 1]);
});

/** Mounts a small disk with a folder for PostgreSQL. Returns `undefined` if mounting fails. */
async function mountSmallDisk(folder: string): Promise<string | undefined> {
  const disk = join(folder, "disk");
  await chmod(folder, 0o755);
  await mkdir(disk);
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=8m", "tmpfs", disk], { stdio: "ignore" });
  } catch {
    return undefined;
  }
  const space = join(disk, "space");
  await mkdir(space);
  await chown(space, 65_534, 65_534);
  return disk;
}

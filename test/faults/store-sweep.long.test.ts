import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import type { Namespace, Scope } from "../../src/core/model/namespace.js";
import type { Store } from "../../src/core/ports/store.js";
import { seal } from "../../src/store/codec/envelope.js";
import { type Database, openDatabase, scanChunks } from "../../src/store/level/folder/database.js";
import {
  type recordRange,
  scopePart,
  sweepKey,
  sweepRange,
} from "../../src/store/level/format/keys.js";
import { verifyFolder } from "../../src/store/level/recovery/verify-folder.js";
import { createTestFolder, openTestStore } from "../store/level/level-folder.js";
import { createFailingPlatform, type Failures } from "./failing-platform.js";
import { createSignal } from "./signal.js";

const kim: Scope = { kind: "user", userId: "kim" };
const notes: Namespace = { userId: "kim", agentId: "notes" };
const tasks: Namespace = { userId: "kim", agentId: "tasks" };
const recordCount = 5000;

async function countEntries(database: Database, range: typeof recordRange): Promise<number> {
  let count = 0;
  for await (const entries of scanChunks(database, range)) count += entries.length;
  return count;
}

/** Waits until no cleared records are left on disk. */
async function waitUntilSwept(databases: readonly Database[]): Promise<void> {
  await vi.waitFor(async () => {
    const database = databases.at(-1);
    expect(database === undefined ? undefined : await countEntries(database, sweepRange)).toBe(0);
  }, 120_000);
}

async function fillAndClear(store: Store): Promise<void> {
  await store.update(kim, async (tx) => {
    for (const namespace of [notes, tasks]) {
      for (let index = 0; index < recordCount; index++)
        tx.put("timeline", namespace, String(index), null);
    }
  });
  await store.update(kim, async (tx) => tx.clear(notes));
}

it("the sweeper removes cleared records from disk, and nothing else", async () => {
  const folder = await createTestFolder(onTestFinished);
  const databases: Database[] = [];
  const store = await openTestStore(folder, {}, createFailingPlatform({}, databases));
  await fillAndClear(store);
  await waitUntilSwept(databases);
  await store.close();
  expect(await verifyFolder(folder)).toEqual({ findings: [], namespaces: 1, records: recordCount });
});

it("the sweeper continues after a failed write and after a restart", async () => {
  const folder = await createTestFolder(onTestFinished);
  const failures: Failures = {};
  const recovered = createSignal();
  const store = await openTestStore(
    folder,
    { onRecovered: recovered.give },
    createFailingPlatform(failures),
  );
  let writes = 0;
  failures.write = async (writeBatch) => {
    // The first two writes are the transactions, the third is a chunk of the sweep.
    if (++writes === 4) throw new Error("no space left");
    await writeBatch();
  };
  await fillAndClear(store);
  await recovered.promise;
  await store.close();
  const { records, findings } = await verifyFolder(folder);
  expect(findings).toEqual([]);
  expect(records).toBeLessThan(2 * recordCount);
  const databases: Database[] = [];
  const reopened = await openTestStore(folder, {}, createFailingPlatform({}, databases));
  await waitUntilSwept(databases);
  await reopened.close();
  expect(await verifyFolder(folder)).toEqual({ findings: [], namespaces: 1, records: recordCount });
});

it("the sweeper removes no record because of a damaged note, and verify names the note", async () => {
  const folder = await createTestFolder(onTestFinished);
  const store = await openTestStore(folder);
  await store.update(kim, async (tx) => {
    for (const namespace of [notes, tasks]) tx.put("timeline", namespace, "key", null);
  });
  await store.close();
  const closed = await openDatabase(join(folder, "records"), { createIfMissing: false });
  const note = (place: number) => sweepKey(scopePart(kim), "notes", place);
  await closed.put(note(0), seal(note(1), new Uint8Array(0)));
  await closed.close();
  const databases: Database[] = [];
  const reopened = await openTestStore(folder, {}, createFailingPlatform({}, databases));
  // The sweeper comes to the damaged note before the note on this namespace.
  await reopened.update(kim, async (tx) => tx.clear(tasks));
  await vi.waitFor(async () => {
    expect(await countEntries(databases.at(-1) as Database, sweepRange)).toBe(1);
  }, 120_000);
  await reopened.close();
  const { findings, records } = await verifyFolder(folder);
  expect(records).toBe(1);
  expect(findings.map(({ what }) => what)).toEqual(["is damaged: wrong key or checksum"]);
});

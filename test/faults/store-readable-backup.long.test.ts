import { readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, expect, it, onTestFinished } from "vitest";
import type { Store } from "../../src/core/ports/store.js";
import { seal, unseal } from "../../src/store/codec/envelope.js";
import { type Database, openDatabase } from "../../src/store/level/folder/database.js";
import {
  namespaceTableRange,
  recordKey,
  scopeHeadKey,
  scopePart,
  sweepKey,
} from "../../src/store/level/format/keys.js";
import { withReadableFolder } from "../../src/store/level/readable-folder.js";
import { verifyFolder } from "../../src/store/level/recovery/verify-folder.js";
import { createTestFolder, fixedClock, openTestStore } from "../store/level/level-folder.js";
import { outcomeOf } from "./children/outcome.js";
import {
  plannedState,
  readState,
  userScope,
  users,
  wasWritten,
  writeNext,
} from "./children/plan.js";
import { smallBuffers } from "./children/small-buffers.js";
import {
  cutTail,
  fillFolder,
  flipByte,
  markUnclean,
  recordFile,
  recordTables,
} from "./damaged-folder.js";
import { rescueFolder } from "./rescue.js";

const commits = 60;

let folder: string;
let restored: string;

beforeEach(async () => {
  folder = await createTestFolder(onTestFinished);
  restored = `${folder}-restored`;
});

async function epochOf(store: Store): Promise<string> {
  await using snapshot = await store.snapshot({ kind: "server" });
  return snapshot.head.epoch;
}

/**
 * Restores the readable records of the damaged folder into a new one. Expects that the backup lists
 * damage and leaves the damaged folder as it is, and that the new folder is sound and accepts
 * writes.
 */
async function rescue(): Promise<void> {
  expect(await outcomeOf(folder, commits)).toBe("refused");
  const before = await contentOf(folder);
  const { findings } = await rescueFolder(folder, restored);
  expect(findings).not.toEqual([]);
  expect(await contentOf(folder)).toEqual(before);
  expect((await verifyFolder(restored)).findings).toEqual([]);
  const store = await openTestStore(restored);
  for (const userId of users) {
    const { head } = await store.update(userScope(userId), async (tx) =>
      tx.put("timeline", { userId, agentId: "new" }, "k", null),
    );
    expect(head.seq).toBeGreaterThan(0);
  }
  await store.close();
  expect(await outcomeOf(folder, commits)).toBe("refused");
}

/** Changes the records of the closed folder, below the store. */
async function changeRecords(change: (database: Database) => Promise<void>): Promise<void> {
  const database = await openDatabase(join(folder, "records"), { createIfMissing: false });
  await change(database);
  await database.close();
}

/** Returns the files of a folder, except those of the lock, with their bytes. */
async function contentOf(path: string): Promise<ReadonlyMap<string, Buffer>> {
  const content = new Map<string, Buffer>();
  for (const entry of await readdir(path, { recursive: true, withFileTypes: true })) {
    const file = join(entry.parentPath, entry.name);
    if (entry.isFile() && !file.includes("lock") && !file.includes("LOCK"))
      content.set(file, await readFile(file));
  }
  return content;
}

/** Expects that each memory has a content that was once written. Returns the number of memories. */
async function expectNothingInvented(): Promise<number> {
  const store = await openTestStore(restored);
  let memories = 0;
  for await (const namespace of store.namespaces()) {
    await using snapshot = await store.snapshot(userScope(namespace.userId));
    for await (const [id, { content }] of snapshot.scan("memories", namespace)) {
      expect(wasWritten(namespace.userId, id, content, commits)).toBe(true);
      memories++;
    }
  }
  await store.close();
  return memories;
}

async function expectAllSaved(): Promise<void> {
  const store = await openTestStore(restored);
  for (const userId of users) {
    await using snapshot = await store.snapshot(userScope(userId));
    const { x, y } = plannedState(userId, commits);
    for (const [agentId, expected] of Object.entries({ x, y })) {
      const contents: Record<string, string> = {};
      for await (const [id, { content }] of snapshot.scan("memories", { userId, agentId }))
        contents[id] = content;
      expect(contents).toEqual(expected);
    }
  }
  await store.close();
}

it.each([
  ["CURRENT is gone", async () => rm(await recordFile(folder, /^CURRENT$/))],
  ["the manifest is damaged", async () => flipByte(await recordFile(folder, /^MANIFEST-/), 20)],
  ["the manifest is cut short", async () => cutTail(await recordFile(folder, /^MANIFEST-/), 30)],
  ["the mark file is gone", () => rm(join(folder, "high-water-mark"))],
])("a readable-only backup has everything when %s", async (_, damage) => {
  await fillFolder(folder, commits, smallBuffers);
  expect(await outcomeOf(folder, commits, smallBuffers)).toBe("intact");
  await damage();
  await rescue();
  await expectAllSaved();
});

it.each([
  [
    "a byte of the log is flipped",
    async () => flipByte(await recordFile(folder, /\.log$/), 30_000),
  ],
  [
    "the end of the log is cut off",
    async () => cutTail(await recordFile(folder, /\.log$/), 30_000),
  ],
])("a readable-only backup has the readable records when %s", async (_, damage) => {
  await fillFolder(folder, commits);
  await damage();
  await rescue();
  expect(await expectNothingInvented()).toBeGreaterThan(0);
});

it("a readable-only backup has the undamaged blocks of a damaged table", async () => {
  await fillFolder(folder, commits, smallBuffers);
  expect(await outcomeOf(folder, commits, smallBuffers)).toBe("intact");
  for (const table of await recordTables(folder))
    await flipByte(table, Math.floor((await stat(table)).size / 2));
  await markUnclean(folder);
  await rescue();
  expect(await expectNothingInvented()).toBeGreaterThan(0);
});

it("a readable-only backup is empty when nothing is left", async () => {
  await fillFolder(folder, commits);
  await rm(join(folder, "records"), { recursive: true });
  await rescue();
  expect(await expectNothingInvented()).toBe(0);
});

it("a readable-only backup of a folder without damage has everything and lists nothing", async () => {
  await fillFolder(folder, commits);
  const { findings } = await rescueFolder(folder, restored);
  expect(findings).toEqual([]);
  expect(await outcomeOf(restored, commits)).toBe("intact");
});

it("a readable-only backup continues the commit sequence of every scope in a new epoch", async () => {
  await fillFolder(folder, commits);
  const before = await openTestStore(folder);
  const epoch = await epochOf(before);
  await before.close();
  await rm(await recordFile(folder, /^CURRENT$/));
  await rescueFolder(folder, restored);
  const store = await openTestStore(restored);
  expect(await epochOf(store)).not.toBe(epoch);
  for (const userId of users) {
    const { head } = await store.update(userScope(userId), (tx) => writeNext(tx, userId));
    expect(head.seq).toBe(commits + 1);
    await using snapshot = await store.snapshot(userScope(userId));
    expect(await readState(snapshot, userId)).toEqual(plannedState(userId, commits + 1));
    expect(await store.changes(snapshot, commits - 1)).toBeUndefined();
  }
  await store.close();
});

it("the scopes of a readable-only backup have an epoch that no store has used", async () => {
  await fillFolder(folder, commits);
  const store = await openTestStore(folder);
  const epoch = await epochOf(store);
  await store.close();
  await withReadableFolder({ folder, tenant: undefined, clock: fixedClock }, async ({ source }) => {
    for await (const { head } of source.scopeStates()) {
      expect(head.epoch).not.toBe(epoch);
      expect(head.seq).toBe(commits);
    }
  });
});

it("a readable-only backup keeps the records of a scope whose head is lost, and says so", async () => {
  await fillFolder(folder, commits);
  const [userId = "", ...others] = users;
  await changeRecords((database) => database.del(scopeHeadKey(scopePart(userScope(userId)))));
  expect(await outcomeOf(folder, commits)).toBe("refused");
  const { findings } = await rescueFolder(folder, restored);
  expect(findings.map(({ where }) => where)).toContain(`user ${JSON.stringify(userId)}`);
  const store = await openTestStore(restored);
  for (const each of [userId, ...others]) {
    await using snapshot = await store.snapshot(userScope(each));
    expect(await readState(snapshot, each)).toEqual(plannedState(each, commits));
  }
  await store.close();
});

it("a readable-only backup leaves out cleared records that are not removed yet", async () => {
  const namespace = { userId: "kim", agentId: "notes" };
  const kim = userScope("kim");
  const store = await openTestStore(folder);
  await store.update(kim, async (tx) => tx.put("timeline", namespace, "cleared", null));
  await store.close();
  const scope = scopePart(kim);
  const keyIn = (place: number, key: string) =>
    recordKey(namespaceTableRange(scope, "notes", place, "timeline"), key);
  await changeRecords(async (database) => {
    const cleared = keyIn(0, "cleared");
    const payload = unseal(cleared, (await database.get(cleared)) ?? Buffer.alloc(0));
    const note = sweepKey(scope, "notes", 0);
    await database.put(note, seal(note, new Uint8Array(0)));
    const kept = keyIn(1, "kept");
    await database.put(kept, seal(kept, payload ?? new Uint8Array(0)));
  });
  await rescueFolder(folder, restored);
  const rescued = await openTestStore(restored);
  const keys: string[] = [];
  await using snapshot = await rescued.snapshot(kim);
  for await (const [key] of snapshot.scan("timeline", namespace)) keys.push(key);
  expect(keys).toEqual(["kept"]);
  await rescued.close();
});

it("a readable-only backup keeps records that a damaged note says to remove", async () => {
  const kim = userScope("kim");
  const store = await openTestStore(folder);
  await store.update(kim, async (tx) => tx.put("pendingProposals", kim, "p", null));
  await store.close();
  const note = (place: number) => sweepKey(scopePart(kim), undefined, place);
  await changeRecords(async (database) => {
    await database.put(note(0), seal(note(1), new Uint8Array(0)));
  });
  const { findings } = await rescueFolder(folder, restored);
  expect(findings).toMatchObject([{ what: "is damaged: wrong key or checksum" }]);
  const rescued = await openTestStore(restored);
  await using snapshot = await rescued.snapshot(kim);
  expect(await snapshot.count("pendingProposals", kim)).toBe(1);
  await rescued.close();
});

it("a readable-only backup has the data of one tenant and names the others", async () => {
  const store = await openTestStore(folder);
  for (const tenant of [undefined, "acme", "globex"]) {
    const of = tenant === undefined ? {} : { tenant };
    await store.update({ kind: "user", userId: "kim", ...of }, async (tx) =>
      tx.put("timeline", { userId: "kim", agentId: "notes", ...of }, tenant ?? "none", null),
    );
  }
  await store.close();
  expect((await rescueFolder(folder, restored)).otherTenants).toEqual(["acme", "globex"]);
  expect((await rescueFolder(folder, restored, "acme")).otherTenants).toEqual([
    undefined,
    "globex",
  ]);
  const both = await openTestStore(restored);
  const scopes: unknown[] = [];
  for await (const { scope } of both.scopeStates()) scopes.push(scope);
  await both.close();
  expect(scopes).toEqual([
    { kind: "user", userId: "kim" },
    { kind: "user", userId: "kim", tenant: "acme" },
  ]);
});

it("a folder with a part of a backup has no readable-only backup", async () => {
  await fillFolder(folder, 1);
  await writeFile(join(folder, "RESTORING"), "{}");
  await expect(rescueFolder(folder, restored)).rejects.toMatchObject({
    reason: "RESTORE_UNFINISHED",
  });
});

import { readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, expect, it, onTestFinished } from "vitest";
import type { Store } from "../../src/core/ports/store.js";
import { verifyFolder } from "../../src/store/level/recovery/verify-folder.js";
import { createTestFolder, openTestStore, testPlatform } from "../store/level/level-folder.js";
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

const commits = 60;

let folder: string;

beforeEach(async () => {
  folder = await createTestFolder(onTestFinished);
});

async function epochOf(store: Store): Promise<string> {
  await using snapshot = await store.snapshot({ kind: "server" });
  return snapshot.head.epoch;
}

/**
 * Accepts the loss. Expects a complete store that accepts writes, has no damage and has recorded
 * the loss.
 */
async function acceptLoss(): Promise<void> {
  expect(await outcomeOf(folder, commits)).toBe("refused");
  const store = await openTestStore(folder, { acceptDataLoss: true });
  for (const userId of users) {
    const { head } = await store.update(userScope(userId), async (tx) =>
      tx.put("timeline", { userId, agentId: "new" }, "k", null),
    );
    expect(head.seq).toBeGreaterThan(0);
  }
  const epoch = await epochOf(store);
  await store.close();
  expect((await verifyFolder(folder)).findings).toEqual([]);
  const losses = (await readFile(join(folder, "losses.jsonl"), "utf8")).trimEnd().split("\n");
  expect(losses.map((line): unknown => JSON.parse(line))).toEqual([
    expect.objectContaining({ epoch, keptIn: join(folder, `damaged-${epoch}`) }),
  ]);
  const reopened = await openTestStore(folder);
  expect(await epochOf(reopened)).toBe(epoch);
  await reopened.close();
}

/** Expects that each memory has a content that was once written. Returns the number of memories. */
async function expectNothingInvented(): Promise<number> {
  const store = await openTestStore(folder);
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
  const store = await openTestStore(folder);
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
])("accepting a loss saves everything when %s", async (_, damage) => {
  await fillFolder(folder, commits, smallBuffers);
  expect(await outcomeOf(folder, commits, smallBuffers)).toBe("intact");
  await damage();
  await acceptLoss();
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
])("accepting a loss saves the readable records when %s", async (_, damage) => {
  await fillFolder(folder, commits);
  await damage();
  await acceptLoss();
  expect(await expectNothingInvented()).toBeGreaterThan(0);
});

it("accepting a loss saves the undamaged blocks of a damaged table", async () => {
  await fillFolder(folder, commits, smallBuffers);
  expect(await outcomeOf(folder, commits, smallBuffers)).toBe("intact");
  for (const table of await recordTables(folder))
    await flipByte(table, Math.floor((await stat(table)).size / 2));
  await markUnclean(folder);
  await acceptLoss();
  expect(await expectNothingInvented()).toBeGreaterThan(0);
});

it("accepting a loss starts with an empty store when nothing is left", async () => {
  await fillFolder(folder, commits);
  await rm(join(folder, "records"), { recursive: true });
  await acceptLoss();
  expect(await expectNothingInvented()).toBe(0);
});

it("accepting a loss changes nothing in a store without damage", async () => {
  await fillFolder(folder, commits);
  const store = await openTestStore(folder, { acceptDataLoss: true });
  await store.close();
  expect(await outcomeOf(folder, commits)).toBe("intact");
  expect(await readdir(folder)).not.toContain("losses.jsonl");
});

it("accepting a loss completes the work of an earlier process that ended before it had finished", async () => {
  await fillFolder(folder, commits);
  await writeFile(join(folder, "DAMAGE.json"), "{");
  await rename(join(folder, "records"), join(folder, "records.salvaged"));
  await rm(join(folder, "high-water-mark"));
  await acceptLoss();
  await expectAllSaved();
});

it("accepting a loss continues the commit sequence of every scope in a new epoch", async () => {
  await fillFolder(folder, commits);
  const before = await openTestStore(folder);
  const epoch = await epochOf(before);
  await before.close();
  await rm(await recordFile(folder, /^CURRENT$/));
  const store = await openTestStore(folder, { acceptDataLoss: true });
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

it("a store with an accepted loss refuses to open again after new damage", async () => {
  await fillFolder(folder, commits);
  await rm(await recordFile(folder, /^CURRENT$/));
  const store = await openTestStore(folder, { acceptDataLoss: true });
  await store.close();
  await rm(await recordFile(folder, /^CURRENT$/));
  await expect(openTestStore(folder, {}, testPlatform)).rejects.toMatchObject({
    code: "DATA_LOSS",
    reason: "STORE_DAMAGED",
  });
});

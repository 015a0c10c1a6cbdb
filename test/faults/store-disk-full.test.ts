import { stat } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from "vitest";
import type { Namespace, Scope } from "../../src/core/model/namespace.js";
import type { Store } from "../../src/core/ports/store.js";
import { createDiskSpace, type DiskSpaceOptions } from "../../src/store/level/folder/disk-space.js";
import { createTestFolder, openTestStore, testPlatform } from "../store/level/level-folder.js";

const kim: Scope = { kind: "user", userId: "kim" };
const notes: Namespace = { userId: "kim", agentId: "notes" };
const minFreeBytes = 1_000_000;

let free: number;
let store: Store;

beforeEach(async () => {
  // The store measures the disk once a second; the test decides when a second has passed.
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  free = 10 * minFreeBytes;
  store = await openTestStore(
    await createTestFolder(onTestFinished),
    { minFreeBytes },
    { ...testPlatform, freeBytes: async () => free },
  );
  await store.update(kim, async (tx) => {
    tx.put("timeline", notes, "a", null);
    tx.put("timeline", notes, "b", null);
  });
});

afterEach(async () => {
  vi.useRealTimers();
  await store.close();
});

/** Sets the free space and waits until the store has measured it. */
async function setFree(bytes: number): Promise<void> {
  free = bytes;
  vi.advanceTimersByTime(1000);
  await new Promise(setImmediate);
}

it("a store on a nearly full disk accepts deletions and refuses writes that add data", async () => {
  await setFree(minFreeBytes - 1);
  const growing = store.update(kim, async (tx) => tx.put("timeline", notes, "c", null));
  await expect(growing).rejects.toMatchObject({ code: "RESOURCE_EXHAUSTED", reason: "DISK_FULL" });
  await store.update(kim, async (tx) => {
    tx.delete("timeline", notes, "a");
    // A deletion also stores the reply for a repeated call.
    tx.put("replies", kim, "r", { requestDigest: "", reply: null, expireMs: 0 });
  });
  await store.update(kim, async (tx) => tx.clear(notes));
  await using snapshot = await store.snapshot(kim);
  expect(await snapshot.count("timeline", notes)).toBe(0);
});

it("a store on a nearly full disk accepts a write that shortens records, and refuses a write that adds bytes", async () => {
  const run: Scope = { kind: "run", runId: "kim" };
  const put = (value: string, more?: string) =>
    store.update(run, async (tx) => {
      tx.put("keyValues", run, "plan", { value, version: 1, position: "1" });
      if (more !== undefined)
        tx.put("keyValues", run, "more", { value: more, version: 1, position: "2" });
    });
  await put("a long value");
  await setFree(minFreeBytes - 1);
  await put("a value");
  await expect(put("", "another value")).rejects.toMatchObject({ reason: "DISK_FULL" });
  await expect(put("a longer value")).rejects.toMatchObject({ reason: "DISK_FULL" });
});

it("a store on a nearly full disk refuses added data outside namespaces too, such as the keys of a run", async () => {
  const run: Scope = { kind: "run", runId: "kim" };
  const write = (position: string) =>
    store.update(run, async (tx) => {
      tx.put("keyValues", run, "plan", { value: "", version: 1, position });
      tx.put("keyPositions", run, position, "plan");
    });
  await write("1");
  await setFree(minFreeBytes - 1);
  await expect(write("2")).rejects.toMatchObject({
    code: "RESOURCE_EXHAUSTED",
    reason: "DISK_FULL",
  });
  await store.update(run, async (tx) => {
    tx.delete("keyValues", run, "plan");
    tx.delete("keyPositions", run, "1");
  });
});

it("a transaction refused for lack of space writes nothing, and succeeds with more space", async () => {
  await setFree(minFreeBytes - 1);
  const grow = () => store.update(kim, async (tx) => tx.put("timeline", notes, "c", null));
  await expect(grow()).rejects.toMatchObject({ reason: "DISK_FULL" });
  await using snapshot = await store.snapshot(kim);
  expect(await snapshot.count("timeline", notes)).toBe(2);
  expect(snapshot.head.seq).toBe(1);
  await setFree(minFreeBytes);
  expect((await grow()).head.seq).toBe(2);
});

it("the log says when the disk is full, at the start too, and when it has space again", async () => {
  free = minFreeBytes - 1;
  const lines: string[] = [];
  const states: boolean[] = [];
  const opened = await openTestStore(
    await createTestFolder(onTestFinished),
    {
      minFreeBytes,
      log: (level, message) => lines.push(`${level}: ${message}`),
      onFull: (isFull) => states.push(isFull),
    },
    { ...testPlatform, freeBytes: async () => free },
  );
  await setFree(minFreeBytes - 1);
  await setFree(minFreeBytes);
  await setFree(8 * minFreeBytes);
  await setFree(9 * minFreeBytes);
  await opened.close();
  expect(lines).toEqual([
    "warn: little disk space is left; below minFreeBytes, writes are refused",
    "error: the disk is full; writes that add data are refused",
    "info: the disk has space again; writes are accepted",
    "info: enough disk space is left again",
  ]);
  expect(states).toEqual([true, false]);
});

it("on a full disk, a store deletes its reserve file in order to open, and writes the file again later", async () => {
  const reservePath = join(await createTestFolder(onTestFinished), "..", "reserve");
  const options: DiskSpaceOptions = {
    reservePath,
    reserveBytes: 5000,
    minFreeBytes,
    freeBytes: async () => free,
    onFull: () => undefined,
    onError: (error) => expect.unreachable(String(error)),
  };
  const space = createDiskSpace(options);
  await space.watch();
  expect((await stat(reservePath)).size).toBe(5000);
  await space.makeRoomToOpen();
  expect((await stat(reservePath)).size).toBe(5000);
  free = 4999;
  await space.makeRoomToOpen();
  await expect(stat(reservePath)).rejects.toMatchObject({ code: "ENOENT" });
  await space.watch();
  await expect(stat(reservePath)).rejects.toMatchObject({ code: "ENOENT" });
  free = 10 * minFreeBytes;
  await space.watch();
  expect((await stat(reservePath)).size).toBe(5000);
  space.stop();
});

import { expect, type TestAPI } from "vitest";
import { failureOf } from "../harness/failure.js";
import type { RunClient } from "../harness/run-client.js";

/** Creates the client of a new run. */
export type OpenRun = () => RunClient;

/** Cases of keys of runs, for every store and protocol. */
export function keyValueCases(it: TestAPI, openRun: OpenRun): void {
  writingCases(it, openRun);
  listingCases(it, openRun);
  repeatingCases(it, openRun);
}

function writingCases(it: TestAPI, openRun: OpenRun): void {
  it("WriteKey reports whether the key is new, and replaces the value of an existing key", async () => {
    const run = openRun();
    expect(await run.write("task_status", "started")).toBe(true);
    expect(await run.write("task_status", "done")).toBe(false);
    expect(await run.read("task_status")).toBe("done");
    expect(await run.list()).toEqual(["task_status"]);
  });

  it("ReadKey returns exactly the written value, even an empty one, and reports a missing key", async () => {
    const run = openRun();
    const values = ["", "line\r\nline\n", "\0", "🍷 é e\u0301", "x".repeat(65_536)];
    for (const [i, value] of values.entries()) await run.write(`key ${i}`, value);
    for (const [i, value] of values.entries()) expect(await run.read(`key ${i}`)).toBe(value);
    expect(await run.read("key")).toBeUndefined();
  });

  it("WriteKey with expected_version writes only over that version", async () => {
    const run = openRun();
    const { runId, service } = run;
    const write = (value: string, expectedVersion?: bigint) =>
      service.writeKey({
        ...{ runId, key: "plan", value },
        ...(expectedVersion !== undefined && { expectedVersion }),
      });
    expect(await write("one", 0n)).toMatchObject({ created: true, version: 1n });
    expect(await failureOf(write("lost", 0n))).toMatchObject({
      code: "ABORTED",
      reason: "VERSION_MISMATCH",
      fields: ["expected_version"],
    });
    expect(await write("two", 1n)).toMatchObject({ created: false, version: 2n });
    const many = Array.from({ length: 8 }, (_, i) => write(`writer ${i}`, 2n));
    const outcomes = await Promise.allSettled(many);
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(await service.readKey({ runId, key: "plan" })).toMatchObject({ version: 3n });
    expect(await write("any")).toMatchObject({ version: 4n });
    await run.delete("plan");
    expect(await service.readKey({ runId, key: "plan" })).toMatchObject({ version: 0n });
    expect(await write("new", 0n)).toMatchObject({ created: true, version: 1n });
  });

  it("ReadKeys and ListKeys return values with their versions", async () => {
    const run = openRun();
    const { runId, service } = run;
    await run.write("a/1", "one");
    await run.write("b", "other");
    await run.write("a/2", "two");
    await run.write("a/2", "two again");
    const found = await service.readKeys({ runId, keys: ["a/2", "missing", "a/1", "a/2"] });
    expect(found.entries.map(({ key, value, version }) => [key, value, version])).toEqual([
      ["a/2", "two again", 2n],
      ["a/1", "one", 1n],
    ]);
    const listed = await service.listKeys({ runId, prefix: "a/", includeValues: true, limit: 1 });
    expect(listed).toMatchObject({ keys: ["a/1"], entries: [{ key: "a/1", value: "one" }] });
    const pageToken = listed.nextPageToken;
    const next = await service.listKeys({ runId, prefix: "a/", pageToken });
    expect(next).toMatchObject({ keys: ["a/2"], entries: [], nextPageToken: "" });
    const other = service.listKeys({ runId, prefix: "b", pageToken });
    expect(await failureOf(other)).toMatchObject({ reason: "INVALID_PAGE_TOKEN" });
    for (const count of [0, 1_001]) {
      const keys = Array.from({ length: count }, (_, i) => `${i}`);
      const read = service.readKeys({ runId, keys });
      expect(await failureOf(read)).toMatchObject({ fields: ["keys"] });
    }
    const long = "x".repeat(65_536);
    const keys = Array.from({ length: 60 }, (_, i) => `long ${i}`);
    for (const key of keys) await run.write(key, long);
    const part = await service.readKeys({ runId, keys });
    expect(part.entries.length).toBeGreaterThan(40);
    expect(part.unreadKeys).toEqual(keys.slice(part.entries.length));
  });

  it("DeleteKey deletes the key, and reports whether the key existed", async () => {
    const run = openRun();
    await run.write("findings", "pattern X");
    expect(await run.delete("findings")).toBe(true);
    expect(await run.delete("findings")).toBe(false);
    expect(await run.read("findings")).toBeUndefined();
    expect(await run.list()).toEqual([]);
  });

  it("two runs can use the same key, and neither can read or delete the key of the other", async () => {
    const [one, two] = [openRun(), openRun()];
    await one.write("status", "in progress");
    await two.write("status", "complete");
    await two.write("status of two", "");
    expect([await one.read("status"), await two.read("status")]).toEqual([
      "in progress",
      "complete",
    ]);
    expect(await one.list()).toEqual(["status"]);
    expect(await one.search("two")).toEqual([]);
    expect(await one.delete("status of two")).toBe(false);
    expect(await one.delete("status")).toBe(true);
    expect(await two.read("status")).toBe("complete");
  });

  it("keys that differ only in case, spaces, slashes, NUL or Unicode form stay apart", async () => {
    const run = openRun();
    const keys = [
      "a",
      "a\0",
      "\0a",
      "a/",
      "/a",
      "A",
      "é",
      "e\u0301",
      " a",
      "a ",
      "🍷",
      "\u{10ffff}",
      "é".repeat(256),
      "constructor",
      "__proto__",
    ];
    for (const key of keys)
      expect(await run.write(key, `of ${key}`), JSON.stringify(key)).toBe(true);
    for (const key of keys) expect(await run.read(key)).toBe(`of ${key}`);
    expect(await run.list()).toEqual(keys);
    for (const key of keys) expect(await run.delete(key)).toBe(true);
    expect(await run.list()).toEqual([]);
  });

  it("only one of many concurrent writes of a new key creates the key, and one of the written values stays", async () => {
    const run = openRun();
    const values = Array.from({ length: 20 }, (_, i) => `value ${i}`);
    const created = await Promise.all(values.map(async (value) => run.write("key", value)));
    expect(created.filter(Boolean)).toHaveLength(1);
    expect(values).toContain(await run.read("key"));
    expect(await run.list()).toEqual(["key"]);
  });
}

function listingCases(it: TestAPI, openRun: OpenRun): void {
  it("ListKeys lists keys by their first write; a key written again after its deletion comes last", async () => {
    const run = openRun();
    expect(await run.list()).toEqual([]);
    for (const key of ["zebra", "apple", "Mango"]) await run.write(key, "");
    await run.write("zebra", "again");
    expect(await run.list()).toEqual(["zebra", "apple", "Mango"]);
    await run.delete("zebra");
    await run.write("zebra", "anew");
    expect(await run.list()).toEqual(["apple", "Mango", "zebra"]);
  });

  it("SearchKeys finds keys that contain the literal pattern, in the order of ListKeys", async () => {
    const run = openRun();
    for (const key of ["task_2", "note_1", "Task_3", "my task_1", "a.*b", "a%b", "über"])
      await run.write(key, "");
    expect(await run.search("task")).toEqual(["task_2", "my task_1"]);
    expect(await run.search("Task")).toEqual(["Task_3"]);
    expect(await run.search(".*")).toEqual(["a.*b"]);
    expect(await run.search("%")).toEqual(["a%b"]);
    expect(await run.search("ü")).toEqual(["über"]);
    expect(await run.search("u")).toEqual([]);
    expect(await run.search("")).toEqual(await run.list());
  });

  it("pages neither skip nor repeat keys during concurrent writes and deletions", async () => {
    const run = openRun();
    const keys = Array.from({ length: 10 }, (_, i) => `key ${i}`);
    for (const key of keys) await run.write(key, "");
    const first = await run.service.listKeys({ runId: run.runId, limit: 4 });
    expect(first.keys).toEqual(keys.slice(0, 4));
    // The first page ended with key 3, and key 9 is the last key. After their deletion, no other
    // key may get their positions.
    for (const key of ["key 0", "key 3", "key 4", "key 9"]) await run.delete(key);
    await run.write("new", "");
    const { service, runId } = run;
    const second = await service.listKeys({ runId, limit: 4, pageToken: first.nextPageToken });
    const third = await service.listKeys({ runId, limit: 4, pageToken: second.nextPageToken });
    expect(second.keys).toEqual(["key 5", "key 6", "key 7", "key 8"]);
    expect(third).toMatchObject({ keys: ["new"], nextPageToken: "" });
    expect(await run.search("key", { limit: 2 })).toEqual([
      "key 1",
      "key 2",
      "key 5",
      "key 6",
      "key 7",
      "key 8",
    ]);
    expect(await run.list({ limit: 6 })).toHaveLength(7);
  });

  it("a page token of another run or pattern is refused", async () => {
    const [run, other] = [openRun(), openRun()];
    for (const one of [run, other]) for (const key of ["aa", "ab", "ac"]) await one.write(key, "");
    const { nextPageToken: pageToken } = await run.service.searchKeys({
      runId: run.runId,
      pattern: "a",
      limit: 1,
    });
    const refused = {
      code: "INVALID_ARGUMENT",
      reason: "INVALID_PAGE_TOKEN",
      fields: ["page_token"],
    };
    expect(
      await failureOf(run.service.searchKeys({ runId: run.runId, pattern: "b", pageToken })),
    ).toMatchObject(refused);
    expect(
      await failureOf(other.service.searchKeys({ runId: other.runId, pattern: "a", pageToken })),
    ).toMatchObject(refused);
    expect(
      (await run.service.searchKeys({ runId: run.runId, pattern: "a", pageToken })).keys,
    ).toEqual(["ab", "ac"]);
  });
}

function repeatingCases(it: TestAPI, openRun: OpenRun): void {
  const reused = {
    code: "INVALID_ARGUMENT",
    reason: "IDEMPOTENCY_KEY_REUSED",
    fields: ["idempotency_key"],
  };

  it("a repeated WriteKey gets the first reply and writes nothing", async () => {
    const run = openRun();
    expect(await run.write("key", "first", "k")).toBe(true);
    await run.write("key", "second");
    expect(await run.write("key", "first", "k")).toBe(true);
    expect(await run.read("key")).toBe("second");
    expect(await failureOf(run.write("key", "third", "k"))).toMatchObject(reused);
    expect(await failureOf(run.write("other", "first", "k"))).toMatchObject(reused);
    expect(await run.list()).toEqual(["key"]);
  });

  it("a repeated DeleteKey gets the first reply, and keeps a value written since then", async () => {
    const run = openRun();
    await run.write("key", "old");
    expect(await run.delete("key", "k")).toBe(true);
    await run.write("key", "new");
    expect(await run.delete("key", "k")).toBe(true);
    expect(await run.read("key")).toBe("new");
    expect(await failureOf(run.delete("other", "k"))).toMatchObject(reused);
  });

  it("different calls and different runs can use the same idempotency key", async () => {
    const [one, two] = [openRun(), openRun()];
    expect(await one.write("key", "of one", "k")).toBe(true);
    expect(await two.write("key", "of two", "k")).toBe(true);
    expect(await one.delete("key", "k")).toBe(true);
    expect(await two.read("key")).toBe("of two");
  });
}

import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
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
import type { Namespace, Scope } from "../../src/core/model/namespace.js";
import type { Committed, Store } from "../../src/core/ports/store.js";
import { createTestFolder, openTestStore } from "../store/level/level-folder.js";
import { type CompiledChildren, compileChildren, runToEnd } from "./child-process.js";
import { plannedState, readState, userScope, users } from "./children/plan.js";
import { cutTail, recordFile } from "./damaged-folder.js";
import { createFailingPlatform, type Failures } from "./failing-platform.js";
import { createSignal, type Signal } from "./signal.js";

const kim: Scope = { kind: "user", userId: "kim" };
const lee: Scope = { kind: "user", userId: "lee" };
const notes: Namespace = { userId: "kim", agentId: "notes" };
const outcomeUnknown = { code: "UNAVAILABLE", reason: "OUTCOME_UNKNOWN" };
const storeUnavailable = { code: "UNAVAILABLE", reason: "STORE_UNAVAILABLE" };

describe("a store whose disk fails", () => {
  let folder: string;
  let failures: Failures;
  let failed: Signal;
  let recovered: Signal;
  let store: Store;

  beforeEach(async () => {
    folder = await createTestFolder(onTestFinished);
    failures = {};
    failed = createSignal();
    recovered = createSignal();
    store = await openTestStore(
      folder,
      { onFailure: failed.give, onRecovered: () => recovered.give() },
      createFailingPlatform(failures),
    );
  });

  afterEach(async () => {
    await store.close();
  });

  function put(key: string): Promise<Committed<void>> {
    return store.update(kim, async (tx) => tx.put("timeline", notes, key, null));
  }

  async function keys(): Promise<string[]> {
    await using snapshot = await store.snapshot(kim);
    const found: string[] = [];
    for await (const [key] of snapshot.scan("timeline", notes)) found.push(key);
    return found;
  }

  /** Fails the next write only. */
  function failNextWrite(write: (writeBatch: () => Promise<void>) => Promise<void>): void {
    failures.write = (writeBatch) => {
      delete failures.write;
      return write(writeBatch);
    };
  }

  it("a failed write has an unknown outcome, and the store serves nothing until it is reopened", async () => {
    await put("acknowledged");
    const writing = createSignal();
    const release = createSignal();
    failNextWrite(async () => {
      writing.give();
      await release.promise;
      throw new Error("no space left");
    });
    const inFlight = put("in flight");
    await writing.promise;
    const queued = store.update(lee, async (tx) => tx.put("replyExpiries", lee, "queued", ""));
    // The next transaction of `lee` begins only after `queued` has handed over its writes, which
    // then wait for the group commit in flight.
    await new Promise<void>(
      (resolve) => void store.update(lee, async () => resolve()).catch(() => undefined),
    );
    release.give();
    await expect(inFlight).rejects.toMatchObject(outcomeUnknown);
    await expect(queued).rejects.toMatchObject(outcomeUnknown);
    await failed.promise;
    await expect(put("refused")).rejects.toMatchObject(storeUnavailable);
    await expect(store.snapshot(kim)).rejects.toMatchObject(storeUnavailable);
    await recovered.promise;
    expect(await keys()).toEqual(["acknowledged"]);
    expect((await put("later")).head.seq).toBe(2);
    expect(await keys()).toEqual(["acknowledged", "later"]);
  });

  it("a reopened store shows a write of unknown outcome that had reached the disk", async () => {
    failNextWrite(async (writeBatch) => {
      await writeBatch();
      throw new Error("fsync failed");
    });
    await expect(put("k")).rejects.toMatchObject(outcomeUnknown);
    await recovered.promise;
    expect(await keys()).toEqual(["k"]);
  });

  it("reads that began before the store was reopened fail with UNAVAILABLE, never with an internal error", async () => {
    async function failAndRecover(): Promise<void> {
      failNextWrite(async () => {
        throw new Error("EIO");
      });
      await expect(put("lost")).rejects.toMatchObject(outcomeUnknown);
      await recovered.promise;
      recovered = createSignal();
    }
    await put("k");
    await failAndRecover();
    // The first read of a table verifies it. Here `count` is this read, for the snapshot and for
    // the transaction, because the reopened store has verified no table yet.
    await using before = await store.snapshot(kim);
    await before.count("timeline", notes);
    const reading = createSignal();
    const release = createSignal();
    const transaction = store.update(kim, async (tx) => {
      await tx.count("timeline", notes);
      reading.give();
      await release.promise;
      return tx.get("timeline", notes, "k");
    });
    await reading.promise;
    await expect(
      store.update(lee, async (tx) => {
        failNextWrite(async () => {
          throw new Error("EIO");
        });
        tx.put("replyExpiries", lee, "lost", "");
      }),
    ).rejects.toMatchObject(outcomeUnknown);
    await recovered.promise;
    release.give();
    await expect(transaction).rejects.toMatchObject(storeUnavailable);
    const scanning = before.scan("timeline", notes)[Symbol.asyncIterator]();
    await expect(scanning.next()).rejects.toMatchObject(storeUnavailable);
    await expect(before.get("timeline", notes, "k")).rejects.toMatchObject(storeUnavailable);
    expect(await keys()).toEqual(["k"]);
  });

  it("a store acknowledges no write that its mark file does not cover", async () => {
    failures.markWrite = () => {
      delete failures.markWrite;
      throw new Error("input/output error");
    };
    await expect(put("k")).rejects.toMatchObject(outcomeUnknown);
    await recovered.promise;
    expect(await keys()).toEqual(["k"]);
  });

  it("a store reports a failed sync of its mark file, and recovers with all acknowledged writes", async () => {
    await put("k");
    failures.markSync = () => {
      delete failures.markSync;
      throw new Error("input/output error");
    };
    failures.open = () => {
      throw new Error("input/output error");
    };
    await failed.promise;
    await expect(keys()).rejects.toMatchObject(storeUnavailable);
    await expect(put("refused")).rejects.toMatchObject(storeUnavailable);
    delete failures.open;
    await recovered.promise;
    expect(await keys()).toEqual(["k"]);
  });

  it("a store with `syncMarks` syncs its mark file before each acknowledgement", async () => {
    let syncs = 0;
    await store.close();
    failures.markSync = () => {
      syncs++;
    };
    store = await openTestStore(folder, { syncMarks: true }, createFailingPlatform(failures));
    for (let round = 0; round < 5; round++) {
      const before = syncs;
      await put(String(round));
      expect(syncs).toBeGreaterThan(before);
    }
  });

  it("a store whose disk fails retries until it can be reopened", async () => {
    let attempts = 0;
    failures.open = () => {
      if (++attempts < 3) throw new Error("too many open files");
    };
    failNextWrite(async () => Promise.reject(new Error("no space left")));
    await expect(put("k")).rejects.toMatchObject(outcomeUnknown);
    await recovered.promise;
    expect(attempts).toBe(3);
    expect((await put("k")).head.seq).toBe(1);
  });

  it("a store can be closed while it retries", async () => {
    failures.open = () => {
      throw new Error("too many open files");
    };
    failNextWrite(async () => Promise.reject(new Error("no space left")));
    await expect(put("k")).rejects.toMatchObject(outcomeUnknown);
    await store.close();
    await expect(put("k")).rejects.toMatchObject(storeUnavailable);
    delete failures.open;
    const reopened = await openTestStore(folder);
    await reopened.close();
  });

  it("a store never starts empty in a folder that has become empty, as when a disk is unmounted", async () => {
    await put("acknowledged");
    const logged = createSignal();
    await store.close();
    store = await openTestStore(
      folder,
      { log: (_level, message) => message.includes("reopening the store failed") && logged.give() },
      createFailingPlatform(failures),
    );
    failNextWrite(async () => {
      for (const name of await readdir(folder))
        if (name !== "lock") await rm(join(folder, name), { recursive: true });
      throw new Error("input/output error");
    });
    await expect(put("k")).rejects.toMatchObject(outcomeUnknown);
    await logged.promise;
    await expect(put("k")).rejects.toMatchObject(storeUnavailable);
    expect(await readdir(folder)).toEqual(["lock"]);
  });

  it("a store stays closed when an acknowledged write is missing", async () => {
    await put("acknowledged");
    failNextWrite(async () => {
      await cutTail(await recordFile(folder, /\.log$/), 10);
      throw new Error("input/output error");
    });
    const logged = createSignal();
    failures.open = logged.give;
    await expect(put("k")).rejects.toMatchObject(outcomeUnknown);
    await logged.promise;
    await store.close();
    await expect(stat(join(folder, "DAMAGE.json"))).resolves.toBeDefined();
    await expect(openTestStore(folder)).rejects.toMatchObject({ reason: "STORE_DAMAGED" });
  });

  it("a transaction fails if it has read a pending write that is then lost", async () => {
    const writing = createSignal();
    const release = createSignal();
    failNextWrite(async () => {
      writing.give();
      await release.promise;
      throw new Error("no space left");
    });
    const inFlight = put("k");
    await writing.promise;
    const seen = createSignal();
    const reader = store.update(kim, async (tx) => {
      expect(await tx.get("timeline", notes, "k")).toBeNull();
      seen.give();
    });
    const thrower = store.update(kim, async (tx) => {
      if ((await tx.get("timeline", notes, "k")) === null) throw new Error("exists");
    });
    await seen.promise;
    release.give();
    await expect(inFlight).rejects.toMatchObject(outcomeUnknown);
    await expect(reader).rejects.toMatchObject(storeUnavailable);
    await expect(thrower).rejects.toMatchObject(storeUnavailable);
    await recovered.promise;
  });

  it("a transaction that runs when another write fails writes nothing", async () => {
    const begun = createSignal();
    const release = createSignal();
    const running = store.update(lee, async (tx) => {
      tx.put("replyExpiries", lee, "k", "");
      begun.give();
      await release.promise;
    });
    await begun.promise;
    failNextWrite(async () => Promise.reject(new Error("no space left")));
    await expect(put("k")).rejects.toMatchObject(outcomeUnknown);
    release.give();
    await expect(running).rejects.toMatchObject(storeUnavailable);
    await recovered.promise;
    await using snapshot = await store.snapshot(lee);
    expect(snapshot.head.seq).toBe(0);
  });
});

describe("a process that may not write large files", () => {
  let children: CompiledChildren;

  beforeAll(async () => {
    children = await compileChildren();
  });

  afterAll(() => children.remove());

  it("a process that may not write large files keeps every acknowledged write through failed writes", async () => {
    const folder = await createTestFolder(onTestFinished);
    const { output, signal } = await runToEnd(children.spawn("store-until-failure", [folder], 256));
    expect(signal).toBeNull();
    const lines = output.trimEnd().split("\n");
    expect(lines.filter((line) => line === "recovered")).toHaveLength(2);
    const acknowledged = Math.max(...lines.filter((line) => line !== "recovered").map(Number));
    const [userId = ""] = users;
    const store = await openTestStore(folder);
    {
      await using snapshot = await store.snapshot(userScope(userId));
      expect(snapshot.head.seq).toBeGreaterThanOrEqual(acknowledged);
      expect(await readState(snapshot, userId)).toEqual(plannedState(userId, snapshot.head.seq));
    }
    await store.close();
  });
});

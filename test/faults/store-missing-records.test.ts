import { join } from "node:path";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import type { Namespace, Scope } from "../../src/core/model/namespace.js";
import { replyKey } from "../../src/core/model/record-keys.js";
import type { Store } from "../../src/core/ports/store.js";
import { type Database, openDatabase } from "../../src/store/level/folder/database.js";
import {
  namespaceTableRange,
  recordKey,
  scopePart,
  scopeTableRange,
} from "../../src/store/level/format/keys.js";
import { verifyFolder } from "../../src/store/level/recovery/verify-folder.js";
import { sampleMemory } from "../contract/sample-records.js";
import { collect } from "../contract/store/context.js";
import { createTestFolder, openTestStore } from "../store/level/level-folder.js";
import { rescueFolder } from "./rescue.js";

const kim: Scope = { kind: "user", userId: "kim" };
const notes: Namespace = { userId: "kim", agentId: "notes" };
const tasks: Namespace = { userId: "kim", agentId: "tasks" };
/** The key of a stored reply. */
const reply = replyKey("Delete", undefined, "key");
const damagedRecord = { code: "DATA_LOSS", reason: "DAMAGED_RECORD" };

/** Returns the first item, and reads no further. */
async function first<T>(items: AsyncIterable<T>): Promise<T | undefined> {
  for await (const item of items) return item;
  return undefined;
}

const memoriesOfNotes = namespaceTableRange(scopePart(kim), "notes", 0, "memories");

describe("a record that the store did not delete", () => {
  let folder: string;
  /** The stored bytes of the first version of the memory `a`. */
  let older: Buffer;

  beforeEach(async () => {
    folder = await createTestFolder(onTestFinished);
    await withStore((store) =>
      store.update(kim, async (tx) => {
        for (const namespace of [notes, tasks]) {
          for (const id of ["a", "b", "c"])
            tx.put("memories", namespace, id, sampleMemory(id, "first"));
        }
        tx.put("replies", kim, reply, { requestDigest: "", reply: { deleted: true }, expireMs: 0 });
      }),
    );
    await tamper(async (database) => {
      older = (await database.get(recordKey(memoriesOfNotes, "a"))) ?? Buffer.alloc(0);
    });
    await withStore((store) =>
      store.update(kim, async (tx) => tx.put("memories", notes, "a", sampleMemory("a", "second"))),
    );
  });

  async function withStore<T>(use: (store: Store) => Promise<T>): Promise<T> {
    const store = await openTestStore(folder);
    try {
      return await use(store);
    } finally {
      await store.close();
    }
  }

  /** Changes records without the store, as damage to a table can. */
  async function tamper(change: (database: Database) => Promise<unknown>): Promise<void> {
    const database = await openDatabase(join(folder, "records"), { createIfMissing: false });
    await change(database);
    await database.close();
  }

  /** Expects that every read of memories of `notes` fails, and that all other reads work. */
  async function expectDetected(): Promise<void> {
    await withStore(async (store) => {
      await using snapshot = await store.snapshot(kim);
      await expect(snapshot.get("memories", notes, "b")).rejects.toMatchObject(damagedRecord);
      await expect(collect(snapshot.scan("memories", notes, { after: "a" }))).rejects.toMatchObject(
        damagedRecord,
      );
      await expect(
        collect(snapshot.scan("memories", notes, { reverse: true })),
      ).rejects.toMatchObject(damagedRecord);
      await expect(collect(snapshot.scan("memories", notes))).rejects.toMatchObject(damagedRecord);
      for (const range of [{}, { reverse: true }, { after: "" }])
        await expect(first(snapshot.scan("memories", notes, range))).rejects.toMatchObject(
          damagedRecord,
        );
      await expect(store.update(kim, (tx) => tx.get("memories", notes, "b"))).rejects.toMatchObject(
        damagedRecord,
      );
      await expect(
        store.update(kim, (tx) => collect(tx.scan("memories", notes))),
      ).rejects.toMatchObject(damagedRecord);
      expect((await snapshot.get("memories", tasks, "b"))?.content).toBe("first");
      expect(await collect(snapshot.scan("memories", tasks))).toHaveLength(3);
      expect(await snapshot.get("replies", kim, reply)).toBeDefined();
    });
    const { findings } = await verifyFolder(folder);
    expect(findings).toHaveLength(1);
    expect(findings[0]?.where).toBe('memories of user "kim", agent "notes"');
  }

  it("a missing record is detected at the first read of its table", async () => {
    await tamper((database) => database.del(recordKey(memoriesOfNotes, "b")));
    await expectDetected();
  });

  it("a missing record is detected by a scan that stops at the first record", async () => {
    await tamper((database) => database.del(recordKey(memoriesOfNotes, "b")));
    await withStore(async (store) => {
      await using snapshot = await store.snapshot(kim);
      for (let round = 0; round < 2; round++)
        await expect(first(snapshot.scan("memories", notes))).rejects.toMatchObject(damagedRecord);
      expect((await first(snapshot.scan("memories", tasks)))?.[0]).toBe("a");
    });
  });

  it("an older version of a record that has come back is detected", async () => {
    await tamper((database) => database.put(recordKey(memoriesOfNotes, "a"), older));
    await expectDetected();
  });

  it("a deleted record that has come back is detected", async () => {
    await withStore((store) => store.update(kim, async (tx) => tx.delete("memories", notes, "a")));
    await tamper((database) => database.put(recordKey(memoriesOfNotes, "a"), older));
    await expectDetected();
  });

  it("a missing record stays detected after later writes, until the namespace is cleared", async () => {
    await tamper((database) => database.del(recordKey(memoriesOfNotes, "b")));
    await withStore((store) =>
      store.update(kim, async (tx) => tx.put("memories", notes, "b", sampleMemory("b", "again"))),
    );
    await expectDetected();
    await withStore(async (store) => {
      await store.update(kim, async (tx) => tx.clear(notes));
      await store.update(kim, async (tx) =>
        tx.put("memories", notes, "b", sampleMemory("b", "new")),
      );
      await using snapshot = await store.snapshot(kim);
      expect((await snapshot.get("memories", notes, "b"))?.content).toBe("new");
    });
    expect((await verifyFolder(folder)).findings).toEqual([]);
  });

  it("a readable-only backup leaves out a damaged record, has everything else, and names the loss", async () => {
    await tamper((database) => database.del(recordKey(memoriesOfNotes, "b")));
    await tamper((database) =>
      database.put(recordKey(memoriesOfNotes, "c"), Buffer.from("garbage")),
    );
    const restored = `${folder}-restored`;
    const { findings } = await rescueFolder(folder, restored);
    expect(findings).toEqual([
      expect.objectContaining({
        where: 'memories "c" of user "kim", agent "notes"',
        what: "is damaged: wrong key or checksum",
      }),
      expect.objectContaining({
        where: 'memories of user "kim", agent "notes"',
        what: "1 records are readable, but the head counts 3",
      }),
    ]);
    const store = await openTestStore(restored);
    try {
      await using snapshot = await store.snapshot(kim);
      expect(
        (await collect(snapshot.scan("memories", notes))).map(([id, { content }]) => [id, content]),
      ).toEqual([["a", "second"]]);
      expect(await snapshot.count("memories", notes)).toBe(1);
      expect(await collect(snapshot.scan("memories", tasks))).toHaveLength(3);
    } finally {
      await store.close();
    }
    expect((await verifyFolder(restored)).findings).toEqual([]);
  });

  it("a missing stored reply is detected, so that no call runs twice", async () => {
    await tamper((database) =>
      database.del(recordKey(scopeTableRange(scopePart(kim), 0, "replies"), reply)),
    );
    await withStore(async (store) => {
      await expect(store.update(kim, (tx) => tx.get("replies", kim, reply))).rejects.toMatchObject(
        damagedRecord,
      );
    });
  });

  it("a damaged stored reply is detected, so that no call runs twice", async () => {
    const key = recordKey(scopeTableRange(scopePart(kim), 0, "replies"), reply);
    await tamper(async (database) => {
      const sealed = Buffer.from((await database.get(key)) ?? "");
      await database.put(key, sealed.fill(0x7f, sealed.length - 3));
    });
    await withStore(async (store) => {
      await expect(store.update(kim, (tx) => tx.get("replies", kim, reply))).rejects.toMatchObject(
        damagedRecord,
      );
    });
  });

  it("a record with a wrong checksum cannot be deleted", async () => {
    await tamper((database) =>
      database.put(recordKey(memoriesOfNotes, "a"), Buffer.from("garbage")),
    );
    await withStore(async (store) => {
      await expect(
        store.update(kim, async (tx) => tx.delete("memories", notes, "a")),
      ).rejects.toMatchObject(damagedRecord);
      await expect(
        store.update(kim, async (tx) => tx.put("memories", notes, "a", sampleMemory("a", "third"))),
      ).rejects.toMatchObject(damagedRecord);
    });
  });
});

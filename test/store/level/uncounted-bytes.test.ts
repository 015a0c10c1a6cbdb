import { cp } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { userScope } from "../../../src/core/model/namespace.js";
import type { Reader, Store, Usage } from "../../../src/core/ports/store.js";
import { seal } from "../../../src/store/codec/envelope.js";
import { openDatabase, requirePayload } from "../../../src/store/level/folder/database.js";
import { decodeScopeHead, encodeScopeHead } from "../../../src/store/level/format/heads.js";
import { scopeHeadKey, scopePart } from "../../../src/store/level/format/keys.js";
import { surveyHeads } from "../../../src/store/level/recovery/survey.js";
import { verifyFolder } from "../../../src/store/level/recovery/verify-folder.js";
import { verifyRecords } from "../../../src/store/level/recovery/verify-records.js";
import { createTestFolder, openTestStore } from "./level-folder.js";

const kim = userScope("kim");
const desktop = { userId: "kim", agentId: "desktop" };
const phone = { userId: "kim", agentId: "phone" };
const watch = { userId: "kim", agentId: "watch" };

describe("a folder of a build that did not count bytes", () => {
  let folder: string;

  beforeEach(async () => {
    folder = await createTestFolder(onTestFinished);
    const source = join(import.meta.dirname, "../../fixtures/data-folders/uncounted-bytes");
    await cp(source, folder, { recursive: true });
  });

  it("verify reports no damage in a folder without byte counts, before and after its first use", async () => {
    expect((await verifyFolder(folder)).findings).toEqual([]);
    await withStore((store) => store.update(kim, async (tx) => tx.put("blocks", kim, "x", block)));
    expect((await verifyFolder(folder)).findings).toEqual([]);
  });

  it("a folder without byte counts keeps every record", async () => {
    await withStore(async (store) => {
      await using snapshot = await store.snapshot(kim);
      expect(await contents(snapshot, desktop)).toEqual([
        "Kim keeps note 1 in the blue folder",
        "Kim keeps note 2 in the blue folder",
        "Kim keeps note 3 in the blue folder",
      ]);
      expect(await contents(snapshot, phone)).toHaveLength(2);
      expect(await contents(snapshot, watch)).toEqual([]);
      expect(await snapshot.count("blockVersions", kim)).toBe(2);
      expect(await snapshot.count("skills", desktop)).toBe(1);
      expect(await snapshot.count("proposals", kim)).toBe(1);
    });
  });

  it("in a folder without byte counts, a user's first transaction counts all records except cleared ones", async () => {
    await withStore(async (store) => {
      const usage = await usageOf(store);
      expect(usage.memories).toBe(5);
      // Five vectors of memories and the vector of the skill have 1,024 bytes each.
      expect(usage.bytes).toBeGreaterThan(6 * 1024);
      expect(await bytesByDeletion(store)).toBe(usage.bytes);
    });
  });

  it("in a folder without byte counts, the first write counts the bytes of all namespaces, once", async () => {
    const usage = await withStore(async (store) => {
      await store.update(kim, async (tx) => tx.put("blocks", kim, "x", block));
      return usageOf(store);
    });
    const heads = await headsOf(folder);
    expect(heads.scope).toEqual(usage);
    expect(heads.namespaces.every((bytes) => bytes !== undefined)).toBe(true);
    await withStore(async (store) => expect(await usageOf(store)).toEqual(usage));
  });

  it("a namespace without a byte count counts as empty after it is cleared", async () => {
    await withStore(async (store) => {
      const before = await usageOf(store);
      await store.update(kim, async (tx) => tx.clear(phone));
      const after = await usageOf(store);
      expect(after.memories).toBe(3);
      expect(after.bytes).toBeLessThan(before.bytes - 2 * 1024);
    });
    expect((await verifyFolder(folder)).findings).toEqual([]);
  });

  const withStore = async <T>(use: (store: Store) => Promise<T>): Promise<T> => {
    const store = await openTestStore(folder);
    try {
      return await use(store);
    } finally {
      await store.close();
    }
  };
});

describe("verify", () => {
  it("verify names a user whose byte count is not the sum of the records", async () => {
    const folder = await createTestFolder(onTestFinished);
    const store = await openTestStore(folder);
    await store.update(kim, async (tx) => tx.put("blocks", kim, "x", block));
    await store.close();
    const database = await openDatabase(join(folder, "records"), { createIfMissing: false });
    try {
      const key = scopeHeadKey(scopePart(kim));
      const head = decodeScopeHead(requirePayload(key, await database.get(key), "head"));
      const wrong = encodeScopeHead({ ...head, usage: { memories: 0, bytes: 7 } });
      await database.put(key, seal(key, wrong));
      const { findings } = await verifyRecords(database);
      const [{ where, what } = { where: "", what: "" }] = findings;
      expect(findings).toHaveLength(1);
      expect(where).toBe('user "kim"');
      expect(what).toMatch(
        /^its head counts 0 memories and 7 bytes, but its records have 0 and \d+$/,
      );
    } finally {
      await database.close();
    }
  });
});

const block = {
  label: "x",
  title: "X",
  body: "counted",
  version: 1,
  tokenCount: 1,
  updateTime: { seconds: 1, nanos: 0 },
};

async function usageOf(store: Store): Promise<Usage> {
  return (await store.update(kim, (tx) => tx.usage())).result;
}

/**
 * Deletes all data of the user in a transaction that then fails, so that nothing is written.
 * Returns by how many bytes the count fell in the transaction.
 */
async function bytesByDeletion(store: Store): Promise<number> {
  let bytes = 0;
  const stop = new Error("nothing is written");
  const deletion = store.update(kim, async (tx) => {
    const before = await tx.usage();
    for (const namespace of [desktop, phone, watch]) tx.clear(namespace);
    for (const table of ["blocks", "blockVersions", "proposals", "pendingProposals"] as const)
      for await (const [key] of tx.scan(table, kim)) tx.delete(table, kim, key);
    for await (const [key] of tx.scan("proposalsByTarget", kim))
      tx.delete("proposalsByTarget", kim, key);
    bytes = before.bytes - (await tx.usage()).bytes;
    throw stop;
  });
  await expect(deletion).rejects.toBe(stop);
  return bytes;
}

async function contents(reader: Reader, namespace: typeof desktop): Promise<string[]> {
  const found: string[] = [];
  for await (const [, { content }] of reader.scan("memories", namespace)) found.push(content);
  return found;
}

async function headsOf(folder: string) {
  const database = await openDatabase(join(folder, "records"), { createIfMissing: false });
  try {
    const namespaces: (number | undefined)[] = [];
    let scope: Usage | undefined;
    for await (const head of surveyHeads(database)) {
      if (head.kind === "scope" && head.scope.kind === "user" && head.scope.userId === "kim")
        scope = head.head.usage;
      if (head.kind === "namespace" && head.namespace.userId === "kim")
        namespaces.push(head.head.bytes);
    }
    return { scope, namespaces };
  } finally {
    await database.close();
  }
}

import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Level } from "level";
import { expect, it, onTestFinished } from "vitest";
import { userScope } from "../../../../src/core/model/namespace.js";
import { seal } from "../../../../src/store/codec/envelope.js";
import {
  compactAll,
  type Database,
  openDatabase,
  requirePayload,
} from "../../../../src/store/level/folder/database.js";
import { decodeScopeHead, encodeScopeHead } from "../../../../src/store/level/format/heads.js";
import { recordRange, scopeHeadKey, scopePart } from "../../../../src/store/level/format/keys.js";
import { maskedChecksum } from "../../../../src/store/level/leveldb-files/checksum.js";
import {
  indexEntries,
  readBlock,
  readFooter,
  readFrom,
} from "../../../../src/store/level/leveldb-files/table.js";
import { verifyRecords } from "../../../../src/store/level/recovery/verify-records.js";
import { scopeRecords } from "../../../contract/sample-records.js";
import { createTestFolder, openTestStore } from "../level-folder.js";

const key = Buffer.concat([recordRange.prefix, Buffer.from("key")]);

/** Opens a LevelDB that does not compress its blocks. */
async function open(folder: string): Promise<Database> {
  const database: Database = new Level(folder, {
    keyEncoding: "buffer",
    valueEncoding: "buffer",
    compression: false,
  });
  await database.open();
  return database;
}

/** Gives the only entry a type that LevelDB does not know, and corrects the block's checksum. */
async function changeType(folder: string): Promise<void> {
  const [name = ""] = (await readdir(folder)).filter((file) => file.endsWith(".ldb"));
  const table = await readFile(join(folder, name));
  const read = readFrom(table);
  const { index } = await readFooter(read, table.length);
  const [{ handle } = { handle: { offset: 0, size: 0 } }] = indexEntries(
    await readBlock(read, index),
  );
  const block = table.subarray(handle.offset, handle.offset + handle.size);
  // The type is the first byte after the key, before the seven bytes of the sequence number.
  block[block.indexOf(key) + key.length] = 0x7f;
  const checked = table.subarray(handle.offset, handle.offset + handle.size + 1);
  table.writeUInt32LE(maskedChecksum(checked), handle.offset + handle.size + 1);
  await writeFile(join(folder, name), table);
}

it("verify reports an entry that LevelDB cannot read, even if the checksums of all blocks are right", async () => {
  const folder = await mkdtemp(join(tmpdir(), "vademecum-verify-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const written = await open(folder);
  await written.put(key, Buffer.from("value"));
  await compactAll(written);
  await written.close();
  await changeType(folder);

  const damaged = await open(folder);
  onTestFinished(() => damaged.close());
  const { findings, records } = await verifyRecords(damaged);
  expect(records).toBe(0);
  expect(findings).toEqual([
    expect.objectContaining({
      where: "records",
      what: expect.stringContaining("LevelDB cannot read every entry") as unknown,
    }),
  ]);
});

it("verify names a user whose byte count is not the sum of the records", async () => {
  const kim = userScope("kim");
  const folder = await createTestFolder(onTestFinished);
  const store = await openTestStore(folder);
  await store.update(kim, async (tx) => tx.put("blocks", kim, "l", scopeRecords.blocks));
  await store.close();
  const database = await openDatabase(join(folder, "records"), { createIfMissing: false });
  onTestFinished(() => database.close());
  const headKey = scopeHeadKey(scopePart(kim));
  const head = decodeScopeHead(requirePayload(headKey, await database.get(headKey), "head"));
  const wrong = encodeScopeHead({ ...head, usage: { memories: 0, bytes: 7 } });
  await database.put(headKey, seal(headKey, wrong));
  const { findings } = await verifyRecords(database);
  const [{ where, what } = { where: "", what: "" }] = findings;
  expect(findings).toHaveLength(1);
  expect(where).toBe('user "kim"');
  expect(what).toMatch(/^its head counts 0 memories and 7 bytes, but its records have 0 and \d+$/);
});

it("verify reports a record that is whole, but that no call could read", async () => {
  const kim = userScope("kim");
  const folder = await createTestFolder(onTestFinished);
  const store = await openTestStore(folder);
  const updateTime = { seconds: 1e15, nanos: 0 };
  await store.update(kim, async (tx) =>
    tx.put("blocks", kim, "l", { ...scopeRecords.blocks, updateTime }),
  );
  await store.close();
  const database = await openDatabase(join(folder, "records"), { createIfMissing: false });
  onTestFinished(() => database.close());
  const { findings } = await verifyRecords(database);
  expect(findings).toHaveLength(1);
  expect(findings[0]).toMatchObject({
    where: 'blocks "l" of user "kim"',
    what: expect.stringContaining("/updateTime/seconds") as unknown,
  });
});

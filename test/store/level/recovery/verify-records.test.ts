import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Level } from "level";
import { expect, it, onTestFinished } from "vitest";
import { compactAll, type Database } from "../../../../src/store/level/folder/database.js";
import { recordRange } from "../../../../src/store/level/format/keys.js";
import { maskedChecksum } from "../../../../src/store/level/leveldb-files/checksum.js";
import {
  indexEntries,
  readBlock,
  readFooter,
  readFrom,
} from "../../../../src/store/level/leveldb-files/table.js";
import { verifyRecords } from "../../../../src/store/level/recovery/verify-records.js";

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

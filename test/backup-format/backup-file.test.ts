import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { encodeFrame, fileMagic, readFrames } from "../../src/backup-format/backup-file.js";
import type { BackupChunk } from "../../src/core/backup/backup-chunk.js";
import { readBackup } from "../../src/core/backup/read-backup.js";
import { VademecumError } from "../../src/core/model/errors.js";
import { createInMemoryStore } from "../../src/store/in-memory/in-memory-store.js";
import { sampleMemory } from "../contract/sample-records.js";
import { collect, kim, notes } from "../contract/store/context.js";
import { backupOf, eachOf, fileOf } from "../fixtures/backups.js";

let chunks: readonly BackupChunk[];
let file: Buffer;

beforeAll(async () => {
  const store = createInMemoryStore();
  await store.update(kim, async (tx) => {
    tx.put("memories", notes, "m", sampleMemory("m", "a text"));
    tx.put("vectors", notes, "m", Float32Array.of(1, 2));
  });
  await store.update({ kind: "server" }, async (tx) =>
    tx.put("keyPositions", { kind: "server" }, "1", "a"),
  );
  chunks = await backupOf(store);
  file = fileOf(chunks);
});

/** Reads a file in pieces of `pieceBytes`, and checks it as `verify --backup` does. */
async function check(bytes: Buffer, pieceBytes = 64): Promise<void> {
  const pieces: Buffer[] = [];
  for (let start = 0; start < bytes.length; start += pieceBytes)
    pieces.push(bytes.subarray(start, start + pieceBytes));
  async function* read() {
    for await (const { chunk } of readFrames(eachOf(pieces))) yield chunk;
  }
  await collect(readBackup(read(), { scope: async () => undefined }));
}

/** Returns whether a file is refused. Throws if the error is of the wrong kind. */
async function isRefused(bytes: Buffer): Promise<boolean> {
  try {
    await check(bytes);
    return false;
  } catch (error) {
    if (!(error instanceof VademecumError)) throw error;
    expect(error).toMatchObject({ code: "INVALID_ARGUMENT", reason: "INVALID_BACKUP" });
    return true;
  }
}

describe("a backup file", () => {
  it("a backup file has the chunks that were written, and passes its check in pieces of any size", async () => {
    for (const pieceBytes of [1, 7, 64, 100_000]) await check(file, pieceBytes);
    const frames = await collect(readFrames(eachOf([file])));
    expect(frames.map(({ chunk }) => chunk.kind)).toEqual(chunks.map(({ kind }) => kind));
    expect(frames.at(-1)?.endOffset).toBe(file.length);
  });

  it("a part with very many records is refused before it is decoded", async () => {
    const record = { key: "", payload: new Uint8Array(), continues: false };
    const frameOf = (count: number) =>
      encodeFrame({
        ...{ kind: "records", agentId: undefined, table: "timeline" },
        records: Array.from({ length: count }, () => record),
      });
    const read = (count: number) =>
      collect(readFrames(eachOf([Buffer.concat([fileMagic, frameOf(count)])])));
    expect(await read(1_000)).toHaveLength(1);
    await expect(read(20_001)).rejects.toMatchObject({
      reason: "INVALID_BACKUP",
      cause: { message: expect.stringContaining("20,000 elements") as unknown },
    });
  });

  it("the texts of a backup file are compressed", async () => {
    const store = createInMemoryStore();
    const text = "The staging cluster is rebuilt on Mondays. ".repeat(100);
    await store.update(kim, async (tx) => {
      for (let i = 0; i < 100; i++) tx.put("memories", notes, `m${i}`, sampleMemory(`m${i}`, text));
    });
    const compressed = fileOf(await backupOf(store));
    expect(compressed.length).toBeLessThan(text.length * 10);
    await check(compressed);
  });

  it("a backup file in another format is refused by its number", async () => {
    const other = Buffer.from(file);
    other[fileMagic.length - 1] = 1;
    await expect(check(other)).rejects.toThrow("the file has format 1, and this version");
  });

  it("a backup file is refused after a change of any byte", async () => {
    for (let offset = 0; offset < file.length; offset++) {
      const damaged = Buffer.from(file);
      damaged.writeUInt8(damaged.readUInt8(offset) ^ (1 << (offset % 8)), offset);
      expect(await isRefused(damaged), `byte ${offset}`).toBe(true);
    }
  });

  it("a backup file is refused if it is cut off anywhere or has bytes after its end", async () => {
    for (let length = 0; length < file.length; length++)
      expect(await isRefused(file.subarray(0, length)), `length ${length}`).toBe(true);
    expect(await isRefused(Buffer.concat([file, Buffer.from([0])]))).toBe(true);
    expect(await isRefused(Buffer.concat([file, file]))).toBe(true);
  });

  it("a backup file is refused after parts were removed, repeated or replaced", async () => {
    const part = fc.tuple(fc.nat(file.length - 1), fc.nat(40));
    await fc.assert(
      fc.asyncProperty(part, fc.uint8Array({ maxLength: 60 }), async ([start, length], bytes) => {
        const changed = Buffer.concat([
          file.subarray(0, start),
          bytes,
          file.subarray(start + length),
        ]);
        return changed.equals(file) || (await isRefused(changed));
      }),
    );
  });

  it("a backup file is refused if random bytes follow the mark at its start", async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), async (bytes) =>
        isRefused(Buffer.concat([fileMagic, bytes])),
      ),
    );
  });
});

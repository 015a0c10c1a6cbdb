import { readFile, rm, writeFile } from "node:fs/promises";
import { maskedChecksum } from "./checksum.js";
import {
  type BlockHandle,
  blockTrailerBytes,
  footerBytes,
  type IndexEntry,
  indexEntries,
  readBlock,
  readFooter,
  readFrom,
  tableMagic,
} from "./table.js";

/**
 * Replaces a table file by one with its undamaged blocks only. Removes the file if its blocks
 * cannot be found. LevelDB must not read a damaged block, because keys out of order would abort the
 * process.
 *
 * Other hard links to the file keep the damaged content.
 */
export async function rescueTable(path: string): Promise<void> {
  const intactTable = await undamagedPart(await readFile(path));
  await rm(path);
  if (intactTable !== undefined) await writeFile(path, intactTable);
}

async function undamagedPart(table: Buffer): Promise<Buffer | undefined> {
  const read = readFrom(table);
  const pieces: Buffer[] = [];
  const kept: IndexEntry[] = [];
  let offset = 0;

  function append(piece: Buffer): BlockHandle {
    const handle = { offset, size: piece.length - blockTrailerBytes };
    pieces.push(piece);
    offset += piece.length;
    return handle;
  }

  try {
    const { index } = await readFooter(read, table.length);
    for (const { key, handle } of indexEntries(await readBlock(read, index))) {
      const intact = await readBlock(read, handle).then(
        () => true,
        () => false,
      );
      if (intact)
        kept.push({
          key,
          handle: append(await read(handle.offset, handle.size + blockTrailerBytes)),
        });
    }
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
  if (kept.length === 0) return undefined;
  const metaIndex = append(encodeBlock([]));
  const index = append(encodeBlock(kept));
  const handles = Buffer.concat([encodeHandle(metaIndex), encodeHandle(index)]);
  const footer = Buffer.alloc(footerBytes);
  handles.copy(footer);
  footer.writeBigUInt64LE(tableMagic, footerBytes - 8);
  return Buffer.concat([...pieces, footer]);
}

/**
 * Encodes a block and its trailer. Writes each key in full, without a prefix shared with another
 * key.
 */
function encodeBlock(entries: readonly IndexEntry[]): Buffer {
  const encoded = entries.map(({ key, handle }) => {
    const value = encodeHandle(handle);
    return Buffer.concat([
      encodeVarint(0),
      encodeVarint(key.length),
      encodeVarint(value.length),
      key,
      value,
    ]);
  });
  const starts: number[] = [];
  let offset = 0;
  for (const { length } of encoded) {
    starts.push(offset);
    offset += length;
  }
  // An empty block also has one restart point.
  const restarts = starts.length === 0 ? [0] : starts;
  const tail = Buffer.alloc(4 * (restarts.length + 1));
  for (const [index, start] of [...restarts, restarts.length].entries())
    tail.writeUInt32LE(start, 4 * index);
  const uncompressed = 0;
  const checked = Buffer.concat([...encoded, tail, Buffer.of(uncompressed)]);
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32LE(maskedChecksum(checked));
  return Buffer.concat([checked, checksum]);
}

function encodeHandle({ offset, size }: BlockHandle): Buffer {
  return Buffer.concat([encodeVarint(offset), encodeVarint(size)]);
}

function encodeVarint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 0x80; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 0x80);
  return Buffer.of(...bytes, rest);
}

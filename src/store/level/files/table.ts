import { type FileHandle, open } from "node:fs/promises";
import snappy from "snappyjs";
import { ByteReader } from "./byte-reader.js";
import { maskedChecksum } from "./checksum.js";

// `doc/table_format.md` of LevelDB.
const footerBytes = 48;
const magic = 0xdb4775248b80fb57n;
const trailerBytes = 5;
const snappyCompressed = 1;

/** Where a block lies in its file. */
interface BlockHandle {
  readonly offset: number;
  readonly size: number;
}

/** How much of a table is read: `frame` is what finding a record depends on (index and filter), `all` the records too. */
export type TableDepth = "frame" | "all";

/**
 * Checks the blocks of a table file, which LevelDB reads without looking at their checksums.
 * Returns what is wrong, `undefined` if nothing is.
 */
export async function checkTable(path: string, expectedBytes: number, depth: TableDepth): Promise<string | undefined> {
  const file = await open(path, "r");
  try {
    const { size } = await file.stat();
    if (size !== expectedBytes) return `is ${size} bytes long instead of ${expectedBytes}`;
    await checkBlocks(file, size, depth);
    return undefined;
  } catch (error) {
    if (error instanceof RangeError) return error.message;
    throw error;
  } finally {
    await file.close();
  }
}

async function checkBlocks(file: FileHandle, size: number, depth: TableDepth): Promise<void> {
  const footer = await readBytes(file, size, { offset: size - footerBytes, size: footerBytes });
  if (footer.readBigUInt64LE(footerBytes - 8) !== magic) throw new RangeError("does not end as a table does");
  const reader = new ByteReader(footer);
  const metaIndex = readHandle(reader);
  const index = readHandle(reader);
  for (const handle of blockValues(await readBlock(file, size, metaIndex))) await readBlock(file, size, handle);
  const dataBlocks = blockValues(await readBlock(file, size, index));
  if (depth === "all") for (const handle of dataBlocks) await readBlock(file, size, handle);
}

function readHandle(reader: ByteReader): BlockHandle {
  return { offset: reader.varint(), size: reader.varint() };
}

async function readBytes(file: FileHandle, fileBytes: number, { offset, size }: BlockHandle): Promise<Buffer> {
  if (offset < 0 || offset + size > fileBytes) throw new RangeError(`names ${size} bytes at ${offset}, which it does not have`);
  const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(size), 0, size, offset);
  if (bytesRead !== size) throw new RangeError(`ends before the ${size} bytes at ${offset}`);
  return buffer;
}

/** The content of a block, if its checksum holds. */
async function readBlock(file: FileHandle, fileBytes: number, { offset, size }: BlockHandle): Promise<Buffer> {
  const bytes = await readBytes(file, fileBytes, { offset, size: size + trailerBytes });
  const checked = bytes.subarray(0, size + 1);
  if (maskedChecksum(checked) !== bytes.readUInt32LE(size + 1)) throw new RangeError(`has a damaged block at byte ${offset}`);
  const content = bytes.subarray(0, size);
  return bytes[size] === snappyCompressed ? Buffer.from(snappy.uncompress(content)) : content;
}

/** The values of a block that maps keys to the places of other blocks. */
function blockValues(block: Buffer): readonly BlockHandle[] {
  const restarts = block.readUInt32LE(block.length - 4);
  const end = block.length - 4 * (restarts + 1);
  const reader = new ByteReader(block);
  const handles: BlockHandle[] = [];
  while (reader.position < end) {
    reader.varint();
    const keyBytes = reader.varint();
    const valueBytes = reader.varint();
    reader.take(keyBytes);
    handles.push(readHandle(new ByteReader(reader.take(valueBytes))));
  }
  return handles;
}

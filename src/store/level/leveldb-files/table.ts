import snappy from "snappyjs";
import { ByteReader } from "./byte-reader.js";
import { maskedChecksum } from "./checksum.js";

// The format is described in `doc/table_format.md` of LevelDB.
export const footerBytes = 48;
export const tableMagic = 0xdb4775248b80fb57n;
/** Bytes after the content of a block: one for its compression, four for its checksum. */
export const blockTrailerBytes = 5;
const snappyCompressed = 1;

/** The position of a block in its file. */
export interface BlockHandle {
  readonly offset: number;
  readonly size: number;
}

/** Reads bytes of a table file. Throws RangeError if the file does not have them. */
export type ReadTable = (offset: number, size: number) => Promise<Buffer>;

/** The positions of the two blocks that lead to all other blocks. */
export interface TableFooter {
  readonly metaIndex: BlockHandle;
  readonly index: BlockHandle;
}

/** The position of a block of records, and a key that is not smaller than any key in it. */
export interface IndexEntry {
  readonly key: Buffer;
  readonly handle: BlockHandle;
}

/** Reads from the content of a table file in RAM. */
export function readFrom(table: Buffer): ReadTable {
  return async (offset, size) => {
    if (offset < 0 || offset + size > table.length)
      throw new RangeError(`refers to ${size} bytes at ${offset}, outside the file`);
    return table.subarray(offset, offset + size);
  };
}

export async function readFooter(read: ReadTable, tableBytes: number): Promise<TableFooter> {
  const footer = await read(tableBytes - footerBytes, footerBytes);
  if (footer.readBigUInt64LE(footerBytes - 8) !== tableMagic)
    throw new RangeError("does not end as a table does");
  const reader = new ByteReader(footer);
  return { metaIndex: readHandle(reader), index: readHandle(reader) };
}

/**
 * Greatest ratio of the sizes of a text and its Snappy form: three bytes can copy 64. A block that
 * claims to be larger is damaged, and would only take RAM.
 */
const snappyRatioMax = 22;

/** Uncompresses a block. Throws RangeError if the bytes are not a Snappy block. */
export function uncompressBlock(compressed: Uint8Array): Buffer {
  try {
    const { buffer, byteOffset, byteLength } = snappy.uncompress(
      compressed,
      snappyRatioMax * compressed.length,
    );
    return Buffer.from(buffer, byteOffset, byteLength);
  } catch (error) {
    throw new RangeError("has a block that cannot be uncompressed", { cause: error });
  }
}

/** Returns the content of a block. Throws RangeError if its checksum is wrong. */
export async function readBlock(read: ReadTable, { offset, size }: BlockHandle): Promise<Buffer> {
  const bytes = await read(offset, size + blockTrailerBytes);
  if (maskedChecksum(bytes.subarray(0, size + 1)) !== bytes.readUInt32LE(size + 1))
    throw new RangeError(`has a damaged block at byte ${offset}`);
  const content = bytes.subarray(0, size);
  return bytes[size] === snappyCompressed ? uncompressBlock(content) : content;
}

/** Returns the entries of a block that lists other blocks. */
export function indexEntries(block: Buffer): readonly IndexEntry[] {
  const restarts = block.readUInt32LE(block.length - 4);
  const end = block.length - 4 * (restarts + 1);
  const reader = new ByteReader(block);
  const entries: IndexEntry[] = [];
  while (reader.position < end) {
    const shared = reader.varint();
    const added = reader.varint();
    const valueBytes = reader.varint();
    const before = entries.at(-1)?.key ?? Buffer.alloc(0);
    const key = Buffer.concat([before.subarray(0, shared), reader.take(added)]);
    entries.push({ key, handle: readHandle(new ByteReader(reader.take(valueBytes))) });
  }
  return entries;
}

function readHandle(reader: ByteReader): BlockHandle {
  return { offset: reader.varint(), size: reader.varint() };
}

import { open, readFile, stat } from "node:fs/promises";
import { indexEntries, type ReadTable, readBlock, readFooter, readFrom } from "./table.js";

/**
 * How much of a table file to read.
 * - `frame`: the index and the filter, which locate records.
 * - `all`: also the records.
 */
export type TableDepth = "frame" | "all";

/**
 * Checks the blocks of a table file. LevelDB reads them without verifying their checksums.
 *
 * @param expectedBytes the size that the manifest lists
 * @returns a description of the damage, `undefined` if there is none
 */
export async function checkTable(
  path: string,
  expectedBytes: number,
  depth: TableDepth,
): Promise<string | undefined> {
  const { size } = await stat(path);
  if (size !== expectedBytes) return `is ${size} bytes long instead of ${expectedBytes}`;
  try {
    if (depth === "frame") await checkFrame(path, size);
    else await checkAll(await readFile(path));
    return undefined;
  } catch (error) {
    if (error instanceof RangeError) return error.message;
    throw error;
  }
}

async function checkFrame(path: string, tableBytes: number): Promise<void> {
  const file = await open(path, "r");
  try {
    await readFrame(async (offset, size) => {
      if (offset < 0 || offset + size > tableBytes)
        throw new RangeError(`refers to ${size} bytes at ${offset}, outside the file`);
      const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(size), 0, size, offset);
      if (bytesRead !== size) throw new RangeError(`ends before the ${size} bytes at ${offset}`);
      return buffer;
    }, tableBytes);
  } finally {
    await file.close();
  }
}

async function checkAll(table: Buffer): Promise<void> {
  const read = readFrom(table);
  const index = await readFrame(read, table.length);
  for (const { handle } of indexEntries(index)) await readBlock(read, handle);
}

/** Reads footer, filter and index. Returns the index. */
async function readFrame(read: ReadTable, tableBytes: number): Promise<Buffer> {
  const { metaIndex, index } = await readFooter(read, tableBytes);
  for (const { handle } of indexEntries(await readBlock(read, metaIndex)))
    await readBlock(read, handle);
  return readBlock(read, index);
}

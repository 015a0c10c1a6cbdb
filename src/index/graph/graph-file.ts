import { closeSync, fstatSync, fsyncSync, openSync, readSync } from "node:fs";
import { crc32 } from "node:zlib";
import { graphParameters } from "./hnsw-graph.js";

const chunkBytes = 1024 * 1024;

/** Size of hnswlib's header: lengths and parameters. */
const headerBytes = 96;
/** Of each node's length and label, and of each link and number of a vector. */
const lengthBytes = 4;
const labelBytes = 8;
const numberBytes = 4;

/** What tells a file from others. */
export interface FileSum {
  readonly bytes: number;
  /** CRC-32 of all bytes. */
  readonly checksum: number;
}

/**
 * Makes sure that a graph was written to a file whole, and is on the disk. The addon reports success for a full disk and for a folder that is not there.
 * hnswlib writes a header, its nodes, each of the same size, then for each node the length of its links in higher layers and these links. A write that fails ends the file, so the lengths tell.
 * @throws Error for a file that is cut off or not there
 */
export function checkGraphFile(path: string, dimension: number, count: number): FileSum {
  const nodeBytes =
    lengthBytes + numberBytes * (2 * graphParameters.links + dimension) + labelBytes;
  const file = openSync(path, "r+");
  try {
    const { size } = fstatSync(file);
    const linksStart = headerBytes + count * nodeBytes;
    const links = Buffer.alloc(Math.max(0, size - linksStart));
    readSync(file, links, 0, links.length, linksStart);
    if (linksLength(links, count) !== size - linksStart)
      throw new Error(`the graph of ${count} vectors was cut off after ${size} bytes`);
    fsyncSync(file);
    return { bytes: size, checksum: checksumOf(file) };
  } finally {
    closeSync(file);
  }
}

/** Size and checksum of a file as it is. */
export function sumOfFile(path: string): FileSum {
  const file = openSync(path, "r");
  try {
    return { bytes: fstatSync(file).size, checksum: checksumOf(file) };
  } finally {
    closeSync(file);
  }
}

/** How long the links of `count` nodes in higher layers are, by the lengths before them; -1 if they are cut off. */
function linksLength(links: Buffer, count: number): number {
  let at = 0;
  for (let node = 0; node < count; node++) {
    if (at + lengthBytes > links.length) return -1;
    at += lengthBytes + links.readUInt32LE(at);
  }
  return at;
}

function checksumOf(file: number): number {
  const chunk = Buffer.alloc(chunkBytes);
  let checksum = 0;
  for (let at = 0; ; ) {
    const bytes = readSync(file, chunk, 0, chunk.length, at);
    if (bytes === 0) return checksum;
    checksum = crc32(chunk.subarray(0, bytes), checksum);
    at += bytes;
  }
}

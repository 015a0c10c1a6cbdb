import { closeSync, fstatSync, fsyncSync, openSync, readSync } from "node:fs";
import { crc32 } from "node:zlib";
import { graphParameters } from "./hnsw-graph.js";

const chunkBytes = 1024 * 1024;

/** Bytes of hnswlib's header, which has lengths and parameters. */
const headerBytes = 96;
/** Bytes of a length field. */
const lengthBytes = 4;
const labelBytes = 8;
/** Bytes of one link, and also of one number of a vector. */
const numberBytes = 4;

/** Size and checksum of a file. */
export interface FileSum {
  readonly bytes: number;
  /** CRC-32 of all bytes. */
  readonly checksum: number;
}

/**
 * Checks that a graph file is complete, and syncs it to disk. The check is needed because
 * hnswlib-node, which writes the file, reports success even when the disk is full or the folder is
 * missing.
 *
 * hnswlib writes a header, then the nodes (all of one size), then the length and content of each
 * node's links in higher layers. A failed write ends the file early, so the lengths reveal it.
 *
 * @throws Error when the file is cut off or missing
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

/** Returns the size and checksum of a file, without checking them. */
export function sumOfFile(path: string): FileSum {
  const file = openSync(path, "r");
  try {
    return { bytes: fstatSync(file).size, checksum: checksumOf(file) };
  } finally {
    closeSync(file);
  }
}

/**
 * Returns the number of bytes that the links of `count` nodes in higher layers take, or -1 if the
 * links are cut off.
 */
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

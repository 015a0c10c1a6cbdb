import crc32c from "crc-32/crc32c.js";

/**
 * Returns LevelDB's checksum: CRC-32C, rotated and shifted so that it also protects data that
 * contains checksums (`util/crc32c.h`).
 */
export function maskedChecksum(bytes: Uint8Array): number {
  const crc = crc32c.buf(bytes) >>> 0;
  return (((crc >>> 15) | (crc << 17)) + 0xa282ead8) >>> 0;
}

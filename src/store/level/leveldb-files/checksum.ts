import crc32c from "crc-32/crc32c.js";

/**
 * Returns LevelDB's checksum (`util/crc32c.h`): CRC-32C with rotated bits, plus a constant. LevelDB
 * changes the CRC in this way, because a plain CRC is weak for data that contains CRCs itself.
 */
export function maskedChecksum(bytes: Uint8Array): number {
  const crc = crc32c.buf(bytes) >>> 0;
  return (((crc >>> 15) | (crc << 17)) + 0xa282ead8) >>> 0;
}

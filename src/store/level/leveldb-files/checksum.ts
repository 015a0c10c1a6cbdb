import crc32c from "crc-32/crc32c.js";

/**
 * Returns LevelDB's checksum (`util/crc32c.h`): CRC-32C with rotated bits, plus a constant. So it
 * also protects data that contains CRC-32C checksums.
 */
export function maskedChecksum(bytes: Uint8Array): number {
  const crc = crc32c.buf(bytes) >>> 0;
  return (((crc >>> 15) | (crc << 17)) + 0xa282ead8) >>> 0;
}

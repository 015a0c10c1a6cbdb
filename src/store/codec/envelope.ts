import { crc32 } from "node:zlib";

// The envelope of a value: one byte of format version, the payload, the checksum.
// docs/internals/data-format.md shows the bytes.

/**
 * The format version of all values. Must change when a version could mistake a later payload for
 * one of its own.
 */
const formatVersion = 1;

const checksumBytes = 4;

/** Wraps a payload for disk. The checksum covers the key too. */
export function seal(key: Buffer, payload: Uint8Array): Buffer {
  const value = Buffer.allocUnsafe(1 + payload.length + checksumBytes);
  value.writeUInt8(formatVersion);
  value.set(payload, 1);
  const end = value.length - checksumBytes;
  value.writeUInt32LE(crc32(value.subarray(0, end), crc32(key)), end);
  return value;
}

/** Returns the payload of a value; `undefined` if the checksum of key and value is wrong. */
export function unseal(key: Buffer, value: Buffer): Buffer | undefined {
  const end = value.length - checksumBytes;
  if (end < 1 || value[0] !== formatVersion) return undefined;
  return crc32(value.subarray(0, end), crc32(key)) === value.readUInt32LE(end)
    ? value.subarray(1, end)
    : undefined;
}

/** Returns the length of the payload of a sealed value. */
export function payloadLength(value: { readonly length: number }): number {
  return value.length - 1 - checksumBytes;
}

/**
 * Returns the checksum of a sealed value: CRC-32 over the bytes of its key and of the value before
 * the checksum. Heads and marks contain sums of these checksums.
 */
export function checksumOf(value: Buffer): number {
  return value.readUInt32LE(value.length - checksumBytes);
}

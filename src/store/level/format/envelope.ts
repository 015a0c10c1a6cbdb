import { crc32 } from "node:zlib";

// Around every value: one byte of format version, the payload, the checksum. docs/data-format.md shows the bytes.

/** The version of all values so far. Another one is needed when what a payload holds can no longer be told from what it held before. */
export const formatVersion = 1;

const checksumBytes = 4;

/** A value on disk, for the key that it will stand under. */
export function seal(key: Buffer, payload: Uint8Array): Buffer {
  const value = Buffer.allocUnsafe(1 + payload.length + checksumBytes);
  value.writeUInt8(formatVersion);
  value.set(payload, 1);
  const end = value.length - checksumBytes;
  value.writeUInt32LE(crc32(value.subarray(0, end), crc32(key)), end);
  return value;
}

/** The payload of a value; `undefined` if key and value do not belong together as they were written. */
export function unseal(key: Buffer, value: Buffer): Buffer | undefined {
  const end = value.length - checksumBytes;
  if (end < 1 || value[0] !== formatVersion) return undefined;
  return crc32(value.subarray(0, end), crc32(key)) === value.readUInt32LE(end)
    ? value.subarray(1, end)
    : undefined;
}

/** The checksum of a sealed value: over the bytes of its key, then of the value up to here (CRC-32). It stands for the record in the sums of heads and groups. */
export function checksumOf(value: Buffer): number {
  return value.readUInt32LE(value.length - checksumBytes);
}

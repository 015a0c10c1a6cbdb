import { maskedChecksum } from "./checksum.js";

const blockBytes = 32_768;
const headerBytes = 7;

/** Types of fragments: a whole record, or the first, middle or last part of one. */
const fragmentTypes = { full: 1, first: 2, middle: 3, last: 4 } as const;

/** The content of a file in LevelDB's log format. */
export interface LogRecords {
  readonly records: readonly Buffer[];
  /** Bytes up to the end of the last whole fragment. A crash may have torn the write after it. */
  readonly intactBytes: number;
  /** Damage in the middle of the file, where no crash can have torn a write. */
  readonly damage: string | undefined;
}

/**
 * Reads a manifest or log (`doc/log_format.md` of LevelDB) and checks every fragment. LevelDB
 * itself checks only some of the fragments.
 */
export function readLogRecords(file: Buffer): LogRecords {
  const records: Buffer[] = [];
  let parts: Buffer[] = [];
  let offset = 0;
  const damaged = (what: string): LogRecords => ({
    records,
    intactBytes: offset,
    damage: `${what} at byte ${offset}`,
  });
  while (offset + headerBytes <= file.length) {
    const blockLeft = blockBytes - (offset % blockBytes);
    if (blockLeft < headerBytes) {
      offset += blockLeft;
      continue;
    }
    // After a power cut the file may be longer than its written content.
    if (file.readUIntLE(offset, 6) === 0) break;
    const length = file.readUInt16LE(offset + 4);
    const type = file.readUInt8(offset + 6);
    const end = offset + headerBytes + length;
    if (headerBytes + length > blockLeft) return damaged("a fragment that does not fit its block");
    if (end > file.length) break;
    const body = file.subarray(offset + headerBytes, end);
    if (maskedChecksum(file.subarray(offset + 6, end)) !== file.readUInt32LE(offset))
      return damaged("a wrong checksum");
    const begins = type === fragmentTypes.full || type === fragmentTypes.first;
    const ends = type === fragmentTypes.full || type === fragmentTypes.last;
    if (begins !== (parts.length === 0)) return damaged("a fragment out of order");
    parts.push(body);
    if (ends) {
      records.push(Buffer.concat(parts));
      parts = [];
    }
    offset = end;
  }
  return { records, intactBytes: offset, damage: undefined };
}

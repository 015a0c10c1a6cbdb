import { packPayload, unpackPayload } from "./table-codecs.js";

/** Marks are removed only behind this many bytes of later groups: by then the logs with those groups are long gone. */
export const markWindowBytes = 64 * 1024 * 1024;

/** The sum of the checksums of all heads modulo 2^32, and how many there are. */
export interface HeadTotals {
  readonly count: number;
  readonly digest: number;
}

/** What each group writes about itself, under its number. */
export interface Mark {
  /** The oldest group whose mark is kept. From it to the newest one none may be missing. */
  readonly floor: number;
  /** Bytes of the group's keys and values. */
  readonly bytes: number;
  /** CRC-32 over what the group put and deleted. */
  readonly groupChecksum: number;
  /** The heads of all scopes and namespaces after the group. */
  readonly heads: HeadTotals;
}

export function encodeMark({ floor, bytes, groupChecksum, heads }: Mark): Buffer {
  return packPayload([floor, bytes, groupChecksum, heads.count, heads.digest]);
}

export function decodeMark(payload: Buffer): Mark {
  const [floor, bytes, groupChecksum, count, digest] =
    unpackPayload<[number, number, number, number, number]>(payload);
  return { floor, bytes, groupChecksum, heads: { count, digest } };
}

/** Which marks are kept. */
export interface MarkWindow {
  /** The oldest group whose mark is kept. */
  readonly floor: number;
  /** Adds the next group's bytes and returns the groups whose marks go now. */
  add(bytes: number): readonly number[];
}

/** A window that starts with the marks of the groups from `floor` on, given by the bytes of each. */
export function createMarkWindow(
  firstFloor: number,
  groupBytes: readonly number[],
  windowBytes = markWindowBytes,
): MarkWindow {
  /** Bytes of the groups from `firstFloor` on; those below `floor` are spent. */
  let sizes = [...groupBytes];
  let base = firstFloor;
  let floor = firstFloor;
  let total = sizes.reduce((sum, bytes) => sum + bytes, 0);

  /** Bytes of all groups behind the oldest one kept. */
  function bytesBehindFloor(): number {
    return total - (sizes[floor - base] ?? 0);
  }

  return {
    get floor() {
      return floor;
    },
    add(bytes) {
      sizes.push(bytes);
      total += bytes;
      const gone: number[] = [];
      while (bytesBehindFloor() > windowBytes) {
        total = bytesBehindFloor();
        gone.push(floor++);
      }
      if (floor - base > sizes.length / 2) {
        sizes = sizes.slice(floor - base);
        base = floor;
      }
      return gone;
    },
  };
}

import { packPayload, unpackPayload } from "../../codec/table-codecs.js";

/**
 * A mark (see `Mark`) is removed after this many bytes of later groups. By then LevelDB has deleted
 * the log that contains the group of the mark.
 */
export const markWindowBytes = 64 * 1024 * 1024;

/** The number of all heads, and the sum of their checksums modulo 2^32. */
export interface HeadTotals {
  readonly count: number;
  readonly digest: number;
}

/**
 * The mark of a group (see `GroupCommit`): a record about the group, which the group itself writes.
 */
export interface Mark {
  /** The oldest group whose mark is kept. From it to the newest group, no mark may be missing. */
  readonly floor: number;
  /** Bytes of the group's keys and values. */
  readonly bytes: number;
  /** CRC-32 over the puts and deletions of the group. */
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

/** The window of groups whose marks are kept. */
export interface MarkWindow {
  /** The oldest group whose mark is kept. */
  readonly floor: number;
  /**
   * Adds the next group, which has this many bytes. Returns the groups whose marks are to be
   * removed now.
   */
  add(bytes: number): readonly number[];
}

/**
 * Creates a window of the groups from `firstFloor` on.
 *
 * @param groupBytes bytes of each of these groups
 */
export function createMarkWindow(
  firstFloor: number,
  groupBytes: readonly number[],
  windowBytes = markWindowBytes,
): MarkWindow {
  /** Bytes of the groups from `base` on. Groups below `floor` no longer count. */
  let sizes = [...groupBytes];
  let base = firstFloor;
  let floor = firstFloor;
  let total = sizes.reduce((sum, bytes) => sum + bytes, 0);

  /** Returns the bytes of all groups after `floor`. */
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
      const removed: number[] = [];
      while (bytesBehindFloor() > windowBytes) {
        total = bytesBehindFloor();
        removed.push(floor++);
      }
      if (floor - base > sizes.length / 2) {
        sizes = sizes.slice(floor - base);
        base = floor;
      }
      return removed;
    },
  };
}

import type { Memory, VersionOrigin } from "./memory.js";
import { anonymous } from "./principal.js";

/** Default of the maximum number of earlier versions that are kept of a memory. */
export const defaultVersionsMax = 20;

/** An earlier version of a memory, as the store keeps it. */
export interface StoredVersion extends VersionOrigin {
  /** The memory at that version, without its history. Its `content` is empty after a redaction. */
  readonly memory: Omit<Memory, "history">;
  /**
   * Present after a redaction: HMAC-SHA-256 of the removed content, in hexadecimal. Its key belongs
   * to the user.
   */
  readonly contentHmac?: string;
}

/** A version of a memory: an earlier one, or the present one. */
export interface MemoryVersion extends StoredVersion {
  /** SHA-256 of the content, in hexadecimal. Absent after a redaction. */
  readonly contentSha256?: string;
}

/** Returns how the present version of a memory came about. */
export function originOf({ history, createTime, writtenBy }: Memory): VersionOrigin {
  if (history === undefined)
    return { changedBy: writtenBy ?? anonymous.name, changeTime: createTime };
  const { kept: _, ...origin } = history;
  return origin;
}

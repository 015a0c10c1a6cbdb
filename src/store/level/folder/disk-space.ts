import { randomBytes } from "node:crypto";
import { open, rm, stat } from "node:fs/promises";
import { diskFull } from "../../errors.js";
import { isMissing } from "./folder.js";

const checkIntervalMs = 1000;
const pieceBytes = 1024 * 1024;

/** Sees to it that there is room on the disk. */
export interface DiskSpace {
  /** Throws RESOURCE_EXHAUSTED (DISK_FULL) if there was too little room at the last look. */
  requireRoom(): void;
  /** Gives up the reserve if there is no room to open the records without it. */
  makeRoomToOpen(): Promise<void>;
  /** Looks at the disk now and once a second from now on, and keeps the reserve filled. */
  watch(): Promise<void>;
  stop(): void;
}

export interface DiskSpaceOptions {
  readonly reservePath: string;
  /** Opening writes what is in the logs as tables, so this much must be free for it. */
  readonly reserveBytes: number;
  /** Growing writes are refused when less than this is free. */
  readonly minFreeBytes: number;
  /** Bytes that this process may still write to the disk. */
  readonly freeBytes: () => Promise<number>;
  /** Called when the disk cannot be looked at. */
  readonly onError: (error: unknown) => void;
}

export function createDiskSpace({
  reservePath,
  reserveBytes,
  minFreeBytes,
  freeBytes,
  onError,
}: DiskSpaceOptions): DiskSpace {
  let free = Number.POSITIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;

  async function look(): Promise<void> {
    free = await freeBytes();
    if (free >= minFreeBytes + reserveBytes && (await sizeOf(reservePath)) !== reserveBytes)
      await writeReserve(reservePath, reserveBytes);
  }

  return {
    requireRoom() {
      if (free < minFreeBytes) throw diskFull(free, minFreeBytes);
    },
    async makeRoomToOpen() {
      if ((await freeBytes()) < reserveBytes) await rm(reservePath, { force: true });
    },
    async watch() {
      await look().catch(onError);
      timer ??= setInterval(() => void look().catch(onError), checkIntervalMs);
      timer.unref();
    },
    stop() {
      clearInterval(timer);
      timer = undefined;
    },
  };
}

async function sizeOf(path: string): Promise<number | undefined> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** Fills the file with bytes that no file system can pack: one that was only made long would take no room. */
async function writeReserve(path: string, bytes: number): Promise<void> {
  const piece = randomBytes(Math.min(pieceBytes, bytes));
  const file = await open(path, "w");
  try {
    for (let written = 0; written < bytes; written += piece.length)
      await file.write(piece, 0, Math.min(piece.length, bytes - written));
  } finally {
    await file.close();
  }
}

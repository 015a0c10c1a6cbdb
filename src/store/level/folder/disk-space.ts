import { randomBytes } from "node:crypto";
import { open, rm, stat } from "node:fs/promises";
import { diskFull } from "../../errors.js";
import { isMissing } from "./folder.js";

const checkIntervalMs = 1000;
const pieceBytes = 1024 * 1024;

/**
 * Watches the free space of the disk. Keeps a reserve: a file that is deleted when opening the
 * records needs its space.
 */
export interface DiskSpace {
  /**
   * Checks the free space that was last measured.
   *
   * @throws RESOURCE_EXHAUSTED (DISK_FULL) when there was too little
   */
  requireRoom(): void;
  /** Deletes the reserve if opening the records needs its space. */
  makeRoomToOpen(): Promise<void>;
  /**
   * Measures the free space immediately, and then every second. Fills the reserve when the disk has
   * enough free space.
   */
  watch(): Promise<void>;
  stop(): void;
}

export interface DiskSpaceOptions {
  readonly reservePath: string;
  /**
   * Size of the reserve in bytes. Opening needs this much: it copies LevelDB's logs, and writes
   * their content to table files.
   */
  readonly reserveBytes: number;
  /** Minimum free bytes for writes that add data. */
  readonly minFreeBytes: number;
  /** Returns the bytes that this process may still write to the disk. */
  readonly freeBytes: () => Promise<number>;
  /** Called with each measurement of the free space. */
  readonly onMeasured?: (freeBytes: number) => void;
  /**
   * Called when the free space falls below `minFreeBytes`, also at the first measurement, and when
   * there is enough again.
   */
  readonly onFull: (isFull: boolean, freeBytes: number) => void;
  /** Called when measuring fails. */
  readonly onError: (error: unknown) => void;
}

export function createDiskSpace({
  reservePath,
  reserveBytes,
  minFreeBytes,
  freeBytes,
  onMeasured = () => undefined,
  onFull,
  onError,
}: DiskSpaceOptions): DiskSpace {
  let free = Number.POSITIVE_INFINITY;
  let isFull = false;
  let timer: NodeJS.Timeout | undefined;

  async function look(): Promise<void> {
    free = await freeBytes();
    onMeasured(free);
    if (free < minFreeBytes !== isFull) {
      isFull = !isFull;
      onFull(isFull, free);
    }
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

/**
 * Fills the file with random bytes, which no file system can compress. A file that is only extended
 * would take no space.
 */
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

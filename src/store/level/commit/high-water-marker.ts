import type { HighWaterMark, MarkFile } from "../folder/mark-file.js";
import type { ManifestWatch } from "../leveldb-files/manifest-file.js";

/**
 * Time until a written high-water mark is synced, in milliseconds. A synced mark survives a power
 * cut.
 */
const markSyncIntervalMs = 100;

/** Records in a file which group of commits is the last that may be acknowledged. */
export interface HighWaterMarker {
  /** Records a durable group. Resolves when the group may be acknowledged. */
  note(group: number, groupChecksum: number): Promise<void>;
  /** Records a clean close and the size of LevelDB's manifest durably, and closes the file. */
  close(): Promise<void>;
  /** Closes the file without another write. */
  abandon(): Promise<void>;
}

export interface HighWaterMarkerOptions {
  /** Syncs the file before each group is acknowledged. */
  readonly syncEach: boolean;
  /** Called when a sync in the background fails. */
  readonly onFailure: (error: unknown) => void;
}

/**
 * Starts a marker that continues from `mark`. First writes `mark` again, with the current manifest
 * and with `clean` set to false.
 */
export async function startHighWaterMarker(
  file: MarkFile,
  manifest: ManifestWatch,
  mark: HighWaterMark,
  { syncEach, onFailure }: HighWaterMarkerOptions,
): Promise<HighWaterMarker> {
  let last = { ...mark, clean: false };
  let timer: NodeJS.Timeout | undefined;
  /** Writes are sequential, so that an older mark never overwrites a newer one. */
  let writing: Promise<void> = Promise.resolve();

  function write(next: () => HighWaterMark): Promise<void> {
    writing = writing.then(() => {
      last = next();
      return file.write(last);
    });
    return writing;
  }

  async function sync(): Promise<void> {
    const bytes = await manifest.durableBytes();
    if (bytes !== last.manifest.bytes)
      await write(() => ({ ...last, manifest: { ...last.manifest, bytes } }));
    await file.sync();
  }

  function syncSoon(): void {
    timer ??= setTimeout(() => {
      timer = undefined;
      sync().catch(onFailure);
    }, markSyncIntervalMs);
    timer.unref();
  }

  try {
    await sync();
  } catch (error) {
    await file.close();
    throw error;
  }
  return {
    async note(group, groupChecksum) {
      await write(() => ({ ...last, group, groupChecksum }));
      if (syncEach) await file.sync();
      syncSoon();
    },
    async close() {
      clearTimeout(timer);
      await write(() => ({ ...last, clean: true }));
      await sync();
      await file.close();
    },
    async abandon() {
      clearTimeout(timer);
      await file.close();
    },
  };
}

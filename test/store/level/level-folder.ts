import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { RawRecords } from "../../../src/core/ports/backup.js";
import type { Clock } from "../../../src/core/ports/clock.js";
import type { Store } from "../../../src/core/ports/store.js";
import { realPlatform, type StorePlatform } from "../../../src/store/level/folder/platform.js";
import { type LevelStoreOptions, openLevelStore } from "../../../src/store/level/level-store.js";

/** The real machine with a small reserve file, because a large one would slow the tests. */
export const testPlatform: StorePlatform = { ...realPlatform, reserveBytes: 64 * 1024 };

export const fixedClock: Clock = { nowMs: () => 1_760_000_000_000 };

/** Creates a folder for one test, and removes the folder at the end of the test. */
export async function createTestFolder(onEnd: (end: () => Promise<void>) => void): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "vademecum-store-"));
  onEnd(() => rm(folder, { recursive: true, force: true }));
  return join(folder, "data");
}

export function openTestStore(
  folder: string,
  options: Partial<LevelStoreOptions> = {},
  platform: StorePlatform = testPlatform,
): Promise<Store & RawRecords> {
  return openLevelStore({ folder, clock: fixedClock, ...options }, platform);
}

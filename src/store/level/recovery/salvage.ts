import { randomUUID } from "node:crypto";
import { mkdir, open, rename, rm } from "node:fs/promises";
import { basename, join } from "node:path";
import type { Database } from "../folder/database.js";
import { exists, type FolderPaths, removeDurably, syncFolder } from "../folder/folder.js";
import { createMarkFile, readMarkFile } from "../folder/mark-file.js";
import type { StorePlatform } from "../folder/platform.js";
import type { Finding } from "./damage.js";
import { readMeta, type StoreMeta } from "./opening-checks.js";
import { openReadableCopy } from "./readable-copy.js";
import { type SalvageCounts, saveReadable } from "./salvage-records.js";

/** The record of an accepted loss. */
export interface LossRecord extends SalvageCounts {
  readonly acceptedMs: number;
  /** The new epoch. */
  readonly epoch: string;
  readonly findings: readonly Finding[];
  /** Folder with the damaged store, to be removed by hand. */
  readonly keptIn: string;
}

/**
 * Replaces a damaged store by the records that can be saved, and keeps the damaged store aside.
 *
 * Removes the damage file last. So after a crash at any point, the folder is still refused.
 * Accepting the loss again then continues the work. Lost deletions cannot be detected: deleted
 * records may come back.
 */
export async function acceptLoss(
  paths: FolderPaths,
  platform: StorePlatform,
  findings: readonly Finding[],
  nowMs: number,
): Promise<LossRecord> {
  // Completes an earlier attempt that ended between the last two renames below.
  if (!(await exists(paths.records)) && (await exists(paths.salvaged)))
    await rename(paths.salvaged, paths.records);
  const { meta, salvaged } = await salvage(paths, platform, nowMs);
  const keptIn = join(paths.folder, `damaged-${meta.epoch}`);
  await mkdir(keptIn);
  for (const path of [paths.evidence, paths.highWaterMark, paths.records]) {
    if (await exists(path)) await rename(path, join(keptIn, basename(path)));
  }
  await rename(paths.salvaged, paths.records);
  await createMarkFile(paths.highWaterMark, {
    ...meta,
    group: 0,
    groupChecksum: 0,
    manifest: { number: 0, bytes: 0 },
    clean: false,
  });
  await syncFolder(paths.folder);
  const loss: LossRecord = { acceptedMs: nowMs, epoch: meta.epoch, ...salvaged, findings, keptIn };
  await appendDurably(paths.losses, `${JSON.stringify(loss)}\n`);
  await removeDurably(paths.folder, paths.damage);
  return loss;
}

async function salvage(
  paths: FolderPaths,
  platform: StorePlatform,
  nowMs: number,
): Promise<{ readonly meta: StoreMeta; readonly salvaged: SalvageCounts }> {
  const mark = await readMarkFile(paths.highWaterMark);
  await rm(paths.salvaged, { recursive: true, force: true });
  const copy = await openReadableCopy(paths, mark?.manifest, platform);
  try {
    const storeId = mark?.storeId ?? storeIdIn(copy.database) ?? randomUUID();
    const meta = { storeId, epoch: randomUUID() };
    const target = await platform.openDatabase(paths.salvaged, { createIfMissing: true });
    try {
      return { meta, salvaged: await saveReadable(copy.database, target, meta, nowMs) };
    } finally {
      await target.close();
    }
  } finally {
    await copy.discard();
  }
}

function storeIdIn(database: Database | undefined): string | undefined {
  return database === undefined ? undefined : readMeta(database)?.storeId;
}

async function appendDurably(path: string, text: string): Promise<void> {
  const file = await open(path, "a");
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}

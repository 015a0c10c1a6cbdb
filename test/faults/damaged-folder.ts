import { cp, readdir, readFile, rm, stat, truncate, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { createMarkFile, readMarkFile } from "../../src/store/level/folder/mark-file.js";
import type { StorePlatform } from "../../src/store/level/folder/platform.js";
import { readManifest } from "../../src/store/level/leveldb-files/manifest.js";
import { currentManifest } from "../../src/store/level/leveldb-files/manifest-file.js";
import { openTestStore, testPlatform } from "../store/level/level-folder.js";
import { userScope, users, writeNext } from "./children/plan.js";

/** Fills a folder with `commits` commits of each user, written one by one. Closes the store. */
export async function fillFolder(
  folder: string,
  commits: number,
  platform: StorePlatform = testPlatform,
): Promise<void> {
  const store = await openTestStore(folder, {}, platform);
  for (let commit = 0; commit < commits; commit++) {
    for (const userId of users)
      await store.update(userScope(userId), (tx) => writeNext(tx, userId));
  }
  await store.close();
}

/** Calls `use` with a copy of a folder. */
export async function withCopy<T>(folder: string, use: (copy: string) => Promise<T>): Promise<T> {
  const copy = `${folder}-copy`;
  await rm(copy, { recursive: true, force: true });
  await cp(folder, copy, { recursive: true });
  return use(copy);
}

/** Returns the files of the records that match the pattern, in ascending order. */
export async function recordFiles(folder: string, pattern: RegExp): Promise<string[]> {
  const records = join(folder, "records");
  const names = (await readdir(records)).filter((name) => pattern.test(name));
  return names.toSorted().map((name) => join(records, name));
}

/**
 * Returns the tables that LevelDB uses, in order. If LevelDB is closed during a compaction, it
 * leaves an incomplete table in the folder until it opens again.
 */
export async function recordTables(folder: string): Promise<string[]> {
  const manifest = await currentManifest(join(folder, "records"));
  if (manifest === undefined) throw new Error("the records have no manifest");
  const { tables } = readManifest(await readFile(manifest.path));
  const paths = await recordFiles(folder, /\.ldb$/);
  return paths.filter((path) => tables.has(Number.parseInt(basename(path), 10)));
}

/** Returns the only file of the records that matches the pattern. */
export async function recordFile(folder: string, pattern: RegExp): Promise<string> {
  const [file, ...others] = await recordFiles(folder, pattern);
  if (file === undefined || others.length > 0) throw new Error(`not one file fits ${pattern}`);
  return file;
}

/** Changes a folder as if the process had ended without closing the store. */
export async function markUnclean(folder: string): Promise<void> {
  const path = join(folder, "high-water-mark");
  const mark = await readMarkFile(path);
  if (mark === undefined) throw new Error("no mark");
  await createMarkFile(path, { ...mark, clean: false });
}

/** Flips all bits of a byte. */
export async function flipByte(path: string, offset: number): Promise<void> {
  const bytes = await readFile(path);
  bytes.writeUInt8(bytes.readUInt8(offset) ^ 0xff, offset);
  await writeFile(path, bytes);
}

/** Cuts bytes off the end. */
export async function cutTail(path: string, bytes: number): Promise<void> {
  await truncate(path, (await stat(path)).size - bytes);
}

/** Returns `count` offsets spread over a file, including its first and last byte. */
export function spreadOffsets(size: number, count: number): number[] {
  return Array.from({ length: count }, (_, index) =>
    Math.round((index * (size - 1)) / (count - 1)),
  );
}

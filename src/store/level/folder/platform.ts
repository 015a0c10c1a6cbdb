import { statfs } from "node:fs/promises";
import { type Database, openDatabase, writeBufferBytes } from "./database.js";
import { type MarkFile, openMarkFile } from "./mark-file.js";

/** What a store takes from the machine. Tests give it failing parts. */
export interface StorePlatform {
  openDatabase(folder: string, options: { readonly createIfMissing: boolean }): Promise<Database>;
  openMarkFile(path: string): Promise<MarkFile>;
  /** Bytes that this process may still write to the disk that a folder is on. */
  freeBytes(folder: string): Promise<number>;
  /** Size of the file that is given up to open on a full disk: for a copy of the logs, which hold up to two write buffers, and for the tables that opening makes of them. */
  readonly reserveBytes: number;
}

export const realPlatform: StorePlatform = {
  openDatabase,
  openMarkFile,
  async freeBytes(folder) {
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize;
  },
  reserveBytes: 4 * writeBufferBytes,
};

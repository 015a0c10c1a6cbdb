import { statfs } from "node:fs/promises";
import { type Database, openDatabase, writeBufferBytes } from "./database.js";
import { type MarkFile, openMarkFile } from "./mark-file.js";

/** The services of the machine that a store uses. Tests replace them with failing services. */
export interface StorePlatform {
  openDatabase(folder: string, options: { readonly createIfMissing: boolean }): Promise<Database>;
  openMarkFile(path: string): Promise<MarkFile>;
  /** Returns the bytes that this process may still write to the disk of a folder. */
  freeBytes(folder: string): Promise<number>;
  /**
   * Size of the reserve file in bytes. LevelDB's logs hold up to two write buffers. The reserve has
   * space for a copy of the logs, and for the table files that opening makes of the logs.
   */
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

import { Level } from "level";
import { realPlatform, type StorePlatform } from "../../../src/store/level/folder/platform.js";

/**
 * The real machine, but LevelDB has small buffers. So every few dozen commits, LevelDB starts a new
 * log, and writes tables and its manifest.
 */
export const smallBuffers: StorePlatform = {
  ...realPlatform,
  reserveBytes: 64 * 1024,
  async openDatabase(folder, options) {
    const database = new Level<Buffer, Buffer>(folder, {
      keyEncoding: "buffer",
      valueEncoding: "buffer",
    });
    await database.open({ ...options, writeBufferSize: 64 * 1024, maxFileSize: 1024 * 1024 });
    return database;
  },
};

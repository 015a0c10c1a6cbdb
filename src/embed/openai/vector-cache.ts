import { mkdir, rm } from "node:fs/promises";
import { crc32 } from "node:zlib";
import { Level } from "level";
import type { Log } from "../../core/ports/log.js";
import { jointRun } from "../../core/requests/joint-run.js";

/**
 * A cache of vectors by key, on disk. Losing a vector costs one request. So `get` and `put` never
 * fail: an unreadable vector counts as absent.
 */
export interface VectorCache {
  get(key: Buffer): Promise<Float32Array | undefined>;
  put(key: Buffer, vector: Float32Array): Promise<void>;
  /**
   * Deletes all vectors, also from the files.
   *
   * @throws Error of the system when the files cannot be deleted
   */
  empty(): Promise<void>;
  close(): Promise<void>;
}

export interface VectorCacheOptions {
  /** A folder for the cache alone. Created if it does not exist. */
  readonly folder: string;
  /** Maximum bytes of keys and vectors. */
  readonly maxBytes: number;
  readonly log: Log;
}

/** A cache that keeps nothing. */
export const noVectorCache: VectorCache = {
  async get() {
    return undefined;
  },
  async put() {},
  async empty() {},
  async close() {},
};

const generationBytes = 4;
const checksumBytes = 4;

const diskOptions = { compression: false };

/**
 * Opens the cache in a folder. A damaged cache is emptied. If the cache cannot be opened, because
 * another process uses it or the disk is full, nothing is cached.
 *
 * The cache has two generations. When the younger generation exceeds half of `maxBytes`, it becomes
 * the older generation, and the previous older generation is deleted. A vector that is read from
 * the older generation is copied to the younger, so vectors in use stay.
 */
export async function openVectorCache(options: VectorCacheOptions): Promise<VectorCache> {
  const { folder, log } = options;
  try {
    return await openIn(options).catch(async (error: unknown) => {
      if (!isCorruption(error)) throw error;
      log("warn", "the cache of embeddings is damaged and is emptied", { error });
      await rm(folder, { recursive: true });
      return openIn(options);
    });
  } catch (error) {
    log("warn", "the cache of embeddings cannot be used; texts are embedded again", { error });
    return noVectorCache;
  }
}

type Database = Level<Buffer, Buffer>;

async function openIn({ folder, maxBytes, log }: VectorCacheOptions): Promise<VectorCache> {
  await mkdir(folder, { recursive: true });
  const database: Database = new Level<Buffer, Buffer>(folder, {
    keyEncoding: "buffer",
    valueEncoding: "buffer",
  });
  await database.open(diskOptions);
  try {
    const generation = await youngestGeneration(database);
    const bytes = await bytesOf(database, generation);
    return new LevelVectorCache({ folder, maxBytes, log }, database, generation, bytes);
  } catch (error) {
    await database.close();
    throw error;
  }
}

/**
 * Whether an error of LevelDB reports damaged files. An error of a read has the code itself; an
 * error of opening has it in its cause.
 */
function isCorruption(error: unknown): boolean {
  const { code, cause } = error as {
    readonly code?: string;
    readonly cause?: { readonly code?: string };
  };
  return [code, cause?.code].includes("LEVEL_CORRUPTION");
}

/**
 * Key on disk: generation (big-endian), key. Value: CRC-32 of key and vector, then the vector
 * (float32, little-endian).
 */
class LevelVectorCache implements VectorCache {
  readonly #options: VectorCacheOptions;
  readonly #database: Database;
  /** While the files are being deleted, nothing is read or written. */
  #isEmptying = false;
  /** Number of the younger generation. */
  #generation: number;
  /** Bytes of the younger generation. */
  #bytes: number;

  constructor(options: VectorCacheOptions, database: Database, generation: number, bytes: number) {
    this.#options = options;
    this.#database = database;
    this.#generation = generation;
    this.#bytes = bytes;
  }

  async get(key: Buffer): Promise<Float32Array | undefined> {
    if (this.#isEmptying) return undefined;
    const generation = this.#generation;
    const young = await this.#read(generation, key);
    if (young !== undefined || generation === 0) return young;
    const old = await this.#read(generation - 1, key);
    if (old !== undefined) await this.put(key, old);
    return old;
  }

  async put(key: Buffer, vector: Float32Array): Promise<void> {
    if (this.#isEmptying) return;
    const bytes = Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength);
    const value = Buffer.allocUnsafe(checksumBytes + bytes.length);
    value.writeUInt32LE(checksumOf(key, bytes));
    bytes.copy(value, checksumBytes);
    try {
      this.#bytes += generationBytes + key.length + value.length;
      await this.#database.put(diskKey(this.#generation, key), value);
      if (this.#bytes > this.#options.maxBytes / 2) await this.#startGeneration();
    } catch (error) {
      this.#logFailure(error);
    }
  }

  readonly empty = jointRun(() => this.#empty());

  async #empty(): Promise<void> {
    this.#isEmptying = true;
    try {
      await this.#database.close();
      await rm(this.#options.folder, { recursive: true, force: true });
      await this.#database.open(diskOptions);
      this.#generation = 0;
      this.#bytes = 0;
    } finally {
      this.#isEmptying = false;
    }
  }

  async close(): Promise<void> {
    await this.#database.close();
  }

  async #read(generation: number, key: Buffer): Promise<Float32Array | undefined> {
    try {
      const value = await this.#database.get(diskKey(generation, key));
      if (value === undefined || value.length < checksumBytes) return undefined;
      const bytes = value.subarray(checksumBytes);
      if (value.readUInt32LE() !== checksumOf(key, bytes)) return undefined;
      return new Float32Array(Uint8Array.from(bytes).buffer);
    } catch (error) {
      this.#logFailure(error);
      return undefined;
    }
  }

  async #startGeneration(): Promise<void> {
    this.#generation += 1;
    this.#bytes = 0;
    await this.#database.clear({ lt: diskKey(this.#generation - 1, Buffer.alloc(0)) });
  }

  #logFailure(error: unknown): void {
    this.#options.log("warn", "the cache of embeddings failed; the text is embedded again", {
      error,
    });
  }
}

async function youngestGeneration(database: Database): Promise<number> {
  const [key] = await database.keys({ reverse: true, limit: 1 }).all();
  return key === undefined || key.length < generationBytes ? 0 : key.readUInt32BE();
}

async function bytesOf(database: Database, generation: number): Promise<number> {
  let bytes = 0;
  for await (const [key, value] of database.iterator({ gte: diskKey(generation, Buffer.alloc(0)) }))
    bytes += key.length + value.length;
  return bytes;
}

function diskKey(generation: number, key: Buffer): Buffer {
  const prefix = Buffer.allocUnsafe(generationBytes);
  prefix.writeUInt32BE(generation);
  return Buffer.concat([prefix, key]);
}

function checksumOf(key: Buffer, bytes: Buffer): number {
  return crc32(bytes, crc32(key));
}

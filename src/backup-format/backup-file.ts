import { deflateRawSync, inflateRawSync } from "node:zlib";
import { fromBinary, toBinary } from "@bufbuild/protobuf";
import crc32c from "crc-32/crc32c.js";
import { BackupChunkSchema } from "#gen/vademecum/v1/backup_pb.js";
import type { BackupChunk } from "../core/backup/backup-chunk.js";
import { invalidBackup } from "../core/backup/read-backup.js";
import { binaryExcess } from "../edge/wire-elements.js";
import { fromBackupChunk, toBackupChunk } from "./chunk-messages.js";

// The file: `fileMagic`, then one frame for each chunk. docs/internals/data-format.md shows the
// bytes.

/** The first bytes of a backup file, without the version. */
const fileMark = Buffer.from("VDMBACKUP\r\n\x1a\0\0\0", "latin1");

/** The version of the file, which is the byte after `fileMark`. */
const fileVersion = 2;

/** The first bytes of a backup file. */
export const fileMagic = Buffer.concat([fileMark, Buffer.of(fileVersion)]);

/**
 * Bytes before the body of a frame: the length of the body, and a checksum over length and body.
 * The body is the compressed chunk.
 */
const prefixBytes = 8;

/** A higher level makes files of texts and vectors hardly smaller, and takes more time. */
const compressionLevel = 3;

/**
 * Largest chunk to read, compressed or not. This version writes chunks of little more than 512 KiB.
 */
const chunkMaxBytes = 16 * 1024 * 1024;

/** Compresses a chunk, and returns it with its prefix. */
export function encodeFrame(chunk: BackupChunk): Buffer {
  const message = toBinary(BackupChunkSchema, fromBackupChunk(chunk));
  const body = deflateRawSync(message, { level: compressionLevel });
  const frame = Buffer.allocUnsafe(prefixBytes + body.length);
  frame.writeUInt32LE(body.length, 0);
  frame.set(body, prefixBytes);
  frame.writeUInt32LE(checksumOf(frame), 4);
  return frame;
}

/** A chunk of a file, and the offset of the byte after it. */
export interface FramedChunk {
  readonly chunk: BackupChunk;
  readonly endOffset: number;
}

/**
 * Reads the chunks of a file. Checks each frame, but not whether the chunks make a whole backup.
 *
 * @throws INVALID_ARGUMENT (INVALID_BACKUP) when a frame is damaged or cut off
 */
export async function* readFrames(file: AsyncIterable<Uint8Array>): AsyncGenerator<FramedChunk> {
  const bytes = new ByteQueue(file);
  const magic = await bytes.take(fileMagic.length);
  if (magic === undefined || !magic.subarray(0, fileMark.length).equals(fileMark))
    throw invalidBackup("it does not begin as a backup of this service does");
  const version = magic[fileMark.length];
  if (version !== fileVersion)
    throw invalidBackup(
      `the file has format ${version}, and this version of Vademecum reads format ${fileVersion}`,
    );
  for (;;) {
    const start = bytes.offset;
    const prefix = await bytes.take(prefixBytes);
    if (prefix === undefined) {
      if (bytes.isEmpty) return;
      throw cutOff(start);
    }
    const length = prefix.readUInt32LE(0);
    if (length > chunkMaxBytes) throw damaged(start);
    const body = await bytes.take(length);
    if (body === undefined) throw cutOff(start);
    if (checksumOf(Buffer.concat([prefix, body])) !== prefix.readUInt32LE(4)) throw damaged(start);
    yield { chunk: decodeChunk(body, start), endOffset: bytes.offset };
  }
}

function decodeChunk(body: Buffer, start: number): BackupChunk {
  let message: ReturnType<typeof fromBinary<typeof BackupChunkSchema>>;
  try {
    const bytes = inflateRawSync(body, { maxOutputLength: chunkMaxBytes });
    // Millions of tiny records would take a hundred times their bytes when they are decoded.
    const excess = binaryExcess(BackupChunkSchema, bytes);
    if (excess !== undefined) throw new Error(`a part ${excess}`);
    message = fromBinary(BackupChunkSchema, bytes);
  } catch (error) {
    throw damaged(start, error);
  }
  return toBackupChunk(message);
}

function damaged(start: number, cause?: unknown): Error {
  return invalidBackup(`the file is damaged at or after byte ${start}`, cause);
}

function cutOff(start: number): Error {
  return invalidBackup(`the file is cut off in the part that begins at byte ${start}`);
}

/** CRC-32C over the length and the body of a frame. */
function checksumOf(frame: Buffer): number {
  return crc32c.buf(frame.subarray(prefixBytes), crc32c.buf(frame.subarray(0, 4))) >>> 0;
}

/** Takes bytes from a stream in pieces of a wanted length. */
class ByteQueue {
  readonly #iterator: AsyncIterator<Uint8Array>;
  #waiting: Buffer[] = [];
  #length = 0;
  #offset = 0;

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#iterator = source[Symbol.asyncIterator]();
  }

  /** Number of bytes taken. */
  get offset(): number {
    return this.#offset;
  }

  /** Whether all bytes that were read have been taken. */
  get isEmpty(): boolean {
    return this.#length === 0;
  }

  /** Returns the next `count` bytes; `undefined` if the stream has fewer bytes left. */
  async take(count: number): Promise<Buffer | undefined> {
    while (this.#length < count) {
      const result = await this.#iterator.next();
      if (result.done === true) return undefined;
      const { value } = result;
      this.#waiting.push(Buffer.from(value.buffer, value.byteOffset, value.byteLength));
      this.#length += value.byteLength;
    }
    const all = this.#waiting.length === 1 ? this.#waiting[0] : Buffer.concat(this.#waiting);
    const taken = all ?? Buffer.alloc(0);
    this.#waiting = [taken.subarray(count)];
    this.#length -= count;
    this.#offset += count;
    return taken.subarray(0, count);
  }
}

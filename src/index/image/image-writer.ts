import { writevSync } from "node:fs";
import { crc32 } from "node:zlib";
import {
  alignment,
  type ColumnPlace,
  type ImageHeader,
  magic,
  oneStepBytes,
  sliceBytes,
  trailerBytes,
} from "./image-format.js";

/** The parts of a header that the writer does not add itself. */
export type ImageIdentity = Omit<ImageHeader, "values" | "columns">;

/**
 * Writes the image of an index to an open file:
 *
 *     columns, each aligned | header (JSON) | trailer
 *
 * A large image is written in slices, with pauses between them.
 */
export class ImageWriter {
  /** Call between pieces of long work. */
  readonly pause: () => Promise<void>;
  readonly #file: number;
  readonly #values: Record<string, unknown> = {};
  readonly #columns: Record<string, ColumnPlace> = {};
  /** Parts that are not written yet. */
  #waiting: Uint8Array[] = [];
  #waitingBytes = 0;
  /** Where the next part begins. */
  #end = 0;

  constructor(file: number, pause: () => Promise<void>) {
    this.#file = file;
    this.pause = pause;
  }

  /** Keeps a value in the header. Requires: it is made of JSON values. */
  set(name: string, value: unknown): void {
    this.#values[name] = value;
  }

  /** Adds a column. Requires: nothing changes it before the image is finished. */
  async put(name: string, { buffer, byteOffset, byteLength }: ArrayBufferView): Promise<void> {
    const start = this.#end;
    let checksum = 0;
    for (let from = 0; from < byteLength; from += sliceBytes) {
      const length = Math.min(sliceBytes, byteLength - from);
      const slice = new Uint8Array(buffer, byteOffset + from, length);
      checksum = crc32(slice, checksum);
      this.#add(slice);
      await this.#writeIfLarge();
    }
    this.#columns[name] = [start, byteLength, checksum];
    const gap = (alignment - (this.#end % alignment)) % alignment;
    if (gap > 0) this.#add(new Uint8Array(gap));
  }

  /** Ends the image. */
  async finish(identity: ImageIdentity): Promise<void> {
    const content: ImageHeader = { ...identity, values: this.#values, columns: this.#columns };
    const header = Buffer.from(JSON.stringify(content));
    const trailer = Buffer.alloc(trailerBytes);
    trailer.writeUInt32LE(magic, 0);
    trailer.writeUInt32LE(header.length, 4);
    trailer.writeUInt32LE(crc32(header), 8);
    this.#add(header);
    this.#add(trailer);
    this.#write();
  }

  #add(part: Uint8Array): void {
    this.#waiting.push(part);
    this.#waitingBytes += part.length;
    this.#end += part.length;
  }

  async #writeIfLarge(): Promise<void> {
    if (this.#end <= oneStepBytes || this.#waitingBytes < sliceBytes) return;
    this.#write();
    await this.pause();
  }

  #write(): void {
    const parts = this.#waiting;
    let remaining = this.#waitingBytes;
    this.#waiting = [];
    this.#waitingBytes = 0;
    // The limit of parts in one call is 1,024 on Linux.
    for (let from = 0; from < parts.length; from += 512) {
      const some = parts.slice(from, from + 512);
      const bytes = some.reduce((sum, { length }) => sum + length, 0);
      if (writevSync(this.#file, some) !== bytes) throw new Error("the disk took a part only");
      remaining -= bytes;
    }
    if (remaining !== 0) throw new Error("parts of an image are missing");
  }
}

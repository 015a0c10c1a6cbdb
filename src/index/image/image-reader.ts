import { closeSync, fstatSync, openSync, read, readSync } from "node:fs";
import { promisify } from "node:util";
import { crc32 } from "node:zlib";
import { type ImageHeader, magic, oneStepBytes, sliceBytes, trailerBytes } from "./image-format.js";

const readFile = promisify(read);

/** Bytes at the end of a file that are read first. Most headers are shorter. */
const endBytes = 8_192;

/** The buffer of all empty columns. */
const noBytes = new ArrayBuffer(0);

/** The constructor of a column. */
type ColumnType<T> = (new (buffer: ArrayBuffer) => T) & { readonly BYTES_PER_ELEMENT: number };

/** Reads an image. Each method throws when the image is damaged. The caller closes the reader. */
export class ImageReader implements Disposable {
  readonly header: ImageHeader;
  readonly #file: number;
  readonly #pause: () => Promise<void>;
  /** The columns of a small image; `undefined`: each column is read when it is needed. */
  #whole: Uint8Array<ArrayBuffer> | undefined;

  /**
   * Opens an image and reads its header.
   *
   * @throws ENOENT when there is no file
   */
  constructor(path: string, pause: () => Promise<void> = async () => undefined) {
    this.#pause = pause;
    this.#file = openSync(path, "r");
    try {
      this.header = this.#readHeader();
    } catch (error) {
      closeSync(this.#file);
      throw error;
    }
  }

  [Symbol.dispose](): void {
    closeSync(this.#file);
  }

  /** Returns a value of the header. Requires: the version is right, so the type is too. */
  value<T>(name: string): T {
    return this.header.values[name] as T;
  }

  /** Returns the bytes of a column. */
  length(name: string): number {
    return this.#placeOf(name)[1];
  }

  /** Returns a column, in an array of its own. */
  async column<T>(name: string, type: ColumnType<T>): Promise<T> {
    const length = this.length(name);
    if (length === 0) return new type(noBytes);
    const bytes = new Uint8Array(length);
    await this.read(name, bytes);
    return new type(bytes.buffer);
  }

  /** Reads a column into `target`. Requires: `target` is as long as the column. */
  async read(name: string, target: Uint8Array): Promise<void> {
    const [start, length, expected] = this.#placeOf(name);
    if (target.length !== length) throw new Error(`column ${name} has another length`);
    const whole = this.#readWhole();
    if (whole !== undefined) target.set(whole.subarray(start, start + length));
    let checksum = 0;
    for (let from = 0; from < length; from += sliceBytes) {
      const slice = target.subarray(from, Math.min(length, from + sliceBytes));
      if (whole === undefined) {
        const { bytesRead } = await readFile(this.#file, slice, 0, slice.length, start + from);
        if (bytesRead !== slice.length) throw new Error(`column ${name} is cut off`);
      }
      checksum = crc32(slice, checksum);
      if (whole === undefined) await this.#pause();
    }
    if (checksum !== expected) throw new Error(`column ${name} has another checksum`);
  }

  #placeOf(name: string): ImageHeader["columns"][string] {
    const place = this.header.columns[name];
    if (place === undefined) throw new Error(`column ${name} is missing`);
    return place;
  }

  #readWhole(): Uint8Array | undefined {
    if (this.#whole !== undefined) return this.#whole;
    const ends = Object.values(this.header.columns).map(([start, length]) => start + length);
    const end = Math.max(0, ...ends);
    if (end > oneStepBytes) return undefined;
    this.#whole = new Uint8Array(end);
    if (readSync(this.#file, this.#whole, 0, end, 0) !== end)
      throw new Error("an image is cut off");
    return this.#whole;
  }

  #readHeader(): ImageHeader {
    const { size } = fstatSync(this.#file);
    let end = this.#readEnd(size, Math.min(size, endBytes));
    if (end.length < trailerBytes) throw new Error("an image is cut off");
    const trailer = end.subarray(end.length - trailerBytes);
    if (trailer.readUInt32LE(0) !== magic) throw new Error("an image has no end");
    const length = trailer.readUInt32LE(4);
    const expected = trailer.readUInt32LE(8);
    if (length + trailerBytes > size) throw new Error("the header of an image is cut off");
    if (length + trailerBytes > end.length) end = this.#readEnd(size, length + trailerBytes);
    const header = end.subarray(end.length - trailerBytes - length, end.length - trailerBytes);
    if (crc32(header) !== expected) throw new Error("the header of an image is damaged");
    return JSON.parse(header.toString()) as ImageHeader;
  }

  #readEnd(size: number, length: number): Buffer {
    const end = Buffer.allocUnsafe(length);
    if (readSync(this.#file, end, 0, length, size - length) !== length)
      throw new Error("an image is cut off");
    return end;
  }
}

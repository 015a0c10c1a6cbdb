/**
 * Reads LevelDB's variable-length integers and strings one after another. Throws RangeError when
 * the bytes end too soon.
 */
export class ByteReader {
  constructor(
    readonly bytes: Buffer,
    private offset = 0,
  ) {}

  get position(): number {
    return this.offset;
  }

  /** Reads a varint of up to 53 bits: seven bits a byte, lowest first. */
  varint(): number {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = this.bytes.readUInt8(this.offset++);
      value += (byte & 0x7f) * factor;
      if (byte < 0x80) return value;
    }
  }

  take(length: number): Buffer {
    const end = this.offset + length;
    if (end > this.bytes.length) throw new RangeError("the bytes end too soon");
    const part = this.bytes.subarray(this.offset, end);
    this.offset = end;
    return part;
  }

  /** Reads a varint and then that many bytes. */
  lengthPrefixed(): Buffer {
    return this.take(this.varint());
  }
}

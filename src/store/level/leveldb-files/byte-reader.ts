/** Reads LevelDB's variable-length integers and strings one after another. Throws RangeError where the bytes end too soon. */
export class ByteReader {
  constructor(
    readonly bytes: Buffer,
    private offset = 0,
  ) {}

  get position(): number {
    return this.offset;
  }

  /** A varint of up to 53 bits: seven bits a byte, lowest first. */
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
    const taken = this.bytes.subarray(this.offset, end);
    this.offset = end;
    return taken;
  }

  /** Bytes behind a varint that says how many. */
  lengthPrefixed(): Buffer {
    return this.take(this.varint());
  }
}

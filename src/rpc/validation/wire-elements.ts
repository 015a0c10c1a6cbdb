import { type DescField, type DescMessage, ScalarType } from "@bufbuild/protobuf";
import { WireType } from "@bufbuild/protobuf/wire";
import { ValueSchema } from "@bufbuild/protobuf/wkt";
import { elementsMax, fieldsMax, levelsMax, unknownFieldsMax } from "../limits.js";

/** What the walk must know of a field. */
interface WireField {
  /** The message type of the field or of its map entries. Absent: a scalar or an enum. */
  readonly message?: WireMessage;
  readonly isRepeated: boolean;
  /**
   * Whether the message is a level of the request, as in JSON. Map entries and `Value` are not,
   * because JSON writes them without brackets of their own.
   */
  readonly isLevel?: boolean;
  /** Size of a packed item in bytes; 0 for varints. Absent: the field has no packed form. */
  readonly packedItemBytes?: number;
}

/** The fields of a message type by number. */
type WireMessage = ReadonlyMap<number, WireField>;

const wireMessages = new Map<DescMessage, WireMessage>();

/**
 * Returns why a binary message holds too much to be decoded, or `undefined` if it does not. Walks
 * the tags of the message and skips its values, so that a refusal costs a thousandth of decoding.
 *
 * An element is a message, a list item or a map entry. The walk stops at the first limit that the
 * message exceeds. It also stops where the bytes are malformed, which the decoder reports.
 */
export function binaryExcess(schema: DescMessage, bytes: Uint8Array): string | undefined {
  const walk = new Walk(bytes);
  walk.message(wireMessageOf(schema), 0, bytes.length, 1);
  return walk.excess;
}

function wireMessageOf(schema: DescMessage): WireMessage {
  const known = wireMessages.get(schema);
  if (known !== undefined) return known;
  const message = new Map<number, WireField>();
  // Registered before its fields are read, because message types may contain themselves.
  wireMessages.set(schema, message);
  for (const field of schema.fields) message.set(field.number, wireFieldOf(field));
  return message;
}

function wireFieldOf(field: DescField): WireField {
  const isRepeated = field.fieldKind === "list" || field.fieldKind === "map";
  if (field.fieldKind === "map") {
    const entry = new Map<number, WireField>([
      [1, { isRepeated: false }],
      [2, { ...(field.message && messageField(field.message)), isRepeated: false }],
    ]);
    return { message: entry, isRepeated };
  }
  if (field.message !== undefined) return { ...messageField(field.message), isRepeated };
  const packedItemBytes = field.fieldKind === "list" ? packedBytes(field.scalar) : undefined;
  return { isRepeated, ...(packedItemBytes !== undefined && { packedItemBytes }) };
}

function messageField(schema: DescMessage): Pick<WireField, "message" | "isLevel"> {
  return { message: wireMessageOf(schema), isLevel: schema.typeName !== ValueSchema.typeName };
}

const unpackedTypes: ReadonlySet<ScalarType> = new Set([ScalarType.STRING, ScalarType.BYTES]);

/** Sizes of packed items of a fixed size. */
const fixedBytes: ReadonlyMap<ScalarType, number> = new Map([
  [ScalarType.DOUBLE, 8],
  [ScalarType.FIXED64, 8],
  [ScalarType.SFIXED64, 8],
  [ScalarType.FLOAT, 4],
  [ScalarType.FIXED32, 4],
  [ScalarType.SFIXED32, 4],
]);

/** `scalar` is absent for an enum. */
function packedBytes(scalar: ScalarType | undefined): number | undefined {
  if (scalar === undefined) return 0;
  return unpackedTypes.has(scalar) ? undefined : (fixedBytes.get(scalar) ?? 0);
}

class Walk {
  readonly #bytes: Uint8Array;
  #at = 0;
  #elements = 0;
  #fields = 0;
  #unknown = 0;
  /** Why the walk refused the message. */
  excess: string | undefined;
  #isOver = false;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** Walks the fields of a message from `start` to `end`. */
  message(fields: WireMessage, start: number, end: number, level: number): void {
    if (level > levelsMax) this.#refuse(levelsExcess);
    this.#at = start;
    while (!this.#isOver && this.#at < end) {
      const tag = this.#varint();
      const field = fields.get(tag >>> 3);
      this.#count(field);
      const wireType = tag & 7;
      if (wireType !== WireType.LengthDelimited) {
        this.#skip(wireType);
        continue;
      }
      const length = this.#varint();
      const valueEnd = this.#at + length;
      if (length < 0 || valueEnd > end) this.#isOver = true;
      else if (field?.message !== undefined)
        this.message(field.message, this.#at, valueEnd, level + (field.isLevel === true ? 1 : 0));
      else if (field?.packedItemBytes !== undefined)
        this.#countPacked(field.packedItemBytes, valueEnd);
      this.#at = valueEnd;
    }
  }

  /** Counts an occurrence of a field; `undefined` for one that the message type lacks. */
  #count(field: WireField | undefined): void {
    this.#fields += 1;
    if (field === undefined) this.#unknown += 1;
    else if (field.isRepeated || field.message !== undefined) this.#elements += 1;
    this.#refuseExcess();
  }

  #countPacked(itemBytes: number, end: number): void {
    if (itemBytes > 0) this.#elements += (end - this.#at) / itemBytes;
    // The last byte of each varint has a clear high bit.
    else
      for (let at = this.#at; at < end && this.#elements <= elementsMax; at++)
        if ((this.#bytes[at] as number) < 0x80) this.#elements += 1;
    this.#refuseExcess();
  }

  #refuseExcess(): void {
    if (this.#elements > elementsMax) this.#refuse(elementsExcess);
    else if (this.#unknown > unknownFieldsMax)
      this.#refuse(`has more than ${unknownFieldsMax} fields that this server does not know`);
    else if (this.#fields > fieldsMax)
      this.#refuse(`has more than ${fieldsMax.toLocaleString("en")} fields`);
  }

  #refuse(excess: string): void {
    this.excess = excess;
    this.#isOver = true;
  }

  #skip(wireType: number): void {
    if (wireType === WireType.Varint) this.#varint();
    else if (wireType === WireType.Bit64) this.#at += 8;
    else if (wireType === WireType.Bit32) this.#at += 4;
    // The tags of a group stand without a value of their own. Its fields are walked as they come.
    else if (wireType !== WireType.StartGroup && wireType !== WireType.EndGroup)
      this.#isOver = true;
  }

  /** Reads a varint of at most 32 significant bits. Ends the walk where it is cut or too long. */
  #varint(): number {
    let value = 0;
    for (let shift = 0; shift < 70; shift += 7) {
      const byte = this.#bytes[this.#at++];
      if (byte === undefined) break;
      if (shift < 32) value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
    this.#isOver = true;
    return 0;
  }
}

/** Describes a request with too many elements. */
export const elementsExcess =
  `has more than ${elementsMax.toLocaleString("en")} elements ` +
  "(messages, list items and map entries)";

/** Describes a request with too many levels. */
export const levelsExcess = `has more than ${levelsMax} levels of objects and lists`;

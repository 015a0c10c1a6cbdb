import { type DescField, type DescMessage, ScalarType } from "@bufbuild/protobuf";
import { WireType } from "@bufbuild/protobuf/wire";
import { ValueSchema } from "@bufbuild/protobuf/wkt";

/** Maximum number of messages, list items and map entries in one message. */
export const elementsMax = 20_000;

/** Maximum number of fields in one message. An entry of a Struct counts as four. */
export const fieldsMax = 4 * elementsMax;

/**
 * Maximum number of levels of objects and lists in one message, counted as in JSON. The
 * message itself is one level.
 */
export const levelsMax = 32;

/** Maximum number of unknown fields in one message. */
export const unknownFieldsMax = 100;

/** The properties of a field that `Walk` needs. */
interface WireField {
  /** The message type of the field or of its map entries. Absent for a scalar or an enum. */
  readonly message?: WireMessage;
  readonly isRepeated: boolean;
  /**
   * Whether the message is a level of the request, as in JSON. Map entries and `Value` are not,
   * because JSON writes them without brackets of their own.
   */
  readonly isLevel?: boolean;
  /** The wire type of a value, outside of a packed list. */
  readonly wireType: WireType;
  /** Size of a packed item in bytes; 0 for varints. Absent: the field has no packed form. */
  readonly packedItemBytes?: number;
}

/** The fields of a message type by number. */
type WireMessage = ReadonlyMap<number, WireField>;

const wireMessages = new Map<DescMessage, WireMessage>();

/**
 * Returns why a binary message holds too much to be decoded; `undefined` if it can be decoded.
 * Walks the tags of the message and skips its values, so that a refusal costs a thousandth of
 * decoding.
 *
 * An element is a message, a list item or a map entry. The walk stops at the first limit that the
 * message exceeds. The walk is stricter than the decoder: each field must have the wire type of its
 * number and end within its message. Otherwise the result is `malformedBytes`. After a field that
 * breaks this rule, the decoder would continue at another position than the walk.
 */
export function binaryExcess(schema: DescMessage, bytes: Uint8Array): string | undefined {
  const walk = new Walk(bytes);
  walk.message(wireMessageOf(schema), bytes.length, 1);
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
    const key: WireField = { isRepeated: false, wireType: wireTypeOf(field.mapKey) };
    const value: WireField =
      field.message === undefined
        ? { isRepeated: false, wireType: wireTypeOf(field.scalar) }
        : { ...messageField(field.message), isRepeated: false };
    const message = new Map([
      [1, key],
      [2, value],
    ]);
    return { message, isRepeated, wireType: WireType.LengthDelimited };
  }
  if (field.message !== undefined) return { ...messageField(field.message), isRepeated };
  const wireType = wireTypeOf(field.scalar);
  const isPacked = field.fieldKind === "list" && wireType !== WireType.LengthDelimited;
  return {
    isRepeated,
    wireType,
    ...(isPacked && { packedItemBytes: fixedBytes.get(wireType) ?? 0 }),
  };
}

function messageField(schema: DescMessage): Pick<WireField, "message" | "isLevel" | "wireType"> {
  return {
    message: wireMessageOf(schema),
    isLevel: schema.typeName !== ValueSchema.typeName,
    wireType: WireType.LengthDelimited,
  };
}

/** Wire types of the scalars that are not varints. */
const wireTypes: ReadonlyMap<ScalarType, WireType> = new Map([
  [ScalarType.STRING, WireType.LengthDelimited],
  [ScalarType.BYTES, WireType.LengthDelimited],
  [ScalarType.DOUBLE, WireType.Bit64],
  [ScalarType.FIXED64, WireType.Bit64],
  [ScalarType.SFIXED64, WireType.Bit64],
  [ScalarType.FLOAT, WireType.Bit32],
  [ScalarType.FIXED32, WireType.Bit32],
  [ScalarType.SFIXED32, WireType.Bit32],
]);

/** Sizes of values of a fixed size, in bytes. */
const fixedBytes: ReadonlyMap<WireType, number> = new Map([
  [WireType.Bit64, 8],
  [WireType.Bit32, 4],
]);

/** Returns the wire type of a scalar. `scalar` is absent for an enum. */
function wireTypeOf(scalar: ScalarType | undefined): WireType {
  return (scalar !== undefined ? wireTypes.get(scalar) : undefined) ?? WireType.Varint;
}

/** The known fields of a group: none, because no message type of this server has groups. */
const noFields: WireMessage = new Map();

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

  /**
   * Walks the fields of a message from the present position to `end`.
   *
   * @param group the number of the group that contains the fields, if any; its end tag ends this
   *   walk
   */
  message(fields: WireMessage, end: number, level: number, group?: number): void {
    if (level > levelsMax) this.#refuse(levelsExcess);
    while (!this.#isOver && this.#at < end) {
      const tag = this.#varint();
      const [number, wireType] = [tag >>> 3, tag & 7];
      if (wireType === WireType.EndGroup) {
        if (number !== group) this.#refuse(malformedBytes);
        return;
      }
      const field = fields.get(number);
      this.#count(field);
      if (field !== undefined && !hasType(field, wireType)) this.#refuse(malformedBytes);
      if (!this.#isOver) this.#value(field, number, wireType, end, level);
    }
    if (!this.#isOver && (this.#at > end || group !== undefined)) this.#refuse(malformedBytes);
  }

  /** Walks the value of a field. `end`: where the message with this field ends. */
  #value(
    field: WireField | undefined,
    number: number,
    wireType: number,
    end: number,
    level: number,
  ): void {
    if (wireType === WireType.LengthDelimited) this.#delimited(field, end, level);
    else if (wireType === WireType.Varint) this.#varint();
    else if (wireType === WireType.StartGroup) this.message(noFields, end, level + 1, number);
    else if (wireType === WireType.Bit64) this.#at += 8;
    else if (wireType === WireType.Bit32) this.#at += 4;
    else this.#refuse(malformedBytes);
  }

  #delimited(field: WireField | undefined, end: number, level: number): void {
    const length = this.#varint();
    const valueEnd = this.#at + length;
    if (length < 0 || valueEnd > end) this.#refuse(malformedBytes);
    else if (field?.message !== undefined)
      this.message(field.message, valueEnd, level + (field.isLevel === true ? 1 : 0));
    else if (field?.packedItemBytes !== undefined)
      this.#countPacked(field.packedItemBytes, valueEnd);
    this.#at = valueEnd;
  }

  /** Counts an occurrence of a field. `undefined`: the message type lacks the field. */
  #count(field: WireField | undefined): void {
    this.#fields += 1;
    if (field === undefined) this.#unknown += 1;
    else if (field.isRepeated || field.message !== undefined) this.#elements += 1;
    this.#refuseExcess();
  }

  #countPacked(itemBytes: number, end: number): void {
    const bytes = end - this.#at;
    if (itemBytes > 0) {
      this.#elements += bytes / itemBytes;
      if (bytes % itemBytes !== 0) this.#refuse(malformedBytes);
    } else {
      // The last byte of each varint has a clear high bit.
      for (let at = this.#at; at < end && this.#elements <= elementsMax; at++)
        if ((this.#bytes[at] as number) < 0x80) this.#elements += 1;
      if (bytes > 0 && (this.#bytes[end - 1] as number) >= 0x80) this.#refuse(malformedBytes);
    }
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
    this.excess ??= excess;
    this.#isOver = true;
  }

  /**
   * Reads a varint and returns its lowest 32 bits. Ends the walk if the varint is cut off or too
   * long.
   */
  #varint(): number {
    let value = 0;
    for (let shift = 0; shift < 70; shift += 7) {
      const byte = this.#bytes[this.#at++];
      if (byte === undefined) break;
      if (shift < 32) value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
    this.#refuse(malformedBytes);
    return 0;
  }
}

function hasType({ wireType, packedItemBytes }: WireField, given: number): boolean {
  return (
    given === wireType || (packedItemBytes !== undefined && given === WireType.LengthDelimited)
  );
}

/** Describes a request whose bytes do not form a message. */
export const malformedBytes =
  "has a field whose wire type does not fit its number, or that does not end within its message";

/** Describes a request with too many elements. */
export const elementsExcess =
  `has more than ${elementsMax.toLocaleString("en")} elements ` +
  "(messages, list items and map entries)";

/** Describes a request with too many levels. */
export const levelsExcess = `has more than ${levelsMax} levels of objects and lists`;

import { type DescField, type DescMessage, type Message, ScalarType } from "@bufbuild/protobuf";

/** Number of bytes that are counted for each value, in addition to its text. */
const valueBytes = 8;

/** What the size of the messages of a type depends on. */
interface MessageSize {
  /** Bytes of the message itself, and of all its fields of fixed size. */
  readonly fixedBytes: number;
  /** The fields whose size depends on their values. */
  readonly fields: readonly DescField[];
}

const sizes = new Map<DescMessage, MessageSize>();

/**
 * Subtracts the approximate size of a message from `bytes`. Stops once the result is negative, so
 * that the time is bounded for a message of any size. Looks at the fields whose size varies, and at
 * no others.
 */
export function roomAfterMessage(schema: DescMessage, message: Message, bytes: number): number {
  let size = sizes.get(schema);
  if (size === undefined) {
    size = sizeOf(schema);
    sizes.set(schema, size);
  }
  const values = message as Message & Readonly<Record<string, unknown>>;
  let room = bytes - size.fixedBytes;
  for (const field of size.fields) {
    if (room < 0) break;
    const { oneof, localName } = field;
    if (oneof === undefined) room = roomAfterField(field, values[localName], room);
    else {
      const chosen = values[oneof.localName] as {
        readonly case?: string;
        readonly value?: unknown;
      };
      if (chosen.case === localName) room = roomAfterField(field, chosen.value, room);
    }
  }
  return room;
}

function sizeOf(schema: DescMessage): MessageSize {
  const fields = schema.fields.filter((field) => !hasFixedSize(field));
  let values = 1;
  for (const field of schema.fields)
    values += hasFixedSize(field) ? 1 + (field.message?.fields.length ?? 0) : 1;
  return { fixedBytes: values * valueBytes, fields };
}

function hasFixedSize({ fieldKind, scalar, message }: DescField): boolean {
  if (fieldKind === "enum") return true;
  if (fieldKind === "scalar") return scalar !== ScalarType.STRING && scalar !== ScalarType.BYTES;
  const isScalar = (field: DescField) => field.fieldKind !== "message" && hasFixedSize(field);
  return fieldKind === "message" && message.fields.length > 0 && message.fields.every(isScalar);
}

function roomAfterField({ fieldKind, message }: DescField, value: unknown, room: number): number {
  // A map is an object, and so is a `google.protobuf.Struct`, which is JSON.
  const isObject = fieldKind === "map" || message?.typeName.startsWith("google.protobuf.") === true;
  if (message === undefined || isObject) return roomAfterValue(value, room);
  if (!Array.isArray(value))
    return value === undefined ? room : roomAfterItem(message, value, room);
  let rest = room;
  for (const item of value) {
    if (rest < 0) break;
    rest = roomAfterItem(message, item, rest);
  }
  return rest;
}

function roomAfterItem(schema: DescMessage, item: unknown, room: number): number {
  return roomAfterMessage(schema, item as Message, room);
}

/** Does the same as `roomAfterMessage` for a value of any type, such as a list or an object. */
function roomAfterValue(value: unknown, bytes: number): number {
  let room = bytes - valueBytes;
  if (typeof value === "string") return room - value.length;
  if (typeof value !== "object" || value === null) return room;
  if (ArrayBuffer.isView(value)) return room - value.byteLength;
  // `Object.entries` would make an array for each property.
  const values = value as Readonly<Record<string, unknown>>;
  for (const name in values) {
    if (room < 0) break;
    room = roomAfterValue(values[name], room - name.length);
  }
  return room;
}

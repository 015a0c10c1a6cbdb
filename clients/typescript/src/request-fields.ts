import {
  type DescField,
  type DescMessage,
  type DescOneof,
  type MessageInitShape,
  ScalarType,
} from "@bufbuild/protobuf";

/**
 * The fields of a request that a caller passes. The handle fills in the fields in `Known`, so they
 * are missing here. Fields and oneofs in `Mandatory` are required; the others are optional.
 */
export type Fields<
  Schema extends DescMessage,
  Known extends string = never,
  Mandatory extends keyof MessageInitShape<Schema> = never,
> = Omit<MessageInitShape<Schema>, Known | Mandatory | "$typeName" | "$unknown"> & {
  [Name in Mandatory]-?: Exclude<MessageInitShape<Schema>[Name], undefined | UnsetOneof>;
};

/** A oneof of which no field is set. */
interface UnsetOneof {
  case: undefined;
  value?: undefined;
}

/**
 * Checks what the compiler finds in TypeScript but not in JavaScript, and numbers that would lose
 * digits. Without these checks, protobuf would store something else than the caller meant, or drop
 * it.
 *
 * @param schema the message that `value` initializes
 * @param path the path of `value` in the request, with a dot at its end, or an empty string
 * @throws TypeError when the message has no field of this name, when a text is in the place of a
 *   list, or when a `Date` is in the place of a `Timestamp`
 * @throws RangeError when a `Struct` has a whole number whose digits a double cannot keep
 */
export function checkFields(schema: DescMessage, value: object, path = ""): void {
  const given = new Map<string, unknown>(Object.entries(value));
  const names = new Set(["$typeName", "$unknown", ...schema.members.map((it) => it.localName)]);
  for (const name of given.keys()) {
    if (!names.has(name))
      throw new TypeError(
        `${path}${name}: is unknown; the fields are ${schema.members.map((it) => it.localName).join(", ")}`,
      );
  }
  for (const member of schema.members) {
    const item = given.get(member.localName);
    if (item === undefined || item === null) continue;
    if (member.kind === "field") checkField(member, item, path + member.localName);
    else checkOneof(member, item, path);
  }
}

function checkOneof(oneof: DescOneof, chosen: unknown, path: string): void {
  if (typeof chosen !== "object" || chosen === null || !("case" in chosen)) return;
  const field = oneof.fields.find((it) => it.localName === chosen.case);
  if (field !== undefined && "value" in chosen)
    checkField(field, chosen.value, path + field.localName);
}

function checkField(field: DescField, value: unknown, path: string): void {
  if (field.fieldKind !== "list") {
    checkItem(field, value, path);
    return;
  }
  // Protobuf would take each letter of a text as an item.
  if (typeof value !== "object" || value === null || !(Symbol.iterator in value))
    throw new TypeError(`${path}: is ${kindOf(value)} and must be a list, such as [value]`);
  let index = 0;
  for (const item of value as Iterable<unknown>) checkItem(field, item, `${path}[${index++}]`);
}

function checkItem(field: DescField, value: unknown, path: string): void {
  if (field.message !== undefined) {
    checkMessage(field.message, value, path);
    return;
  }
  // Encoding would replace the half by another character.
  if (typeof value === "string" && /\p{Surrogate}/u.test(value))
    throw new TypeError(`${path}: has half of a surrogate pair, which is no Unicode text`);
  const expected = field.enum === undefined ? scalarKinds[field.scalar ?? 0] : ["number", ""];
  if (expected === undefined || typeof value === expected[0]) return;
  const allowed = field.enum === undefined ? expected[1] : `a value of ${field.enum.name}`;
  throw new TypeError(`${path}: is ${kindOf(value)} and must be ${allowed}`);
}

/** The types of scalar values, and what an error calls them. Other types are not checked. */
const scalarKinds: Partial<Record<number, readonly [string, string]>> = {
  [ScalarType.STRING]: ["string", "a text"],
  [ScalarType.BOOL]: ["boolean", "true or false"],
  [ScalarType.DOUBLE]: ["number", "a number"],
  [ScalarType.FLOAT]: ["number", "a number"],
  [ScalarType.INT32]: ["number", "a number"],
  [ScalarType.UINT32]: ["number", "a number"],
};

function checkMessage(schema: DescMessage, value: unknown, path: string): void {
  if (value instanceof Date)
    throw new TypeError(
      schema.typeName === "google.protobuf.Timestamp"
        ? `${path}: is a Date and must be a Timestamp; convert it with timestampFromDate`
        : `${path}: is a Date and must be an object`,
    );
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new TypeError(`${path}: is ${kindOf(value)} and must be an object`);
  if (schema.typeName === "google.protobuf.Struct") checkNumbers(value, path);
  else checkFields(schema, value, `${path}.`);
}

/** The number of digits that a double keeps in every number, however large. */
const digitsOfDouble = 15;

/** Checks the numbers of a JSON value, and refuses values that JSON does not have. */
function checkNumbers(value: unknown, path: string): void {
  if (value instanceof Date || typeof value === "bigint")
    throw new TypeError(
      `${path}: is a ${value instanceof Date ? "Date" : "bigint"}, which JSON cannot hold; give it as a text`,
    );
  if (typeof value === "number" && hasLostDigits(value))
    throw new RangeError(
      `${path}: is ${value}, but JSON numbers are doubles, which hold whole numbers exactly only ` +
        `up to ${Number.MAX_SAFE_INTEGER}. Give ids and other long numbers as texts.`,
    );
  if (typeof value !== "object" || value === null) return;
  for (const [name, item] of Object.entries(value))
    checkNumbers(item, Array.isArray(value) ? `${path}[${name}]` : `${path}.${name}`);
}

function hasLostDigits(value: number): boolean {
  const isLarge = Number.isInteger(value) && !Number.isSafeInteger(value);
  return isLarge && Number(value.toPrecision(digitsOfDouble)) !== value;
}

function kindOf(value: unknown): string {
  if (typeof value === "object") return Array.isArray(value) ? "a list" : "an object";
  return typeof value === "string" ? "a text" : `a ${typeof value}`;
}

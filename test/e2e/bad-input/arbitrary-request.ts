import {
  create,
  type DescField,
  type DescMessage,
  type Message,
  ScalarType,
} from "@bufbuild/protobuf";
import { FieldMaskSchema, StructSchema, TimestampSchema } from "@bufbuild/protobuf/wkt";
import fc from "fast-check";

/**
 * Generates requests of a type from its Protobuf definition: with fields missing, empty, at their
 * limits and beyond them.
 */
export function arbitraryRequest(schema: DescMessage): fc.Arbitrary<Message> {
  return initOf(schema, 0).map((init) => create(schema, init as never));
}

const texts: fc.Arbitrary<string> = fc.oneof(
  { weight: 6, arbitrary: fc.string({ unit: "grapheme", maxLength: 20 }) },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      "",
      "\0",
      "a",
      "key",
      "*",
      "\u{10ffff}",
      "{}",
      "true",
      "importance > 0.5",
      'content.matches("x")',
    ),
  },
  { weight: 1, arbitrary: fc.integer({ min: 0, max: 70_000 }).map((length) => "x".repeat(length)) },
  { weight: 1, arbitrary: fc.integer({ min: 100, max: 300 }).map((length) => "é".repeat(length)) },
);

const doubles = fc.oneof(fc.double({ min: 0, max: 1, noNaN: true }), fc.double());
const integers = fc.oneof(
  fc.integer({ min: -2, max: 12 }),
  fc.integer(),
  fc.constantFrom(2_147_483_647, -2_147_483_648),
);
const unsigned = fc.oneof(fc.nat(12), fc.integer({ min: 0, max: 4_294_967_295 }));
const longs = fc.oneof(
  fc.bigInt({ min: -2n, max: 12n }),
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
);

/** Values by type. The types that are missing here are integers of 32 bits. */
const scalars: ReadonlyMap<ScalarType, fc.Arbitrary<unknown>> = new Map<
  ScalarType,
  fc.Arbitrary<unknown>
>([
  [ScalarType.BOOL, fc.boolean()],
  [ScalarType.BYTES, fc.uint8Array({ maxLength: 40 })],
  [ScalarType.DOUBLE, doubles],
  [ScalarType.FLOAT, fc.float()],
  [ScalarType.INT64, longs],
  [ScalarType.UINT32, unsigned],
]);

function initOf(schema: DescMessage, depth: number): fc.Arbitrary<unknown> {
  if (schema.typeName === StructSchema.typeName)
    return fc.dictionary(texts, fc.jsonValue({ maxDepth: 20 }), { maxKeys: 4 });
  if (schema.typeName === TimestampSchema.typeName)
    return fc.record({ seconds: longs, nanos: integers });
  if (schema.typeName === FieldMaskSchema.typeName) {
    return fc.record({
      paths: fc.array(
        fc.oneof(
          texts,
          fc.constantFrom("content", "tags", "metadata", "expire_time", "memory_type"),
        ),
      ),
    });
  }
  const members = schema.members.map((member): [string, fc.Arbitrary<unknown>] => {
    if (member.kind === "field") return [member.localName, presentOrNot(member, depth)];
    const cases = member.fields.map((field) =>
      fieldValueOf(field, depth).map((value) => ({ case: field.localName, value })),
    );
    return [member.localName, fc.oneof(fc.constant({ case: undefined }), ...cases)];
  });
  return fc.record(Object.fromEntries(members), { noNullPrototype: true });
}

/**
 * Sets a field in a third of the requests, or in nearly all requests if the field is required.
 * Without a required field, the server refuses a request before it reads the other fields.
 */
function presentOrNot(field: DescField, depth: number): fc.Arbitrary<unknown> {
  const absent = fc.constant(undefined);
  const required =
    field.name === "namespace" ||
    field.name === "content" ||
    field.name === "id" ||
    field.name === "search";
  return fc.oneof(
    { weight: required ? 1 : 8, arbitrary: absent },
    { weight: required ? 20 : 4, arbitrary: fieldValueOf(field, depth) },
  );
}

function fieldValueOf(field: DescField, depth: number): fc.Arbitrary<unknown> {
  if (field.fieldKind === "list") return fc.array(itemOf(field, depth), { maxLength: 40 });
  return itemOf(field, depth);
}

function itemOf(field: DescField, depth: number): fc.Arbitrary<unknown> {
  if (field.message !== undefined)
    return depth > 4 ? fc.constant({}) : initOf(field.message, depth + 1);
  if (field.enum !== undefined)
    return fc.oneof(fc.integer({ min: -1, max: 8 }), fc.constant(2_147_483_647));
  if (field.scalar === ScalarType.STRING) return textOf(field);
  return (field.scalar === undefined ? undefined : scalars.get(field.scalar)) ?? integers;
}

/** Most requests name the same namespace, so that calls find the records of earlier calls. */
function textOf({ name }: DescField): fc.Arbitrary<string> {
  const isName = name === "user_id" || name === "agent_id";
  return isName ? fc.oneof({ weight: 9, arbitrary: fc.constant("fuzz") }, texts) : texts;
}

import { type DescField, type DescMessage, getOption, ScalarType } from "@bufbuild/protobuf";
import { FieldMaskSchema, StructSchema } from "@bufbuild/protobuf/wkt";
import { type FieldRules, field as fieldRules, Ignore } from "#gen/buf/validate/validate_pb.js";
import { descriptors } from "../descriptors.js";
import { requestMaxBytes, requestMinLimitBytes } from "../limits.js";
import { factsOf } from "../rpc-facts.js";
import { structMaxBytes } from "./content-checks.js";

/**
 * Upper bound of the bytes that a field takes in addition to its text or message: its tag, and its
 * length or scalar value.
 */
const overheadBytes = 16;

/**
 * Maximum number of binary bytes that one byte of compact JSON in a Struct becomes. The worst case
 * is the list item `0,`: 2 bytes of JSON, 11 bytes of binary.
 */
const structExpansion = 6;

/** Maximum size of a field mask, which has at most 32 paths. */
const maskMaxBytes = 4 * 1024;

/**
 * Matches the packages of the health check and of reflection. Their requests hold only names, which
 * have no rules.
 */
const standardPackage = /^grpc\./;

const sizes = new Map<DescMessage, number>();

/** The size limits that the definitions of RPCs set, by their requests. */
const ownMaxBytes: ReadonlyMap<DescMessage, number | undefined> = new Map(
  descriptors.flatMap(({ methods }) =>
    methods.map((method) => [method.input, factsOf(method).requestMaxBytes] as const),
  ),
);

/**
 * Returns the size limit of a binary request of a type, in bytes. The rules of its fields give the
 * size of the largest valid request, and the limit is the next power of two. It is at least 64 KiB
 * and at most `requestMaxBytes`, or what the definition of the RPC says. Requests of the standard
 * services may have 64 KiB.
 */
export function requestLimitBytes(schema: DescMessage): number {
  const known = sizes.get(schema);
  if (known !== undefined) return known;
  const isStandard = standardPackage.test(schema.file.proto.package);
  const largest = isStandard ? 0 : messageBytes(schema, new Set());
  const powerOfTwo = 2 ** Math.ceil(Math.log2(largest + 1));
  const most = ownMaxBytes.get(schema) ?? requestMaxBytes;
  const limit = Math.min(most, Math.max(requestMinLimitBytes, powerOfTwo));
  sizes.set(schema, limit);
  return limit;
}

/** Returns the size of the largest valid message; `Infinity` if no rule bounds it. */
function messageBytes(schema: DescMessage, parents: ReadonlySet<DescMessage>): number {
  if (schema.typeName === FieldMaskSchema.typeName) return maskMaxBytes;
  if (parents.has(schema)) return Infinity;
  const chain = new Set([...parents, schema]);
  return schema.fields.reduce((sum, field) => sum + fieldBytes(field, chain), 0);
}

function fieldBytes(field: DescField, parents: ReadonlySet<DescMessage>): number {
  const rules = getOption(field, fieldRules);
  if (field.fieldKind === "map") return Infinity;
  if (rules.ignore === Ignore.ALWAYS && field.message === undefined) return Infinity;
  if (field.fieldKind !== "list") return valueBytes(field, rules, parents);
  if (rules.type.case !== "repeated") return Infinity;
  const { maxItems, items } = rules.type.value;
  return maxItems === 0n ? Infinity : Number(maxItems) * valueBytes(field, items, parents);
}

function valueBytes(
  field: DescField,
  rules: FieldRules | undefined,
  parents: ReadonlySet<DescMessage>,
): number {
  if (field.message?.typeName === StructSchema.typeName)
    return overheadBytes + structExpansion * structMaxBytes(field);
  if (field.message !== undefined) return overheadBytes + messageBytes(field.message, parents);
  if (field.scalar !== ScalarType.STRING && field.scalar !== ScalarType.BYTES) return overheadBytes;
  const type = rules?.type;
  let maxBytes = 0n;
  if (type?.case === "string") maxBytes = type.value.maxBytes;
  if (type?.case === "bytes") maxBytes = type.value.maxLen;
  return maxBytes > 0n ? overheadBytes + Number(maxBytes) : Infinity;
}

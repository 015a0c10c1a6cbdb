import { type DescField, type DescMessage, getOption } from "@bufbuild/protobuf";
import { StructSchema } from "@bufbuild/protobuf/wkt";
import { field as fieldRules, Ignore } from "#gen/buf/validate/validate_pb.js";
import type { VademecumError } from "../../core/model/errors.js";

/**
 * The errors of parts that could not be decoded. They are kept outside the messages, which have no
 * field for them.
 */
const faults = new WeakMap<object, VademecumError>();

/**
 * Whether a fault in a message of this field fails only this message, and not the whole request.
 * For example, each item of a batch fails alone. The handler validates such a message itself, so
 * the validation of the request skips it.
 */
export function failsAlone(field: DescField): boolean {
  if (field.message === undefined || field.message.typeName === StructSchema.typeName) return false;
  const rules = getOption(field, fieldRules);
  if (field.fieldKind !== "list") return rules.ignore === Ignore.ALWAYS;
  return rules.type.case === "repeated" && rules.type.value.items?.ignore === Ignore.ALWAYS;
}

/**
 * Whether messages of a type are items of a stream. Each item fails alone, even an item that cannot
 * be decoded. The handler of the stream calls `throwNotedFault` with each message.
 */
export function isItem(schema: DescMessage): boolean {
  return schema.fields.some((field) => field.fieldKind === "message" && failsAlone(field));
}

/**
 * Notes that a part of a request could not be decoded. The message holds only the fields that could
 * be decoded.
 */
export function noteFault(part: object, fault: VademecumError): void {
  faults.set(part, fault);
}

/** Throws the error of a part that could not be decoded. Its paths are relative to the part. */
export function throwNotedFault(part: object): void {
  const fault = faults.get(part);
  if (fault !== undefined) throw fault;
}

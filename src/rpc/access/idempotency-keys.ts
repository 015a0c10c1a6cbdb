import type { DescMessage, Message } from "@bufbuild/protobuf";
import { anonymous, type Principal } from "../../core/model/principal.js";

/**
 * Binds the idempotency key of a valid request to its principal, so that no two principals share
 * keys. Otherwise one would learn which keys another has used, and get its replies. Keys of
 * anonymous callers stay as they are.
 */
export function bindIdempotencyKey(
  { name }: Principal,
  schema: DescMessage,
  request: Message,
): void {
  const field = schema.field["idempotencyKey"];
  if (field === undefined || name === anonymous.name) return;
  const key = Reflect.get(request, field.localName) as string | undefined;
  if (key !== undefined) Reflect.set(request, field.localName, `\0${name.length}:${name}${key}`);
}

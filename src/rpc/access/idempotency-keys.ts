import type { DescMessage, Message } from "@bufbuild/protobuf";
import { anonymous, identityOf, type Principal } from "../../core/model/principal.js";

/**
 * Binds the idempotency key of a valid request to its principal, so that no two principals share
 * keys. Otherwise a principal could learn which keys another principal has used, and get the
 * replies to those calls. Does not change keys of anonymous callers.
 */
export function bindIdempotencyKey(
  principal: Principal,
  schema: DescMessage,
  request: Message,
): void {
  const field = schema.field["idempotencyKey"];
  if (field === undefined || principal.name === anonymous.name) return;
  const identity = identityOf(principal);
  const key = Reflect.get(request, field.localName) as string | undefined;
  if (key !== undefined)
    Reflect.set(request, field.localName, `\0${identity.length}:${identity}${key}`);
}

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
  const key = Reflect.get(request, field.localName) as string | undefined;
  if (key !== undefined) Reflect.set(request, field.localName, prefixOf(principal) + key);
}

/**
 * Restores the idempotency key that the caller has sent, so that another server can bind it to the
 * same principal. Requires: `bindIdempotencyKey` has bound the key.
 */
export function unbindIdempotencyKey(
  principal: Principal,
  schema: DescMessage,
  request: Message,
): void {
  const field = schema.field["idempotencyKey"];
  if (field === undefined || principal.name === anonymous.name) return;
  const key = Reflect.get(request, field.localName) as string | undefined;
  if (key !== undefined)
    Reflect.set(request, field.localName, key.slice(prefixOf(principal).length));
}

function prefixOf(principal: Principal): string {
  const identity = identityOf(principal);
  return `\0${identity.length}:${identity}`;
}

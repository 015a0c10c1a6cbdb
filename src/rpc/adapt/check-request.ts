import type { Message } from "@bufbuild/protobuf";
import { VademecumError } from "../../core/model/errors.js";
import type { Principal } from "../../core/model/principal.js";
import type { CallSource } from "../access/audit-lines.js";
import { bindIdempotencyKey } from "../access/idempotency-keys.js";
import type { AdapterParts } from "./adapter-parts.js";
import type { RpcMethod } from "./handler.js";
import { isItem, noteFault } from "./part-faults.js";

/** Who makes a call, and from where. */
interface Caller extends CallSource {
  readonly principal: Principal;
}

type Checks = Pick<AdapterParts, "access" | "validator">;

/**
 * Checks a decoded request before its handler sees it: first the ids that it names, then the rules
 * of its fields. Binds the idempotency key of the request to the caller.
 *
 * @throws UNAUTHENTICATED, PERMISSION_DENIED when the caller may not make the request
 * @throws INVALID_ARGUMENT when a field breaks a rule
 */
export function checkRequest(
  { access, validator }: Checks,
  { descriptor }: RpcMethod,
  caller: Caller,
  request: Message,
): void {
  const { principal } = caller;
  access.authorize(principal, descriptor, request, caller);
  validator.validate(descriptor.input, request);
  bindIdempotencyKey(principal, descriptor.input, request);
}

/**
 * Checks the ids that a message of a request stream names. The handler validates the message. If
 * the message is an item (see `isItem`), its error is not thrown: the function notes the error, and
 * the handler throws it later (see `throwNotedFault`).
 *
 * @throws UNAUTHENTICATED, PERMISSION_DENIED when the message is not an item and the caller may not
 *   send it
 */
export function checkStreamedRequest(
  { access }: Checks,
  { descriptor }: RpcMethod,
  caller: Caller,
  request: Message,
): void {
  try {
    access.authorize(caller.principal, descriptor, request, caller);
  } catch (error) {
    if (!(error instanceof VademecumError) || !isItem(descriptor.input)) throw error;
    noteFault(request, error);
  }
}

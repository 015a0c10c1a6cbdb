import { messageMaxBytes } from "../limits.js";
import { requestLimitBytes } from "../validation/request-size.js";
import type { RpcMethod } from "./handler.js";
import { isItem } from "./part-faults.js";

/** From this size on, a message of a stream of requests waits for a slot before it is read. */
export const largeMessageBytes = 64 * 1024;

/**
 * Largest request of a method that strangers may call and that needs no slot, such as a health
 * check.
 */
const uncountedMaxBytes = 4 * 1024;

const wireLimits = new WeakMap<RpcMethod, number>();

/**
 * Returns the size limit of a request of a method while it arrives, in binary. An item of a stream
 * may be larger than the limit of its type, because its error does not end the stream.
 */
export function wireLimitBytes(method: RpcMethod): number {
  const known = wireLimits.get(method);
  if (known !== undefined) return known;
  const limit = limitOf(method);
  wireLimits.set(method, limit);
  return limit;
}

function limitOf({ needsSlot, streamKind, descriptor }: RpcMethod): number {
  if (isItem(descriptor.input)) return messageMaxBytes;
  const isUncounted = !needsSlot && (streamKind === undefined || streamKind === "healthWatches");
  return isUncounted ? uncountedMaxBytes : requestLimitBytes(descriptor.input);
}

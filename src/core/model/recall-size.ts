import { VademecumError } from "./errors.js";
import { replyMaxBytes } from "./limits.js";
import type { Memory } from "./memory.js";

/**
 * Refuses a Recall whose contents alone, which the reply holds twice, are larger than a reply. So
 * the text of such a reply is never made.
 *
 * @throws RESOURCE_EXHAUSTED (RESPONSE_TOO_LARGE)
 */
export function requireOneReply(hits: readonly { readonly memory: Memory }[]): void {
  const length = hits.reduce((sum, { memory }) => sum + memory.content.length, 0);
  if (2 * length > replyMaxBytes) throw recallTooLarge();
}

/** Returns the error of a Recall whose reply is larger than a reply may be. */
export function recallTooLarge(): VademecumError {
  return new VademecumError(
    "RESOURCE_EXHAUSTED",
    "RESPONSE_TOO_LARGE",
    `the hits and their text are larger than a reply of ${replyMaxBytes.toLocaleString("en")} ` +
      "bytes; use Search, which streams the hits, or ask for less with limit, budget_tokens or a " +
      "narrower filter",
  );
}

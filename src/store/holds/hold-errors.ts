import { VademecumError } from "../../core/model/errors.js";
import type { Scope } from "../../core/model/namespace.js";

/** The kinds of scopes, as messages name them. */
const names: Readonly<Record<Scope["kind"], string>> = {
  user: "this user",
  run: "this run",
  server: "the list of tool manifests",
};

/** Returns the UNAVAILABLE (WRITES_HELD) error for a write to a scope whose writes are held. */
export function writesHeld({ kind }: Scope): VademecumError {
  return new VademecumError(
    "UNAVAILABLE",
    "WRITES_HELD",
    `writes of ${names[kind]} are held while it moves to another server; nothing was written, ` +
      "try again after the delay in RetryInfo",
    { retryAfterMs: 200 },
  );
}

/**
 * Returns the FAILED_PRECONDITION (MOVED) error for any use of a scope that has moved to another
 * server.
 */
export function moved(address: string, { kind }: Scope): VademecumError {
  return movedError(address, `${names[kind]} has moved to ${address}; repeat the call there`);
}

/**
 * Returns the FAILED_PRECONDITION (MOVED) error for a new hold of a range of which a part has moved
 * already.
 */
export function partMoved(address: string): VademecumError {
  return movedError(address, `a part of this range has moved to ${address} already`);
}

function movedError(address: string, text: string): VademecumError {
  return new VademecumError("FAILED_PRECONDITION", "MOVED", text, { metadata: { address } });
}

/** Returns the RESOURCE_EXHAUSTED (TOO_MANY_RANGES) error for a change that adds a range. */
export function tooManyRanges(most: number): VademecumError {
  return new VademecumError(
    "RESOURCE_EXHAUSTED",
    "TOO_MANY_RANGES",
    `more than ${most} ranges would be held or moved; release some of them, or use larger ranges`,
  );
}

/** Returns the FAILED_PRECONDITION (NOT_HELD) error for a hold that has ended. */
export function notHeld(): VademecumError {
  return new VademecumError(
    "FAILED_PRECONDITION",
    "NOT_HELD",
    "the hold has ended, so writes may have come since; begin a new hold and copy the changes again",
  );
}

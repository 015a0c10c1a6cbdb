import { invalidField } from "../../core/model/errors.js";
import type { Principal } from "../../core/model/principal.js";
import { hasControlCharacters } from "../../core/text/control-characters.js";

/** The part of a call that says who makes it. */
export interface Caller {
  readonly principal: Pick<Principal, "name" | "users" | "agents">;
  /** Returns the first value of a header; `undefined` if it was not sent. */
  metadata(name: string): string | undefined;
}

/** The header in which a console names the person for whom it acts: percent-encoded UTF-8. */
export const actorHeader = "vademecum-actor";

const actorMaxBytes = 256;

/**
 * Returns the person for whom the caller acts, as the caller says; `undefined` if the caller names
 * nobody.
 *
 * @throws INVALID_ARGUMENT (INVALID_FIELD) when the header cannot be read, is too long, or has
 *   control characters
 */
export function actorOf(caller: Caller): string | undefined {
  const text = caller.metadata(actorHeader);
  if (text === undefined || text === "") return undefined;
  let actor: string;
  try {
    actor = decodeURIComponent(text);
  } catch {
    throw invalidField(actorHeader, "must be percent-encoded UTF-8, such as Ann%20Lee");
  }
  if (Buffer.byteLength(actor) > actorMaxBytes)
    throw invalidField(actorHeader, `must have at most ${actorMaxBytes} bytes`);
  if (hasControlCharacters(actor))
    throw invalidField(actorHeader, "must have no control characters, such as line breaks");
  return actor;
}

import { CommandFailure } from "./command-io.js";
import { printableLine } from "./printable.js";

/** The fewest characters of an id that a command accepts. */
const idMinCharacters = 4;

/** Whether a text is not shorter than an id. The server says best what is wrong with it. */
export function isWholeId(given: string): boolean {
  return given.length >= 36;
}

/** Whether an id begins or ends with the given characters, in upper or lower case. */
export function hasShortId(id: string, given: string): boolean {
  if (given.length < idMinCharacters) return false;
  const text = given.toLowerCase();
  return id.startsWith(text) || id.endsWith(text);
}

/** Returns the shortest end of an id that no other of the ids has, at least 6 characters. */
export function shortId(id: string, all: readonly string[]): string {
  for (let length = 6; length < id.length; length++) {
    const end = id.slice(-length);
    if (all.every((other) => other === id || !other.endsWith(end))) return end;
  }
  return id;
}

/**
 * Returns the only one of the records that a shortened id names; `undefined` if there is none.
 *
 * @param records what the records are, such as `proposals`
 * @throws CommandFailure when several have the id
 */
export function onlyOne<T extends { readonly id: string; readonly userId?: string }>(
  found: readonly T[],
  given: string,
  records: string,
): T | undefined {
  if (found.length < 2) return found[0];
  const ids = found
    .slice(0, 5)
    .map(({ id, userId }) =>
      userId === undefined ? id : `${id} of user '${printableLine(userId)}'`,
    );
  throw new CommandFailure(`several ${records} have '${given}' in their ids: ${ids.join(", ")}`);
}

/**
 * Fails for a shortened id that names no record.
 *
 * @param whose says who has none, such as `this namespace has no memory`
 */
export function missing(given: string, whose: string, list: string): never {
  const hint =
    given.length < idMinCharacters
      ? `give at least ${idMinCharacters} characters of the id`
      : `see \`vademecum ${list}\``;
  throw new CommandFailure(`${whose} '${printableLine(given)}'; ${hint}`);
}

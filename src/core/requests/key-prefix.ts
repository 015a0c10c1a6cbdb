/** Keys in the order of their UTF-8 bytes, as stores sort them. */

/**
 * The greatest character in the order of UTF-8 bytes. A prefix followed by this character sorts
 * after every key with that prefix, unless this character also follows the prefix in the key.
 */
export const greatestCharacter = "\u{10ffff}";

/**
 * Returns a text that sorts before the prefix, and after every text that sorts before it, except
 * those that end with the greatest character. Requires: the prefix is not empty.
 */
export function justBefore(prefix: string): string {
  const last = prefix.codePointAt(
    prefix.length - (/[\u{10000}-\u{10ffff}]$/u.test(prefix) ? 2 : 1),
  );
  const start = prefix.slice(0, last !== undefined && last > 0xffff ? -2 : -1);
  // The text without its last character comes directly before the same text with a NUL.
  if (last === undefined || last === 0) return start;
  // UTF-8 has no surrogates.
  const before = last === 0xe000 ? 0xd7ff : last - 1;
  return start + String.fromCodePoint(before) + greatestCharacter;
}

/** Whether a key sorts before another. */
export function sortsBefore(key: string, other: string): boolean {
  return Buffer.compare(Buffer.from(key), Buffer.from(other)) < 0;
}

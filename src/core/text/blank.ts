/**
 * Whether a text is empty or consists of white space alone, so that no search can find it. The
 * proto files state the same rule as a pattern.
 */
export function isBlank(text: string): boolean {
  return !/\S/.test(text);
}

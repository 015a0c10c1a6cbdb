/**
 * Returns whether all texts and keys of a value are well-formed Unicode.
 *
 * A lone surrogate has no UTF-8 form. Encoding would replace it silently, and two different keys
 * could become one.
 */
export function isWellFormed(value: unknown): boolean {
  if (typeof value === "string") return value.isWellFormed();
  if (typeof value !== "object" || value === null) return true;
  return Object.entries(value).every(([key, inner]) => key.isWellFormed() && isWellFormed(inner));
}

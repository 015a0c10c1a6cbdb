/** Whether all texts and keys of a value are Unicode. Half of a surrogate pair has no UTF-8 form: encoding replaces it without a word, and two different keys become one. */
export function isWellFormed(value: unknown): boolean {
  if (typeof value === "string") return value.isWellFormed();
  if (typeof value !== "object" || value === null) return true;
  return Object.entries(value).every(([key, inner]) => key.isWellFormed() && isWellFormed(inner));
}

/** Maximum number of bytes of a UTF-16 unit: `JSON.stringify` writes NUL as `\u0000`. */
const bytesPerUnit = 6;

/** Maximum number of bytes of a number, a boolean or null. */
const bytesPerScalar = 26;

/**
 * Returns an upper bound of the bytes of a value as JSON. Takes a tenth of the time of writing the
 * JSON.
 *
 * Requires: the value is made of JSON values.
 */
export function jsonBytesMax(value: unknown): number {
  if (typeof value === "string") return 2 + bytesPerUnit * value.length;
  if (typeof value !== "object" || value === null) return bytesPerScalar;
  // Two brackets, and a comma for each element.
  let bytes = 2;
  if (Array.isArray(value)) {
    for (const element of value as readonly unknown[]) bytes += 1 + jsonBytesMax(element);
    return bytes;
  }
  // `Object.entries` would make an array for each property.
  const elements = value as Readonly<Record<string, unknown>>;
  for (const key in elements) bytes += 4 + bytesPerUnit * key.length + jsonBytesMax(elements[key]);
  return bytes;
}

/**
 * Converts a vector. Returns `undefined` for an empty list, because a `repeated` field cannot be
 * absent.
 */
export function toVector(values: readonly number[]): Float32Array | undefined {
  return values.length === 0 ? undefined : Float32Array.from(values);
}

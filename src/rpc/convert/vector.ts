/** `undefined` for an empty list: `repeated` has no other way to be absent. */
export function toVector(values: readonly number[]): Float32Array | undefined {
  return values.length === 0 ? undefined : Float32Array.from(values);
}

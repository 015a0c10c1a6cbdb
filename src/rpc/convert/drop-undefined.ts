/** The properties of `T`, where an optional property may also be `undefined`. */
type Loose<T> = { [K in keyof T]: object extends Pick<T, K> ? T[K] | undefined : T[K] };

/**
 * Returns the object without its `undefined` properties. An unset field of a protobuf message has
 * the value `undefined`; the core expects it to be absent.
 */
export function dropUndefined<T extends object>(properties: Loose<T>): T {
  const set: Partial<T> = {};
  for (const name of Object.keys(properties) as (keyof T)[]) {
    const value = properties[name];
    if (value !== undefined) set[name] = value;
  }
  return set as T;
}

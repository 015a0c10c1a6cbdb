/** The properties of `T`, where an optional property may also be `undefined`. */
type Loose<T> = { [K in keyof T]: object extends Pick<T, K> ? T[K] | undefined : T[K] };

/**
 * Returns the object without its `undefined` properties. Unset fields of a protobuf message read as
 * `undefined`; the core expects them to be absent.
 */
export function dropUndefined<T extends object>(properties: Loose<T>): T {
  const set: Partial<T> = {};
  for (const name of Object.keys(properties) as (keyof T)[]) {
    const value = properties[name];
    if (value !== undefined) set[name] = value;
  }
  return set as T;
}

/** The same properties, where optional ones may also be `undefined`. */
type Loose<T> = { [K in keyof T]: object extends Pick<T, K> ? T[K] | undefined : T[K] };

/** The object without its `undefined` properties: in protobuf messages absent fields read as `undefined`, in the domain they are absent. */
export function present<T extends object>(properties: Loose<T>): T {
  const kept: Partial<T> = {};
  for (const name of Object.keys(properties) as (keyof T)[]) {
    const value = properties[name];
    if (value !== undefined) kept[name] = value;
  }
  return kept as T;
}

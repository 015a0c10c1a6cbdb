/**
 * Returns a value whose type is optional, but which validation has required.
 *
 * @param field path in the request, for the error if validation has failed to require the value
 */
export function requireSet<T>(value: T | undefined, field: string): T {
  if (value === undefined) throw new Error(`validation accepted a request without ${field}`);
  return value;
}

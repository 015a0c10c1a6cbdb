/**
 * Returns a value whose type is optional, but which validation has required.
 *
 * @param field path of the field in the request, for the error message
 */
export function requireSet<T>(value: T | undefined, field: string): T {
  if (value === undefined) throw new Error(`validation accepted a request without ${field}`);
  return value;
}

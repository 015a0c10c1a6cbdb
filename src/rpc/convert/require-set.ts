/**
 * Returns a value that validation has found set, which its type does not express.
 *
 * @param field path in the request, for the error if validation let the request pass
 */
export function requireSet<T>(value: T | undefined, field: string): T {
  if (value === undefined) throw new Error(`validation accepted a request without ${field}`);
  return value;
}

/** A field that validation has found set; the definitions cannot say so in its type. */
export function required<T>(value: T | undefined, field: string): T {
  if (value === undefined) throw new Error(`validation let a request without ${field} pass`);
  return value;
}

/** A key that no other call has: what makes a repeated call change nothing twice. */
export function newIdempotencyKey(): string {
  return crypto.randomUUID();
}

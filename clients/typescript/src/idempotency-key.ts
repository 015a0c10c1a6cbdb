/** A key that no other call has: what makes a repeated call change nothing twice. Not `crypto.randomUUID`, which web pages without TLS do not have. */
export function newIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * Returns a unique key, which makes a repeated call safe. Does not use `crypto.randomUUID`, because
 * pages without TLS lack it.
 */
export function newIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

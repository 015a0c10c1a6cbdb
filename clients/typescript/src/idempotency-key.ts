/**
 * Returns a unique key. The server applies mutations with the same key only once. The key is random
 * bytes, because a page without TLS has no `crypto.randomUUID`.
 */
export function newIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

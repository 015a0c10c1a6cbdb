/**
 * Returns a unique key. With a key, the server applies a repeated mutation once. The key is random
 * bytes, because a page without TLS has no `crypto.randomUUID`.
 */
export function newIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

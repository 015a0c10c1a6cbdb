/** A stored reply: the reply to a repeated call with the same idempotency key is made from it. */
export interface StoredReply {
  /** HMAC-SHA-256 of the request, in hexadecimal. Its key is the idempotency key. */
  readonly requestDigest: string;
  /**
   * The reply, made of JSON values: ids, versions and numbers. No text that a caller has stored,
   * because deleting a record does not delete the replies about it.
   */
  readonly reply: unknown;
  readonly expireMs: number;
}

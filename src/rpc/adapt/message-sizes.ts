/** Size of the prefix of each message, in bytes: one of flags, four of length. */
export const prefixBytes = 5;

/** Follows the messages of a body in which each message has a prefix. Chunks may end anywhere. */
export class MessageSizes {
  readonly #prefix = Buffer.alloc(prefixBytes);
  #prefixLength = 0;
  #unreadBytes = 0;

  /** Bytes of the current message that have not arrived. */
  get unreadBytes(): number {
    return this.#unreadBytes;
  }

  /** Whether the body so far ends inside a message. */
  get isInside(): boolean {
    return this.#prefixLength > 0;
  }

  /** Reads a chunk. Returns the size of the largest message that begins in it; 0 if none does. */
  read(chunk: Uint8Array): number {
    let largest = 0;
    for (let at = 0; at < chunk.byteLength; ) {
      if (this.#prefixLength < prefixBytes) {
        this.#prefix[this.#prefixLength++] = chunk[at++] ?? 0;
        if (this.#prefixLength < prefixBytes) continue;
        this.#unreadBytes = this.#prefix.readUInt32BE(1);
        largest = Math.max(largest, this.#unreadBytes);
      } else {
        const bytes = Math.min(this.#unreadBytes, chunk.byteLength - at);
        at += bytes;
        this.#unreadBytes -= bytes;
      }
      if (this.#unreadBytes === 0) this.#prefixLength = 0;
    }
    return largest;
  }
}

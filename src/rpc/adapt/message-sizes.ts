/** Size of the prefix of each message, in bytes: one of flags, four of length. */
export const prefixBytes = 5;

/** Follows the messages of a body in which each message has a prefix. Chunks may end anywhere. */
export class MessageSizes {
  /** Number of bytes of the prefix of the current message that have arrived. */
  #prefixLength = 0;
  #unreadBytes = 0;

  /** Bytes of the current message that have not arrived; 0 before its prefix has. */
  get unreadBytes(): number {
    return this.#prefixLength < prefixBytes ? 0 : this.#unreadBytes;
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
        const byte = chunk[at++] ?? 0;
        // The first byte holds flags.
        this.#unreadBytes = this.#prefixLength === 0 ? 0 : this.#unreadBytes * 256 + byte;
        this.#prefixLength++;
        if (this.#prefixLength < prefixBytes) continue;
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

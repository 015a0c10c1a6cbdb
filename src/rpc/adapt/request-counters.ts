import type { RequestBody } from "../admit/request-body.js";
import type { RequestMessage } from "../admit/request-message.js";
import { messageMaxBytes, refusedMaxBytes } from "../limits.js";

/** Counts the bytes of the messages in a body, chunk by chunk. */
export interface RequestCounter {
  /** Bytes of the current message that have not arrived; `Infinity` if that is not known. */
  readonly unreadBytes: number;
  /**
   * Counts a chunk. Returns a promise if the next chunk may not be read before bytes are free for
   * it.
   *
   * @throws as `RequestMessage.receive` does
   */
  read(chunk: Uint8Array): Promise<void> | undefined;
}

/** Size of the prefix of each message, in bytes: one of flags, four of length. */
export const prefixBytes = 5;

/** Maximum ratio of the sizes before and after compression by deflate, which gzip uses too. */
const deflateRatio = 1032;

/** Returns an upper bound of the size of a compressed message after decompression, in bytes. */
export function decompressedMaxBytes(compressedBytes: number): number {
  return Math.min(messageMaxBytes, deflateRatio * compressedBytes);
}

/** Counts the messages of a body in which each message has a prefix. Chunks may end anywhere. */
export class EnvelopeCounter implements RequestCounter {
  readonly #body: RequestBody;
  readonly #prefix = Buffer.alloc(prefixBytes);
  #prefixLength = 0;
  #size = 0;
  #unreadBytes = 0;
  #message: RequestMessage | undefined;
  #isTooLarge = false;

  constructor(body: RequestBody) {
    this.#body = body;
  }

  get unreadBytes(): number {
    return this.#unreadBytes;
  }

  read(chunk: Uint8Array): Promise<void> | undefined {
    const waits: Promise<void>[] = [];
    let at = 0;
    while (at < chunk.byteLength && !this.#isTooLarge) {
      if (this.#message === undefined) {
        this.#prefix.set([chunk[at] ?? 0], this.#prefixLength);
        this.#prefixLength++;
        at++;
        if (this.#prefixLength === prefixBytes) this.#begin();
      } else {
        const bytes = Math.min(this.#unreadBytes, chunk.byteLength - at);
        at += bytes;
        this.#unreadBytes -= bytes;
        const wait = this.#message.receive(bytes, this.#size);
        if (wait !== undefined) waits.push(wait);
      }
      if (this.#unreadBytes === 0 && this.#prefixLength === prefixBytes) this.#end();
    }
    return waits.length > 1 ? allOf(waits) : waits[0];
  }

  #begin(): void {
    this.#unreadBytes = this.#prefix.readUInt32BE(1);
    // The decoder refuses the message and does not keep it, so its bytes are not counted.
    this.#isTooLarge = this.#unreadBytes > messageMaxBytes;
    const isCompressed = ((this.#prefix[0] ?? 0) & 1) === 1;
    this.#size = isCompressed ? decompressedMaxBytes(this.#unreadBytes) : this.#unreadBytes;
    this.#message = this.#body.begin();
  }

  #end(): void {
    this.#message = undefined;
    this.#prefixLength = 0;
  }
}

/** Resolves when all promises have resolved, and rejects with the first rejection. */
async function allOf(promises: readonly Promise<void>[]): Promise<void> {
  await Promise.all(promises);
}

/** What is known of a body that is one message. */
export interface WholeBody {
  /** Its size, or an upper bound of its size, in bytes. */
  readonly size: number;
  /** Maximum number of its bytes that the server keeps. */
  readonly maxBytes: number;
  readonly isCompressed: boolean;
}

/** Counts a body that is one message. */
export class WholeCounter implements RequestCounter {
  readonly unreadBytes = Number.POSITIVE_INFINITY;
  readonly #message: RequestMessage;
  readonly #maxBytes: number;
  readonly #size: number;
  #bytes = 0;

  constructor(body: RequestBody, { size, maxBytes, isCompressed }: WholeBody) {
    this.#message = body.begin();
    this.#maxBytes = maxBytes;
    const most = Math.min(size, maxBytes);
    this.#size = isCompressed ? decompressedMaxBytes(most) : most;
  }

  read({ byteLength }: Uint8Array): Promise<void> | undefined {
    // The server drops what is beyond the limit.
    const bytes = Math.min(byteLength, this.#maxBytes - this.#bytes);
    this.#bytes += bytes;
    return this.#message.receive(bytes, this.#size);
  }
}

/**
 * Passes on the chunks of a body as soon as the limits on request bytes allow them. If the limits
 * refuse the message, reads the rest of it before it throws, because a client that cannot finish
 * sending may lose the answer.
 *
 * @throws as `RequestMessage.receive` does
 */
export async function* withRoom(
  body: AsyncIterable<Uint8Array>,
  counter: RequestCounter,
): AsyncGenerator<Uint8Array> {
  let refusal: Error | undefined;
  let leftBytes = 0;
  for await (const chunk of body) {
    if (refusal !== undefined) {
      leftBytes -= chunk.byteLength;
      if (leftBytes <= 0) break;
      continue;
    }
    try {
      const wait = counter.read(chunk);
      if (wait !== undefined) await wait;
    } catch (error) {
      refusal = error instanceof Error ? error : new Error("the body cannot be counted");
      leftBytes = Math.min(counter.unreadBytes, refusedMaxBytes);
      if (leftBytes <= 0) break;
      continue;
    }
    yield chunk;
  }
  if (refusal !== undefined) throw refusal;
}

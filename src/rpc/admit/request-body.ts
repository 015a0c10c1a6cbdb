import type { RequestBuffer, RequestRoom } from "./request-buffer.js";
import { RequestMessage } from "./request-message.js";

/** The body of one request: its messages that are not yet released. */
export class RequestBody {
  readonly #buffer: RequestBuffer;
  readonly #room: RequestRoom;
  readonly #open = new Set<RequestMessage>();
  /** The messages that `next` has not returned. */
  readonly #unread: RequestMessage[] = [];
  #first: RequestMessage | undefined;
  #isClosed = false;

  constructor(buffer: RequestBuffer, room: RequestRoom) {
    this.#buffer = buffer;
    this.#room = room;
  }

  /** Begins to count the next message that arrives. */
  begin(): RequestMessage {
    const message = new RequestMessage(this.#buffer, this.#room, this.#first === undefined, () =>
      this.#open.delete(message),
    );
    this.#first ??= message;
    this.#open.add(message);
    this.#unread.push(message);
    if (this.#isClosed) message.close();
    return message;
  }

  /** Returns the oldest message that this method has not returned before. */
  next(): RequestMessage {
    const message = this.#unread.shift();
    if (message === undefined) throw new Error("more messages were read than have arrived");
    return message;
  }

  /**
   * Returns the `stall` of the first message. Later messages of a stream do not count, because the
   * server itself delays them when it reads slowly.
   */
  stall(nowMs: number): ReturnType<RequestMessage["stall"]> {
    return this.#first?.stall(nowMs) ?? { forMs: 0, bytes: 0 };
  }

  /** Notes that the stream is closed. Releases the messages that no handler uses. */
  close(): void {
    this.#isClosed = true;
    for (const message of [...this.#open]) message.close();
  }
}

import type { RequestMessage } from "../traffic/request-message.js";

/** The messages of a call that its handler uses. Their bytes count until the handler is done. */
export class HeldMessages {
  readonly #held: RequestMessage[] = [];

  add(message: RequestMessage): void {
    message.hold();
    this.#held.push(message);
  }

  /** Notes a response of a stream that answers each request in order. */
  answer(): void {
    this.#held.shift()?.release();
  }

  /** Notes that the handler is done. */
  end(): void {
    for (const message of this.#held.splice(0)) message.letGo();
  }
}

import type { RequestMessage } from "../admit/request-message.js";
import type { RpcMethod } from "./handler.js";

/** The messages that the handler of a call uses. Their bytes count until the handler is done. */
export class HeldMessages {
  readonly #held: RequestMessage[] = [];

  add(message: RequestMessage): void {
    message.hold();
    this.#held.push(message);
  }

  /** Notes that the handler no longer uses the oldest message. */
  release(): void {
    this.#held.shift()?.release();
  }

  /** Notes that the handler is done. */
  end(): void {
    for (const message of this.#held.splice(0)) message.letGo();
  }
}

/**
 * Whether each response of a stream answers one request, in order. The handler of such a stream
 * needs each request until its response is sent. The handler of an open-ended method needs a
 * request only until it asks for the next request.
 */
export function answersEachRequest({ kind, openEnded }: RpcMethod): boolean {
  return kind === "bidi_streaming" && !openEnded;
}

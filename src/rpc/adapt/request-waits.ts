import { VademecumError } from "../../core/model/errors.js";

/** How long the server waits for the messages of a stream of requests. */
export interface RequestWaits {
  /** For the first message, in milliseconds. */
  readonly firstMs: number;
  /** For each further message, in milliseconds since the server was ready for it. */
  readonly nextMs: number;
}

/**
 * Passes on the messages of a stream of requests, each as soon as it arrives. A stream has no
 * default deadline, so these waits end the call of a client that has vanished.
 *
 * @throws DEADLINE_EXCEEDED (REQUEST_TIMEOUT) when a message is late
 */
export async function* withWaits<T>(
  requests: AsyncIterable<T>,
  { firstMs, nextMs }: RequestWaits,
): AsyncGenerator<T> {
  const iterator = requests[Symbol.asyncIterator]();
  for (let waitMs = firstMs; ; waitMs = nextMs) {
    const next = await within(waitMs, iterator.next());
    if (next.done === true) return;
    yield next.value;
  }
}

async function within<T>(waitMs: number, promise: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(requestTimeout(waitMs)), waitMs);
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

function requestTimeout(waitMs: number): VademecumError {
  const seconds = waitMs / 1000;
  return new VademecumError(
    "DEADLINE_EXCEEDED",
    "REQUEST_TIMEOUT",
    `no message of the request stream arrived for ${seconds} s; ` +
      "close the stream after the last message, and send the rest in a new call",
  );
}

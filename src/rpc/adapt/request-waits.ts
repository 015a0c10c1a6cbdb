import { VademecumError } from "../../core/model/errors.js";

/** How long the server waits for requests, in milliseconds. */
export interface RequestWaits {
  /** For a whole request, or for the first message of a stream of requests. */
  readonly firstMs: number;
  /**
   * For each further message of a stream. The wait begins when the server is ready for the message.
   */
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

/**
 * Passes on the chunks of a request's body. All of them must arrive within `waitMs` milliseconds.
 *
 * @throws DEADLINE_EXCEEDED (REQUEST_TIMEOUT) when a chunk is late
 */
export async function* withTimeLimit<T>(
  chunks: AsyncIterable<T>,
  waitMs: number,
): AsyncGenerator<T> {
  const iterator = chunks[Symbol.asyncIterator]();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(requestIncomplete(waitMs)), waitMs);
  });
  try {
    for (;;) {
      const next = await Promise.race([iterator.next(), late]);
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    clearTimeout(timer);
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

/** Returns the error of a request that has not arrived completely. */
export function requestIncomplete(waitMs: number): VademecumError {
  return new VademecumError(
    "DEADLINE_EXCEEDED",
    "REQUEST_TIMEOUT",
    `the request did not arrive within ${waitMs / 1000} s of its headers; send it again as a whole`,
  );
}

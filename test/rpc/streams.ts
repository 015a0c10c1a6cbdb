/** Returns all messages of a stream. */
export async function collect<T>(stream: AsyncIterable<T>): Promise<T[]> {
  const messages: T[] = [];
  for await (const message of stream) messages.push(message);
  return messages;
}

/** Returns the next message of a stream; `undefined` at its end. */
export async function nextOf<T>(stream: AsyncIterator<T>): Promise<T | undefined> {
  const next = await stream.next();
  return next.done === true ? undefined : next.value;
}

/** Yields the messages as a stream. */
export async function* streamOf<T>(messages: readonly T[]): AsyncGenerator<T> {
  yield* messages;
}

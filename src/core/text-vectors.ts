import type { Call } from "./call.js";
import type { Embedder } from "./embedder.js";

/** The vectors of one text. */
export interface TextVectors {
  /** The vector by a model. @throws NotEmbedded where it was not made by this one yet, which `withTextVectors` then does */
  by(embedder: Embedder): Float32Array;
  /** The one that was made last; `undefined`: none was. */
  readonly latest: Float32Array | undefined;
}

/** A text has to be embedded by another model than was expected, before the step that needs it can be taken. */
class NotEmbedded extends Error {
  constructor(readonly embedder: Embedder) {
    super("the text was not embedded by the model of its namespace");
  }
}

/**
 * Calls `use` with the vectors of a text. Which model a namespace has is known for certain only where the vector is needed, inside of a transaction or a reading, and there is no time to make one there:
 * so the text is embedded by the `expected` model beforehand, and `use` is called again if it turns out that another one was needed.
 * REQUIRES: `use` has changed nothing when it passes on what `by` throws.
 */
export async function withTextVectors<T>(
  text: string,
  expected: Embedder | undefined,
  call: Call,
  use: (vectors: TextVectors) => Promise<T>,
): Promise<T> {
  const made = new Map<Embedder, Float32Array>();
  let wanted = expected;
  for (;;) {
    call.throwIfEnded();
    const [latest] = wanted === undefined ? [] : await wanted.embed([text], call.signal);
    if (wanted !== undefined && latest !== undefined) made.set(wanted, latest);
    const by = (embedder: Embedder): Float32Array => {
      const vector = made.get(embedder);
      if (vector === undefined) throw new NotEmbedded(embedder);
      return vector;
    };
    try {
      return await use({ by, latest });
    } catch (error) {
      if (!(error instanceof NotEmbedded)) throw error;
      wanted = error.embedder;
    }
  }
}

/** For a text that needs no vector, or that came with one. */
export const noTextVectors: TextVectors = {
  by: (embedder) => {
    throw new NotEmbedded(embedder);
  },
  latest: undefined,
};

import type { Call } from "../ports/call.js";
import { type Embedder, embedEach } from "../ports/embedder.js";

/** The vectors of one text. */
export interface TextVectors {
  /** The vector by a model. @throws NotEmbedded where it was not made by this one yet, which `EmbeddedTexts.use` then sees to; what the model said, if it does not take the text */
  by(embedder: Embedder): Float32Array;
  /** The one that was made last; `undefined`: none was. */
  readonly latest: Float32Array | undefined;
}

/** Texts with the vectors that were made of them so far. */
export interface EmbeddedTexts<Texts extends readonly string[]> {
  /**
   * Calls `use` with the vectors of each text, in their order; again, if it turns out that another model was needed. May be called several times, also at once: a model is asked once for all texts.
   * REQUIRES: `use` has changed nothing when it passes on what `by` throws.
   */
  use<T>(
    use: (vectors: { readonly [Index in keyof Texts]: TextVectors }) => Promise<T>,
  ): Promise<T>;
}

/** A text has to be embedded by another model than was expected, before the step that needs it can be taken. */
class NotEmbedded extends Error {
  constructor(readonly embedder: Embedder) {
    super("the text was not embedded by the model of its namespace");
  }
}

/**
 * Makes vectors of texts, of all in one batch. Which model a namespace has is known for certain only where a vector is needed, inside of a transaction or a reading, and there is no time to make one there:
 * so the texts are embedded by the `expected` model beforehand, as soon as they are used.
 */
export function embedTexts<const Texts extends readonly string[]>(
  texts: Texts,
  expected: Embedder | undefined,
  call: Call,
): EmbeddedTexts<Texts> {
  const batches = new Map<Embedder, ReturnType<typeof embedEach>>();
  const embedAll = (embedder: Embedder) => {
    const batch = batches.get(embedder) ?? embedEach(embedder, texts, call.signal);
    batches.set(embedder, batch);
    return batch;
  };
  return {
    async use(use) {
      const made = new Map<Embedder, Awaited<ReturnType<typeof embedEach>>>();
      let wanted = expected;
      for (;;) {
        call.throwIfEnded();
        const latest = wanted && (await embedAll(wanted));
        if (wanted !== undefined && latest !== undefined) made.set(wanted, latest);
        const vectors = texts.map((_, at): TextVectors => {
          const last = latest?.[at];
          return {
            by: (embedder) => vectorOf(embedder, made.get(embedder)?.[at]),
            latest: last instanceof Error ? undefined : last,
          };
        });
        try {
          // One for each text.
          return await use(vectors as unknown as { readonly [Index in keyof Texts]: TextVectors });
        } catch (error) {
          if (!(error instanceof NotEmbedded)) throw error;
          wanted = error.embedder;
        }
      }
    },
  };
}

function vectorOf(embedder: Embedder, outcome: Float32Array | Error | undefined): Float32Array {
  if (outcome === undefined) throw new NotEmbedded(embedder);
  if (outcome instanceof Error) throw outcome;
  return outcome;
}

/** For a text that needs no vector, or that came with one. */
export const noTextVectors: TextVectors = {
  by: (embedder) => {
    throw new NotEmbedded(embedder);
  },
  latest: undefined,
};

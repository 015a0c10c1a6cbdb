import type { Call } from "../ports/call.js";
import { type Embedder, embedEach } from "../ports/embedder.js";

/** The vectors of one text. */
export interface TextVectors {
  /**
   * Returns the vector that a model has made of the text. Throws `NotEmbedded` when this model has
   * not embedded the text yet. `EmbeddedTexts.use` handles `NotEmbedded`. Rethrows the error of a
   * model that refused the text.
   */
  vectorBy(embedder: Embedder): Float32Array;
  /** The newest vector of the text; `undefined` if there is none. */
  readonly latest: Float32Array | undefined;
  /** Why no model could make a vector. Absent: `vectorBy` returns a vector, or throws. */
  readonly unavailableReason?: string;
}

/** Texts with their vectors so far. */
export interface EmbeddedTexts<Texts extends readonly string[]> {
  /**
   * Calls `use` with the vectors of each text, in the order of the texts. If `use` needs another
   * model, embeds the texts with that model and calls `use` again. May be called several times,
   * even concurrently. Each model embeds the texts only once.
   *
   * Requires: `use` has changed nothing when it rethrows an error of `vectorBy`.
   */
  use<T>(
    use: (vectors: { readonly [Index in keyof Texts]: TextVectors }) => Promise<T>,
  ): Promise<T>;
}

/** Maximum number of texts to embed without letting other work run. */
const shortTextsMax = 4;

/** Thrown when `use` needs the vectors of a model that has not embedded the texts yet. */
class NotEmbedded extends Error {
  constructor(readonly embedder: Embedder) {
    super("the text was not embedded by the model of its namespace");
  }
}

/**
 * Embeds all texts in one batch.
 *
 * Only a transaction or a read of the index knows the model of a namespace for certain, but neither
 * can wait for an embedder. So `use` embeds the texts with the `expected` model beforehand. The
 * transaction or read then verifies the model (docs/internals/decisions/0023).
 */
export function embedTexts<const Texts extends readonly string[]>(
  texts: Texts,
  expected: Embedder | undefined,
  call: Call,
): EmbeddedTexts<Texts> {
  type Batch = ReturnType<typeof embedEach> | readonly Float32Array[];
  const batches = new Map<Embedder, Batch>();
  const embedAll = (embedder: Embedder): Batch => {
    const batch =
      batches.get(embedder) ??
      embedShortTexts(embedder, texts) ??
      embedEach(embedder, texts, call.signal);
    batches.set(embedder, batch);
    return batch;
  };
  return {
    async use(use) {
      const vectorsByModel = new Map<Embedder, Awaited<ReturnType<typeof embedEach>>>();
      let model = expected;
      for (;;) {
        call.throwIfEnded();
        const latest = model && (await embedAll(model));
        if (model !== undefined && latest !== undefined) vectorsByModel.set(model, latest);
        const vectors = texts.map((_, index): TextVectors => {
          const last = latest?.[index];
          return {
            vectorBy: (embedder) => vectorOf(embedder, vectorsByModel.get(embedder)?.[index]),
            latest: last instanceof Error ? undefined : last,
          };
        });
        try {
          // The array has one entry for each text, which `map` does not express in its type.
          return await use(vectors as unknown as { readonly [Index in keyof Texts]: TextVectors });
        } catch (error) {
          if (!(error instanceof NotEmbedded)) throw error;
          model = error.embedder;
        }
      }
    },
  };
}

/** Embeds texts synchronously. Returns `undefined` if that would take long. */
function embedShortTexts(
  embedder: Embedder,
  texts: readonly string[],
): readonly Float32Array[] | undefined {
  const vectors: Float32Array[] = [];
  for (const text of texts.length <= shortTextsMax ? texts : []) {
    const vector = embedder.embedShort?.(text);
    if (vector === undefined) return undefined;
    vectors.push(vector);
  }
  return vectors.length === texts.length ? vectors : undefined;
}

/**
 * Calls `use` with the vector of a text that `model` has embedded. Returns `undefined` if `use`
 * needs another model.
 */
export async function useVector<T>(
  model: Embedder,
  vector: Float32Array,
  use: (vectors: TextVectors) => Promise<T>,
): Promise<{ readonly result: T } | undefined> {
  const vectorBy = (embedder: Embedder) =>
    vectorOf(embedder, embedder === model ? vector : undefined);
  try {
    return { result: await use({ vectorBy, latest: vector }) };
  } catch (error) {
    if (error instanceof NotEmbedded) return undefined;
    throw error;
  }
}

function vectorOf(embedder: Embedder, outcome: Float32Array | Error | undefined): Float32Array {
  if (outcome === undefined) throw new NotEmbedded(embedder);
  if (outcome instanceof Error) throw outcome;
  return outcome;
}

/** Returns the vectors of a query whose model cannot be reached. */
export function unavailableVectors(reason: string): TextVectors {
  return { ...noTextVectors, unavailableReason: reason };
}

/** The vectors of a text that needs no vector, or that came with a vector. */
export const noTextVectors: TextVectors = {
  vectorBy: (embedder) => {
    throw new NotEmbedded(embedder);
  },
  latest: undefined,
};
